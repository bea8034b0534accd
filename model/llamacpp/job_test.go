package llamacpp

import (
	"testing"

	"github.com/percuss/percuss"
)

func TestStopStringsAcrossTokens(t *testing.T) {
	for _, c := range []struct {
		stops  []string
		pieces []string
		want   string
		at     int // the piece that completes the stop; 0: none
	}{
		{[]string{"\n\n"}, []string{"one\n", "\ntwo"}, "one", 2},
		{[]string{"STOP"}, []string{"a S", "T", "O", "Px"}, "a ", 4},
		{[]string{"zz", "b"}, []string{"abz", "z"}, "a", 1},
		{[]string{""}, []string{"a", "b"}, "ab", 0},
		{nil, []string{"\xe2\x82", "\xac"}, "€", 0},
		{[]string{"€"}, []string{"5 \xe2", "\x82", "\xac!"}, "5 ", 3},
	} {
		j := &job{req: &percuss.Request{Sampling: percuss.Sampling{Stop: c.stops}}}
		at := 0
		for i, p := range c.pieces {
			if j.write(p) {
				at = i + 1
				break
			}
		}
		if string(j.text) != c.want || at != c.at {
			t.Errorf("stops %q in %q: %q after piece %d, want %q after %d", c.stops, c.pieces, j.text, at, c.want, c.at)
		}
	}
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		text          string
		reason, limit bool
		want          percuss.Outcome
	}{
		{"The answer is B.", false, false, percuss.OK},
		{"The answer", false, true, percuss.Truncated},
		{" \n", false, false, percuss.Empty},
		{"", false, true, percuss.Truncated},
		{"<think>hm", false, false, percuss.ReasoningOnly},
		{"<think>hm", false, true, percuss.Truncated},
		{"<think>hm</think>B", false, false, percuss.OK},
		{"hm", true, false, percuss.ReasoningOnly},
		{"hm</think>B", true, false, percuss.OK},
		{"hm</think>B<think>no", true, false, percuss.ReasoningOnly},
	} {
		j := &job{text: []byte(c.text), reason: c.reason}
		if got, _ := j.outcome(c.limit); got != c.want {
			t.Errorf("%q (in reasoning %v, at limit %v): %s, want %s", c.text, c.reason, c.limit, got, c.want)
		}
	}
}

func TestValidText(t *testing.T) {
	for in, want := range map[string]string{
		"caf\xc3": "caf", "café": "café", "a\xffb": "a\uFFFDb", "\xe2\x82": "", "": "", "a\x82": "a\uFFFD", "x\xf0\x9f\x98": "x",
	} {
		if got := validText([]byte(in)); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestChunkFor(t *testing.T) {
	for _, c := range []struct {
		params  uint64
		threads int
		gpu     bool
		want    int
	}{{135e6, 2, false, 256}, {8e9, 2, false, 16}, {1e5, 1, false, 512}, {8e9, 16, true, 512}} {
		if got := chunkFor(c.params, c.threads, c.gpu); got != c.want {
			t.Errorf("%d parameters, %d threads: %d, want %d", c.params, c.threads, got, c.want)
		}
	}
}
