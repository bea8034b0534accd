package cli

import (
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

func TestSharingOf(t *testing.T) {
	for name, c := range map[string]struct {
		counts model.Counts
		want   sharing
	}{
		"nothing asked": {model.Counts{}, sharing{}},
		"a server":      {model.Counts{PromptAsked: 10, PromptComputed: 10, Output: 5, Decodes: 5}, sharing{Share: percuss.Num(1)}},
		"drafts": {model.Counts{PromptAsked: 10, PromptComputed: 5, Output: 100, Decodes: 20, Drafted: 80, Accepted: 60},
			sharing{Share: percuss.Num(0.5), Steps: percuss.Num(0.4)}},
		"no draft was right": {model.Counts{PromptAsked: 10, PromptComputed: 5, Output: 100, Drafted: 80}, sharing{Share: percuss.Num(0.5), Steps: percuss.Num(1)}},
		"trees": {model.Counts{PromptAsked: 100, PromptComputed: 30, PromptDistinct: 20, PrefillSeconds: 3, PlainTokens: 10, PlainSeconds: 0.5},
			sharing{Share: percuss.Num(0.3), Bound: percuss.Num(0.2), Rate: percuss.Num(0.5)}},
	} {
		if got := sharingOf(c.counts); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
