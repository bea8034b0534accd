package cli

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss/spec"
)

// families tells the family of a model by what its name contains, in small letters.
var families = []struct{ part, family string }{
	{"llama", "llama"}, {"vicuna", "llama"}, {"meditron", "llama"}, {"qwen", "qwen"}, {"qwq", "qwen"}, {"mistral", "mistral"},
	{"mixtral", "mistral"}, {"ministral", "mistral"}, {"gemma", "gemma"}, {"gemini", "gemini"}, {"deepseek", "deepseek"}, {"gpt", "gpt"},
	{"claude", "claude"}, {"phi-", "phi"}, {"smollm", "smollm"}, {"falcon", "falcon"}, {"olmo", "olmo"}, {"granite", "granite"},
	{"command-r", "command"}, {"yi-", "yi"},
}

// familiesOf are the families of a model: the one that the specification names, else those that its name tells. A
// distilled model is of both.
func familiesOf(m spec.Model) map[string]bool {
	out := map[string]bool{}
	if m.Family != "" {
		out[strings.ToLower(m.Family)] = true
		return out
	}
	if arg, err := spec.ParseModel(m.Model); err == nil {
		name := strings.ToLower(arg.Name)
		for _, f := range families {
			if strings.Contains(name[strings.LastIndexByte(name, '/')+1:], f.part) {
				out[f.family] = true
			}
		}
	}
	return out
}

// kinship warns of judges that judge models of their own family, a sentence for each judge and family: a model tends to be
// lenient to its like.
func kinship(s spec.Specification) []string {
	var out []string
	for _, j := range s.Judges() {
		own := familiesOf(j)
		var order []string
		judged := map[string][]string{} // models by family
		for _, m := range s.Subjects() {
			if j.Model == m.Model {
				out = append(out, fmt.Sprintf("Judge %s is the model that it judges, %s: its verdicts may favour itself. Name a judge of another family.", j.ID, m.ID))
				continue
			}
			shared := ""
			for f := range familiesOf(m) {
				if own[f] && (shared == "" || f < shared) {
					shared = f
				}
			}
			if shared == "" {
				continue
			}
			if len(judged[shared]) == 0 {
				order = append(order, shared)
			}
			judged[shared] = append(judged[shared], m.ID)
		}
		for _, f := range order {
			out = append(out, fmt.Sprintf("Judge %s is of the same family as %s, which it judges (%s): its verdicts may favour its like. Name a judge of another family.",
				j.ID, strings.Join(judged[f], ", "), f))
		}
	}
	return out
}
