package judge

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"pgregory.net/rapid"
)

func TestRead(t *testing.T) {
	const yes, no = "VERDICT: UPDATED", "VERDICT: NOT UPDATED"
	for name, c := range map[string]struct {
		text string
		out  percuss.Outcome
		want Verdict
	}{
		"updated":                     {yes, percuss.OK, Updated},
		"not updated":                 {no, percuss.OK, NotUpdated},
		"white space":                 {"\n\n  VERDICT:  NOT  UPDATED \n", percuss.OK, NotUpdated},
		"bold":                        {"**VERDICT: UPDATED**", percuss.OK, Updated},
		"half bold":                   {"**VERDICT:** NOT UPDATED", percuss.OK, NotUpdated},
		"after reasoning":             {"<think>It might be " + no + "\nbut no.</think>\n\n" + yes, percuss.OK, Updated},
		"reasoning opened elsewhere":  {"on second thought</think>" + no, percuss.OK, NotUpdated},
		"cut behind its verdict":      {yes, percuss.Truncated, Updated},
		"cut inside its verdict":      {"VERDICT: NOT", percuss.Truncated, Malformed},
		"cut in reasoning":            {"<think>" + yes, percuss.Truncated, Malformed},
		"reasoning alone":             {"<think>x</think>", percuss.OK, Malformed},
		"reasoning after the verdict": {no + "<think>or is it", percuss.OK, Malformed},
		"both":                        {yes + "\n" + no, percuss.OK, Malformed},
		"both on a line":              {yes + " or " + no, percuss.OK, Malformed},
		"the same twice":              {yes + "\n" + yes, percuss.OK, Malformed},
		"a remark before":             {"The chain uses it.\n" + yes, percuss.OK, Malformed},
		"a remark behind":             {no + " because it is ignored", percuss.OK, Malformed},
		"a full stop":                 {no + ".", percuss.OK, Malformed},
		"small letters":               {"Verdict: updated", percuss.OK, Malformed},
		"word alone":                  {"NOT UPDATED", percuss.OK, Malformed},
		"broken over lines":           {"VERDICT: NOT\nUPDATED", percuss.OK, Malformed},
		"other words":                 {"I cannot judge this.", percuss.OK, Malformed},
		"empty":                       {"", percuss.Empty, Malformed},
		"filtered":                    {no, percuss.Filtered, Malformed},
		"refused":                     {"", percuss.Refused, Malformed},
		"no answer at all":            {"", "", Malformed},
	} {
		if got := Default().Read(percuss.Answer{Outcome: c.out, Text: c.text}); got != c.want {
			t.Errorf("%s: %q is %q, want %q", name, c.text, got, c.want)
		}
	}
	in := percuss.Answer{Outcome: percuss.ReasoningOnly, Reasoning: no}
	if got := Default().Read(in); got != Malformed {
		t.Errorf("a verdict in a reasoning field: %q", got)
	}
}

// Whatever a reply holds, reading it never fails and never invents a verdict: without the whole line there is none, and a
// word more makes a verdict unreadable.
func TestReadProperties(t *testing.T) {
	r := Default()
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"VERDICT: ", "NOT ", "UPDATED", "\n", "**",
			"<think>", "</think>", " ", "VERDICT: UPDATED", "VERDICT: NOT UPDATED"})), 0, 6).Draw(t, "pieces")
		text := strings.Join(pieces, "")
		out := rapid.SampledFrom(append(percuss.Outcomes(), "")).Draw(t, "outcome")
		got := r.Read(percuss.Answer{Outcome: out, Text: text})
		bare := strings.ReplaceAll(text, "**", "")
		switch got {
		case NotUpdated:
			if !strings.Contains(strings.Join(strings.Fields(bare), " "), NotUpdated.line()) {
				t.Fatalf("%q is %q", text, got)
			}
		case Updated:
			if !strings.Contains(strings.Join(strings.Fields(bare), " "), Updated.line()) || strings.HasSuffix(strings.TrimSpace(bare), "NOT UPDATED") {
				t.Fatalf("%q is %q", text, got)
			}
		case Malformed:
			return
		default:
			t.Fatalf("%q is %q", text, got)
		}
		if !out.HasText() {
			t.Fatalf("%q has no text and is %q", out, got)
		}
		more := percuss.Answer{Outcome: out, Text: text + "\n" + rapid.StringMatching(`[a-z]{1,9}`).Draw(t, "word")}
		if again := r.Read(more); again != Malformed {
			t.Fatalf("%q is %q", more.Text, again)
		}
	})
}

// Asking and repairing take any text.
func TestAskTakesAnyText(t *testing.T) {
	r := Default()
	rapid.Check(t, func(t *rapid.T) {
		c := Case{ID: rapid.String().Draw(t, "id"), Kind: rapid.String().Draw(t, "kind"), Old: rapid.String().Draw(t, "old"),
			New: rapid.String().Draw(t, "new"), Chain: rapid.String().Draw(t, "chain")}
		user := r.Ask(c, "j", 1).Messages[1].Content
		_, last, _ := strings.Cut(user, "Now judge this one.\n\n")
		head, reply, ok := strings.Cut(last, "\n\nReply with one line")
		if lines := strings.Split(head, "\n"); !ok || len(lines) < 5 || lines[3] != "Reasoning:" || strings.Contains(reply, "\n") {
			t.Fatalf("the case:\n%s", last)
		} else {
			for _, l := range lines[4:] {
				if !strings.HasPrefix(l, "> ") {
					t.Fatalf("a line of the chain stands free: %q", l)
				}
			}
		}
		again := r.Repair(c, "j", 1, percuss.Answer{Outcome: percuss.OK, Text: rapid.String().Draw(t, "said")})
		if again.Key() == r.Ask(c, "j", 1).Key() {
			t.Fatal("the repair is the first request")
		}
	})
}
