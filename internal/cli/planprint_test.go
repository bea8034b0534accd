package cli

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := thousands(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

// TestPlanTotal: the sum counts a judge's requests and not its subjects, which are those of the others; a cost of all is
// there where every model has a price in one currency.
func TestPlanTotal(t *testing.T) {
	row := func(model, role, currency string, cost percuss.Number) planned {
		return planned{Model: model, Role: role, Subjects: 800, Known: 1, Sure: 600, Later: 700, PromptTokens: 1000, OutputTokens: 10, Cost: cost, Currency: currency}
	}
	priced := []planned{row("a", "", "USD", percuss.Num(1.5)), row("j", "judge", "USD", percuss.Num(2))}
	got := totalOf(priced)
	if got.Subjects != 800 || got.Known != 2 || got.Sure != 1200 || got.Later != 1400 || got.PromptTokens != 2000 || got.OutputTokens != 20 || costWords(got) != "3.50 USD" {
		t.Errorf("%+v, %s", got, costWords(got))
	}
	for name, other := range map[string]planned{"no price": row("b", "", "", percuss.Number{}), "another currency": row("b", "", "EUR", percuss.Num(1))} {
		if sum := totalOf([]planned{priced[0], other}); sum.Cost.OK() {
			t.Errorf("%s: the sum costs %s", name, costWords(sum))
		}
	}
	for want, rows := range map[string][]planned{"total": priced, "No price was given: --price-prompt": {row("b", "", "", percuss.Number{})}} {
		var b strings.Builder
		if err := writePlan(&b, rows, 0); err != nil || !strings.Contains(b.String(), want) || strings.Contains(b.String(), "total") != (len(rows) > 1) {
			t.Errorf("%v\n%s", err, b.String())
		}
	}
}

// TestMissingArguments: what was left out is told with what to write.
func TestMissingArguments(t *testing.T) {
	for want, args := range map[string][]string{
		"percuss plan takes a specification, percuss plan AUDIT.yaml, or flags":             {"plan"},
		"none.yaml: there is no such file; it is the specification of a run":                {"run", "none.yaml"},
		"other.yaml: there is no such file; it is the specification of a run, w":            {"plan", "other.yaml"},
		"/none.csv: no such file or directory: name a file that is there\n":                 {"chain", "-m", "sim:faithful", "-d", "custom:/none.csv", "-o", t.TempDir()},
		"none.jsonl: no such file or directory: name a file that is there; a path begins":   {"evidence", "-m", "sim:additive", "-d", "custom:none.jsonl", "-o", t.TempDir()},
		"/none.jsonl: no such file or directory: name a file that is there, or the set":     {"chain", "-m", "sim:faithful", "-d", "medqa:/none.jsonl", "-o", t.TempDir()},
		"own.csv: no such file or directory: name a file that is there; a path begins":      {"data", "check", "custom:own.csv"},
		"/none.yaml: no such file or directory: name a file that is there, or leave it out": {"chain", "-m", "sim:faithful", "-d", "demo", "--prompts", "/none.yaml", "-o", t.TempDir()},
	} {
		if status, _, errs := command(t, args...); status != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d: %s", args, status, errs)
		}
	}
}
