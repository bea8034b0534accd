package cli

import (
	"strings"
	"testing"

	"github.com/percuss/percuss/spec"
)

// A flag wins over the specification, each number by itself.
func TestRateOfTheMachine(t *testing.T) {
	for _, c := range []struct {
		on   machine
		rate spec.Rate
		want [2]int
	}{
		{machine{}, spec.Rate{}, [2]int{}},
		{machine{}, spec.Rate{RequestsPerMinute: 5, TokensPerMinute: 6}, [2]int{5, 6}},
		{machine{rpm: 7}, spec.Rate{RequestsPerMinute: 5, TokensPerMinute: 6}, [2]int{7, 6}},
	} {
		o := c.on.within(c.rate).remote()
		if got := [2]int{o.RequestsPerMinute, o.TokensPerMinute}; got != c.want {
			t.Errorf("%+v with %+v: %v", c.on, c.rate, got)
		}
	}
	if err := (machine{tpm: -1}).check(); err == nil || !strings.Contains(err.Error(), "--tpm -1") {
		t.Errorf("a rate below 0: %v", err)
	}
}
