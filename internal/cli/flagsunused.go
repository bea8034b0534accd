package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/spec"
)

// partner says when a flag that was given changes anything.
type partner struct {
	flag string
	used func(set *pflag.FlagSet, args []string) bool
	why  string // what is missing or wins over it, and what to do
}

// partners are the flags that do nothing without another one, or beside it. A command that lacks a flag is not concerned.
func partners() []partner {
	without := func(other string) func(*pflag.FlagSet, []string) bool {
		return func(set *pflag.FlagSet, _ []string) bool { return !isSet(set, other) }
	}
	with := func(others ...string) func(*pflag.FlagSet, []string) bool {
		return func(set *pflag.FlagSet, _ []string) bool {
			return slices.ContainsFunc(others, func(o string) bool { return isSet(set, o) })
		}
	}
	return []partner{
		{"poll", with("batch"), "only batches are asked for again and again: add --batch, or leave it out"},
		{"currency", with("price-prompt", "price-output"), "there is no price that it could be the currency of: add --price-prompt or --price-output, or leave it out"},
		{"judge-family", with("judge"), "there is no judge: add --judge MODEL, or leave it out"},
		{"judge-quality", judgeHere, "there is no judge: add --judge MODEL, or leave it out"},
		{"repeats", judgeHere, "there is no judge to ask once more: add --judge MODEL, or leave it out"},
		{"system", strict, "only the prompt condition strict has the model's own system prompt: add --prompt strict, or leave it out"},
		{"items", without("all"), "--all takes all items: leave one of the two out"},
		{"families", with("counterfactuals"), "no findings are changed with --counterfactuals 0: ask for some, or leave it out"},
		{"check-order", with("stability", "neutralize", "selectors"), "no check that it is the order of is made: ask for --stability, --neutralize or --selectors, or leave it out"},
		{"format", without("json"), "--json prints the report and writes nothing: leave one of the two out"},
		{"full", without("json"), "--json prints report.json, which has every table: leave one of the two out"},
		{"key", without("json"), "--json prints records, which have no keys: leave one of the two out"},
		{"key", func(_ *pflag.FlagSet, args []string) bool { return len(args) > 1 }, "the list of items has no keys: name an ITEM, or leave it out"},
		{"battery", without("cases"), "no operator edits cases: leave one of the two out"},
		{"operators", without("cases"), "no operator edits cases: leave one of the two out"},
	}
}

// isSet reports whether a flag says something: it was given or has a default that does, and is not off, 0 or empty.
func isSet(set *pflag.FlagSet, name string) bool {
	f := set.Lookup(name)
	return f != nil && !slices.Contains([]string{"", "0", "false", "[]"}, f.Value.String())
}

// judgeHere reports whether a command that begins a run names a judge; others take that of the run.
func judgeHere(set *pflag.FlagSet, _ []string) bool {
	return set.Lookup("judge") == nil || isSet(set, "judge")
}

// strict reports whether a chain audit has the prompt condition strict, which is the default of medical models.
func strict(set *pflag.FlagSet, _ []string) bool {
	f := set.Lookup("prompt")
	if f == nil || !f.Changed {
		return set.Lookup("tier").Value.String() == "medical"
	}
	conditions, err := set.GetStringSlice("prompt")
	return err == nil && slices.ContainsFunc(conditions, func(c string) bool {
		base, _, _ := strings.Cut(c, "+")
		return strings.TrimSpace(base) == "strict"
	})
}

// unused refuses flags that would change nothing: who gives one expects something of it.
func unused(set *pflag.FlagSet, args []string) error {
	for _, p := range partners() {
		if f := set.Lookup(p.flag); f != nil && f.Changed && !p.used(set, args) {
			return usage(fmt.Errorf("--%s: %s", p.flag, p.why))
		}
	}
	return nil
}

// unused refuses what is said of a kind of back-end that none of the models has.
func (on machine) unused(models []spec.Model) error {
	engine := slices.ContainsFunc(models, embedded)
	server := slices.ContainsFunc(models, remote)
	for _, f := range []struct {
		flag        string
		given, used bool
		by          string
	}{
		{"lib", on.lib != "", engine, byEngine}, {"threads", on.threads > 0, engine, byEngine},
		{"memory", on.memory > 0, engine, byEngine}, {"parallel", on.parallel > 0, engine, byEngine},
		{"concurrency", on.concurrency > 0, server, byServer}, {"first-byte", on.firstByte > 0, server, byServer},
		{"idle", on.idle > 0, server, byServer}, {"patience", on.patience > 0, server, byServer},
		{"rpm", on.rpm > 0, server, byServer}, {"tpm", on.tpm > 0, server, byServer},
	} {
		if f.given && !f.used {
			return usage(fmt.Errorf("--%s: no model here is %s: leave it out", f.flag, f.by))
		}
	}
	return on.batch.check(models)
}

// Kinds of back-ends, as errors name them.
const (
	byEngine = "run by the embedded engine (llama:...)"
	byServer = "behind a server (openai:... or anthropic:...)"
)

// embedded reports whether a model is run by the embedded engine.
func embedded(m spec.Model) bool {
	arg, err := spec.ParseModel(m.Model)
	return err == nil && arg.Backend == "llama"
}

// unusedOperators refuses a file of operators that a battery names nothing of: the audit would be the one without it.
func unusedOperators(b battery.Battery, c *spec.Chain) error {
	if slices.ContainsFunc(b.Operators, func(o battery.Operator) bool { return o.Battery == battery.Own }) {
		return nil
	}
	if builtIn, err := battery.Parse(c.Battery); err != nil || builtIn.Fingerprint != b.Fingerprint {
		return nil // the file names batteries of its own
	}
	return usage(fmt.Errorf("battery %q has none of the operators of %s: name their families too, such as --battery %s+FAMILY (battery in a file), or leave the file out",
		c.Battery, c.BatteryFile, c.Battery))
}

// unused refuses a threshold for interactions where there are none.
func (w reading) unused(s spec.Specification) error {
	if s.Evidence == nil && w.salience != 0 && w.salience != evidence.Salient {
		return usage(errors.New("--salience: only an evidence audit has interactions: leave it out"))
	}
	return nil
}
