package cases

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/report"
)

// WriteCaseText prints one case for a terminal: findings with their roles, candidates with their scores, what moves the
// diagnosis and what changes of the evidence do. With color suspicious combinations are red as well as marked in words.
func WriteCaseText(w io.Writer, c Case, color bool) error {
	v := newCaseView(c, evidence.Salient, nil)
	t := &caseText{color: color}
	t.line("%s · %s", c.Subject.Item, c.Subject.Model)
	for _, s := range v.Verdict {
		report.Wrap(&t.Buffer, "", s)
	}
	t.units(v)
	t.candidates(v)
	t.combinations(v)
	t.pairs(v)
	t.changes(v)
	t.settings(v)
	if len(v.Record.Unasked) > 0 {
		t.line("\nplanned and not asked: %s", strings.Join(v.Record.Unasked, "; "))
	}
	_, err := w.Write(t.Bytes())
	return err
}

// caseText gathers the lines.
type caseText struct {
	bytes.Buffer
	color bool
}

// line adds a line, in as many as a terminal needs. Names and texts come from files and servers, so the whole line is made
// visible.
func (t *caseText) line(format string, args ...any) {
	s := report.Visible(fmt.Sprintf(format, args...))
	if rest, ok := strings.CutPrefix(s, "\n"); ok {
		t.WriteByte('\n')
		s = rest
	}
	words := strings.TrimLeft(s, " ")
	for _, s := range screen.Fold(words, s[:len(s)-len(words)], "  ", screen.Columns) {
		t.WriteString(s + "\n")
	}
}

func (t *caseText) units(v caseView) {
	for _, f := range v.Fixed {
		t.line("  always shown  %s", f)
	}
	if len(v.Units) == 0 {
		return
	}
	role := 0
	for _, u := range v.Units {
		role = max(role, min(screen.Width(u.Called), mostRole))
	}
	words := screen.Columns - role - len("123   12345678 12345678 12345678")
	t.line("\n%s %8s %8s %8s", report.Pad("finding", role+words+5), "alone", "Shapley", "Banzhaf")
	for _, u := range v.Units {
		text := screen.Fold(report.Visible(u.Text), "", "", words)
		t.line("%3d %s %s %8s %8s %8s", u.Number, report.Pad(u.Called, role), report.Pad(text[0], words), signed(u.Alone), signed(u.Shapley), signed(u.Banzhaf))
		for _, more := range text[1:] {
			t.line("%s%s", strings.Repeat(" ", role+5), more)
		}
	}
}

// mostRole is how many columns the role of a finding has.
const mostRole = 23

func (t *caseText) candidates(v caseView) {
	if len(v.Candidates) == 0 {
		return
	}
	t.line("\ncandidates, with all the evidence (log-probability of the letter)")
	for _, c := range v.Candidates {
		var marks []string
		if c.Gold {
			marks = append(marks, "right")
		}
		if c.Chosen {
			marks = append(marks, "model's choice")
		}
		t.line("  %s. %s %8s  %s", c.Letter, report.Pad(c.Name, 44), c.Score, strings.Join(marks, ", "))
	}
}

// textRows is how many combinations are printed.
const textRows = 30

// barHalf is the length of the longest bar to either side of zero, in signs: what the name of a pattern leaves of a line.
const barHalf = 5

// mostNumbers are the columns of the numbers of a combination; longer ones have a line of their own.
const mostNumbers = 15

func (t *caseText) combinations(v caseView) {
	if len(v.Rows) == 0 {
		return
	}
	t.line("\nwhat moves the diagnosis (nats in the margin of %s)", v.Record.Gold)
	most := max(v.Rows[0].value, -v.Rows[0].value)
	for i, r := range v.Rows {
		if i == textRows {
			t.line("… %d more salient combinations: the case's page in the report lists them", len(v.Rows)-textRows)
			break
		}
		n := min(int(barHalf*max(r.value, -r.value)/most+0.5), barHalf)
		left, right := strings.Repeat(" ", barHalf), strings.Repeat(" ", barHalf)
		if r.value < 0 {
			left = strings.Repeat(" ", barHalf-n) + strings.Repeat("#", n)
		} else {
			right = strings.Repeat("#", n) + strings.Repeat(" ", barHalf-n)
		}
		numbers := strings.ReplaceAll(r.Numbers, " ", "")
		if len(numbers) > mostNumbers {
			t.line("%s", numbers)
			numbers = ""
		}
		line := screen.Cut(fmt.Sprintf("%s%7s %s|%s %s", report.Pad(numbers, mostNumbers), r.Value, left, right, report.Visible(r.Label)), screen.Columns)
		if t.color && r.Suspicious {
			line = "\x1b[31m" + line + "\x1b[0m"
		}
		t.WriteString(line + "\n") // its colours are ours
		if r.Checks != "" && r.Checks != notChecked {
			t.line("%s under the checks: %s", strings.Repeat(" ", mostNumbers), r.Checks)
		}
	}
	if v.Weak != "" {
		t.line("%s", v.Weak)
	}
}

func (t *caseText) pairs(v caseView) {
	if len(v.Pairs) > 0 {
		t.line("\n%s %8s %8s", report.Pad("pairs of findings (nats, larger combinations shared out)", 62), "SII", "k-SII 3")
	}
	for _, p := range v.Pairs {
		t.line("%s %s %8s %8s", report.Pad(strings.ReplaceAll(p.Numbers, " ", ""), 7), report.Pad(p.Text, 54), signed(p.SII), signed(p.KSII))
	}
}

func (t *caseText) changes(v caseView) {
	if len(v.Families) > 0 {
		t.line("\nwhat changing the evidence does (after minus before, nats)")
	}
	for _, f := range v.Families {
		t.line("%s: %s", f.Text, f.Strata)
		for _, c := range f.Changes {
			t.line("  %s → %s", c.Edit, c.New)
			t.line("      right %6s  rival %6s  margin %6s  rank %s  %s", c.TargetText, c.RivalText, c.MarginT, c.Rank, c.Verdict)
		}
	}
}

func (t *caseText) settings(v caseView) {
	if len(v.Settings) > 1 {
		t.line("\nother settings: choice, margin of the right diagnosis, salient combinations (suspicious)")
	}
	for i, s := range v.Settings {
		if i > 0 {
			t.line("  %s %s %7s %4d (%d)", report.Pad(s.Name, 32), report.Pad(dash(s.Prediction), 26), signed(s.Margin), s.Salient, s.Suspicious)
		}
	}
	if len(v.Others) > 0 {
		t.line("\nother candidates audited: margin, salient combinations (suspicious)")
	}
	for _, o := range v.Others {
		t.line("  %s %7s %4d (%d)", report.Pad(o.Name, 44), signed(o.Margin), o.Salient, o.Suspicious)
	}
	for _, source := range []struct{ id, name string }{{"batch", "the same prompts in other company"}, {"order", "other orders of the candidates"}} {
		var parts []string
		for _, n := range v.Record.Noise {
			if n.Source == source.id && n.DoF > 0 {
				what := "margin"
				if n.Order > 0 {
					what = fmt.Sprintf("order %d", n.Order)
				}
				parts = append(parts, what+" "+percuss.Num(math.Sqrt(n.Sum/float64(n.DoF))).Format(3))
			}
		}
		if len(parts) > 0 {
			t.line("\nnoise of this case, %s (standard deviation, nats): %s", source.name, strings.Join(parts, ", "))
		}
	}
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
