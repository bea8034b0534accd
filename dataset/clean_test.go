package dataset

import "testing"

func TestClean(t *testing.T) {
	options := map[string]string{
		" 1 month \t":            "1 month",
		"Age\n\"":                "Age",
		`"""Tell me more."""`:    `"Tell me more."`,
		`"I am late."`:           `"I am late."`,
		`without the word "no"`:  `without the word "no"`,
		"two\r\n  lines":         "two lines",
		"\ufefftext\u200b\u00a0": "text",
		`"`:                      "",
	}
	for in, want := range options {
		if got := CleanOption(in); got != want {
			t.Errorf("option %q: got %q, want %q", in, got, want)
		}
	}
	if got := cleanStem(" Labs:\nNa 140\nWhich one?\"\n "); got != "Labs:\nNa 140\nWhich one?" {
		t.Errorf("stem: got %q", got)
	}
	if got := cleanStem(`She says "no."`); got != `She says "no."` {
		t.Errorf("stem: got %q", got)
	}
}
