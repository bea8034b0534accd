package cli

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/spec"
)

// repeatability says of which models the chains of a step audit may come out otherwise under the same seeds, and when. Of
// models whose chains depend on their seeds alone, and of logs, it says nothing.
func repeatability(s spec.Specification, can map[string]percuss.Capabilities) []string {
	if s.Steps == nil || s.Steps.Temperature == 0 {
		return nil
	}
	var out []string
	said := map[string][]string{} // model ids by what is to be said of them
	var order []string
	for _, m := range s.Subjects() {
		words := unrepeated(m, can[m.ID])
		if words == "" {
			continue
		}
		if len(said[words]) == 0 {
			order = append(order, words)
		}
		said[words] = append(said[words], m.ID)
	}
	for _, words := range order {
		out = append(out, fmt.Sprintf(words, strings.Join(said[words], ", ")))
	}
	return out
}

// unrepeated is what is to be said of one model, with a place for its name; empty where a seed says which chain it is.
func unrepeated(m spec.Model, c percuss.Capabilities) string {
	arg, err := spec.ParseModel(m.Model)
	switch {
	case err != nil || c.Given || arg.Backend == "recorded":
		return ""
	case !c.Seeded:
		return "Seeds of chains: the server of %s does not promise the same chain for the same seed. The run keeps the chains that it got; asked anew they may be others."
	case arg.Backend == "llama" && !c.Exact:
		return "Seeds of chains: the weights of %s are compressed, so that what is computed beside a chain moves its last digits, and the same seed can make another chain beside others. The same command repeats its chains on the same machine; another -k, --parallel or --plain, or going on after an interruption, may not."
	case !c.Exact:
		return "Seeds of chains: the server of %s takes a seed for each chain, but what it computes beside a chain can make it another one. The run keeps the chains that it got; asked anew a few may be others."
	}
	return ""
}
