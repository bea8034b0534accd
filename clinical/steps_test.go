package clinical

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func TestSteps(t *testing.T) {
	for name, want := range map[string][]string{
		"markers":            {"Step 1: look.\n", "Step 2: treat.\n"},
		"emphasis":           {"**Step 1:** look.\n\nmore\n\n", "**Step 2**: treat."},
		"headings":           {"### Step 1: Look\ntext\n\n", "### Step 2: Treat\ntext"},
		"full stop and dash": {"Step 1. Look\n", "Step 2 - Treat\n", "step 3 – Wait"},
		"spaces":             {"  Step 1: look\n", "\tStep 2: treat"},
		"preamble":           {"Let us see.\n\nStep 1: look.\n", "Step 2: treat."},
		"marker within":      {"Step 1: as step 2: shows, Step 3: is near.\n", "Step 2: treat."},
		"one marker":         {"Intro.\n\nStep 1: all of it.\n\nEnd."},
		"ordinary use":       {"Step 1 of the plan is rest.\n\n", "The dose is 2.5 mg."},
		"ten and more":       {"Step 9: a\n", "Step 10: b\n", "Step 11: c"},
		"blank lines":        {"First.\nStill first.\n\n", "Second.\n \n\n", "Third.\n\n"},
		"leading blank":      {"\n\nFirst.\n\n", "Second."},
		"one paragraph":      {"Only this."},
		"white space":        {" \n\n "},
		"crlf":               {"First.\r\n\r\n", "Second."},
		"decimal":            {"Step 1.5 mg is given.\n\n", "Next."},
	} {
		text := ""
		for _, w := range want {
			text += w
		}
		var got []string
		for _, s := range Steps(text) {
			got = append(got, s.In(text))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, want)
		}
	}
	if got := Steps(""); len(got) != 0 {
		t.Errorf("empty chain: %v", got)
	}
}

func TestStepMarker(t *testing.T) {
	text := "x\n**Step 12:** do"
	if end, ok := StepMarker(text, 2); !ok || text[2:end] != "**Step 12:" {
		t.Errorf("marker ends at %d, %v", end, ok)
	}
	for _, s := range []string{"Stepwise 1:", "Step:", "Steps 1:", "Step one:", "Step 1234:", "Step 1,", ""} {
		if _, ok := StepMarker(s, 0); ok {
			t.Errorf("%q is no marker", s)
		}
	}
}

func TestStepsTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText(t)
		tiles(t, text, Steps(text))
	})
}

// chains returns the replies of the medagents files with their options.
func chains(t testing.TB) (rows []agentRow) {
	for _, f := range agentFiles {
		rows = append(rows, agentRows(t, f)...)
	}
	return rows
}

func TestStepsOfChains(t *testing.T) {
	steps, multi := 0, 0
	rows := chains(t)
	for _, row := range rows {
		text := row.text()
		chain := text[:ReadAnswer(text, fromMap(row.Options), false).ChainEnd]
		spans := Steps(chain)
		tiles(t, chain, spans)
		steps += len(spans)
		if len(spans) > 1 {
			multi++
		}
	}
	t.Logf("%d chains, %d steps, %d chains of two steps or more", len(rows), steps, multi)
	if multi < len(rows)*3/4 {
		t.Errorf("only %d of %d chains have two steps or more", multi, len(rows))
	}
}

// someChains returns 1,000 replies, five of each seven that there are.
func someChains(b *testing.B) (rows []agentRow) {
	for i, row := range chains(b) {
		if i%7 < 5 {
			rows = append(rows, row)
		}
	}
	return rows
}

// BenchmarkReadAnswer reads the answers of 1,000 real replies.
func BenchmarkReadAnswer(b *testing.B) {
	rows := someChains(b)
	n, options := 0, make([]values, len(rows))
	for i, row := range rows {
		n += len(row.text())
		options[i] = fromMap(row.Options)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		for i := range rows {
			ReadAnswer(rows[i].Completion+rows[i].Raw, options[i], false)
		}
	}
	seconds := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(seconds, "s/set")
	b.ReportMetric(float64(len(rows))/seconds, "replies/s")
}

// BenchmarkSteps splits the same replies into steps.
func BenchmarkSteps(b *testing.B) {
	rows := someChains(b)
	n := 0
	for _, row := range rows {
		n += len(row.text())
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		for i := range rows {
			Steps(rows[i].Completion + rows[i].Raw)
		}
	}
}
