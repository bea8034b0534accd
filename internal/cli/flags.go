package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/percuss/percuss/spec"
)

// commonFlags make the part of a specification that every audit has.
type commonFlags struct {
	s              spec.Specification
	models, data   []string
	n              int
	all            bool
	tier, system   string
	family, params string
	price          spec.Price
}

func (f *commonFlags) bind(set *pflag.FlagSet) {
	set.StringArrayVarP(&f.models, "model", "m", nil, "model to audit; may be repeated")
	set.StringArrayVarP(&f.data, "data", "d", nil, "data set; may be repeated")
	set.IntVarP(&f.n, "items", "n", spec.DefaultN, "items drawn from each set")
	set.BoolVar(&f.all, "all", false, "all items")
	set.Uint64Var(&f.s.Seed, "seed", spec.DefaultSeed, "seed of every random choice")
	set.StringVar(&f.tier, "tier", "", "group of the models in tables: general, medical, reasoning, closed")
	set.IntVar(&f.s.Limits.Attempts, "attempts", 0, "tries of one request before it counts as failed in this run (default 3)")
	set.Float64Var(&f.price.Prompt, "price-prompt", 0, "price of a million prompt tokens, for the cost in plan and progress")
	set.Float64Var(&f.price.Output, "price-output", 0, "price of a million generated tokens")
	set.StringVar(&f.price.Currency, "currency", "", "currency of the prices, as it is to be printed")
}

// specification is what the flags say of models and data.
func (f *commonFlags) specification() (spec.Specification, error) {
	s := f.s
	for _, m := range f.models {
		model := spec.Model{Model: m, Tier: f.tier, Family: f.family, Params: f.params, SystemPrompt: f.system}
		if f.price.Prompt != 0 || f.price.Output != 0 {
			model.Price = &f.price
		}
		s.Models = append(s.Models, model)
	}
	if f.n < 1 && !f.all {
		return s, usage(fmt.Errorf("-n %d: at least 1, or --all", f.n))
	}
	for _, d := range f.data {
		s.Data = append(s.Data, spec.Data{Data: d, N: map[bool]int{true: 0, false: f.n}[f.all]})
	}
	return s, nil
}
