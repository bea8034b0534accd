package battery

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ids(b Battery) string {
	var out []string
	for _, o := range b.Operators {
		out = append(out, o.ID)
	}
	return strings.Join(out, " ")
}

const all30 = "F1-25 F1-50 F1-75 F2-a F2-b F2-c F3-a F3-b F3-c F4-a F4-b F5-a F5-b F6-a F6-b F7-a F7-b " +
	"M1-a M1-b M2-age-a M2-age-b M2-sex M3-a M3-b M4-a M4-b M5-a M5-b M6-a M6-b"

func TestParse(t *testing.T) {
	families := "F1-50 F2-a F3-a F4-a F5-a F6-a F7-a M1-a M2-age-a M3-a M4-a M5-a M6-a"
	for expression, want := range map[string]string{
		"paper":           all30,
		"paper+M2":        all30,
		"families":        families,
		"M2+F1":           "F1-25 F1-50 F1-75 M2-age-a M2-age-b M2-sex",
		"families+F1+M2":  "F1-25 F1-50 F1-75 F2-a F3-a F4-a F5-a F6-a F7-a M1-a M2-age-a M2-age-b M2-sex M3-a M4-a M5-a M6-a",
		"families+M2-sex": strings.Replace(families, "M2-age-a", "M2-age-a M2-sex", 1),
		"M5-b + families": strings.Replace(families, "M5-a", "M5-a M5-b", 1),
	} {
		b, err := Parse(expression)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if diff := cmp.Diff(want, ids(b)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", expression, diff)
		}
		if b.Expression != expression || len(b.Fingerprint) != 64 {
			t.Errorf("%s: expression %q, fingerprint %q", expression, b.Expression, b.Fingerprint)
		}
	}
	for expression, part := range map[string]string{
		"":            "empty part",
		"paper++F1":   "empty part",
		"papers":      `no "papers"; batteries: api, extended, families, paper; families and their variants: F1 (F1-25 F1-50 F1-75), F2`,
		"paper+F1-60": `no "F1-60"`,
		"families+M9": "M2 (M2-age-a M2-age-b M2-sex)",
		"f1":          "F1-25",
	} {
		if _, err := Parse(expression); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: error %v, want %q", expression, err, part)
		}
	}
}

// Intents and loci of the families (chain paper, section 3 and Table 1).
func TestTags(t *testing.T) {
	tags := map[string]string{
		"F1": "D Str", "F2": "D Str", "F3": "D Str", "F4": "P Sur", "F5": "D Str", "F6": "P Sur", "F7": "P Str",
		"M1": "D Str", "M2": "D Sur", "M3": "P Str", "M4": "D Sur", "M5": "D Sur", "M6": "P Sur",
	}
	b := mustParse(t, "paper")
	for _, o := range b.Operators {
		if got := string(o.Intent) + " " + string(o.Locus); got != tags[o.Family] || string(o.Block) != o.Family[:1] {
			t.Errorf("%s: %s %s, want %s", o.ID, o.Block, got, tags[o.Family])
		}
		if o.Title == "" || o.Does == "" || o.Source == "" || o.Version == "" || o.ID != o.Family+"-"+o.Variant {
			t.Errorf("incomplete: %+v", o)
		}
	}
	if got := strings.Join(b.Families(), " "); got != "F1 F2 F3 F4 F5 F6 F7 M1 M2 M3 M4 M5 M6" {
		t.Errorf("families %s", got)
	}
	if _, ok := b.Operator("M7-a"); ok {
		t.Error("there is no M7-a")
	}
}

func TestFingerprint(t *testing.T) {
	if a, b := mustParse(t, "paper"), mustParse(t, "F1+paper"); a.Fingerprint != b.Fingerprint {
		t.Error("equal batteries, unequal fingerprints")
	}
	if a, b := mustParse(t, "paper"), mustParse(t, "families"); a.Fingerprint == b.Fingerprint {
		t.Error("unequal batteries, equal fingerprints")
	}
	for change, same := range map[string]bool{
		"title: truncation|title: cutting":                 true, // wording is no content
		"version: F1/1|version: F1/2":                      false,
		"{find: mild, to: severe}|{find: mild, to: grave}": false,
		"intent: D|intent: P":                              false,
		"[-3, -1, 1, 2, 7]|[-3, -1, 1, 2, 8]":              false,
		"milder, mildest|mildest":                          false, // the rule of registration counts
	} {
		old, new, _ := strings.Cut(change, "|")
		text := strings.Replace(string(paper), old, new, 1)
		if text == string(paper) {
			t.Fatalf("%q is not in the file", old)
		}
		b, err := Load(strings.NewReader(text), "own.yaml", "paper")
		if err != nil {
			t.Fatalf("%s: %v", change, err)
		}
		if got := b.Fingerprint == mustParse(t, "paper").Fingerprint; got != same {
			t.Errorf("%s: same fingerprint %t, want %t", change, got, same)
		}
	}
}

func TestLoadAnotherWording(t *testing.T) {
	text := strings.Replace(string(paper), "works out two times a week", "jogs on Sundays", 1)
	b, err := Load(strings.NewReader(text), "own.yaml", "M3")
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for seed := range uint64(60) {
		found = found || strings.HasPrefix(b.Operators[0].Apply("Stem.", seed, "i").Text, "The patient jogs on Sundays. Stem.")
	}
	if !found {
		t.Error("the replaced sentence never came up")
	}
}

func TestLoadErrorsNameTheLine(t *testing.T) {
	const head = "operators:\n  - family: X\n    title: t\n    block: M\n    intent: D\n    locus: Sur\n    source: s\n    version: X/1\n"
	const tail = "    variants:\n      - {id: X-a, variant: a}\n"
	for name, c := range map[string]struct{ text, want string }{
		"unknown field":    {head + "    edit: delete\n    colour: red\n" + tail, "line 10: unknown field \"colour\""},
		"unknown edit":     {head + "    edit: swap\n" + tail, `line 11: operator X-a: edit "swap" is unknown; there are ablate, age`},
		"no table":         {head + "    edit: replace\n" + tail, `line 11: operator X-a: edit "replace" needs table`},
		"unused":           {head + "    edit: delete\n    keep: 20\n" + tail, `line 12: operator X-a: edit "delete" does not use keep; take it out`},
		"percentage":       {head + "    edit: truncate\n    keep: 100\n" + tail, "1 to 99"},
		"shift of nothing": {head + "    edit: substitute\n    shifts: [0]\n" + tail, "changes nothing"},
		"same word":        {head + "    edit: replace\n    table: [{find: a, to: A}]\n" + tail, "by itself"},
		"no word":          {head + "    edit: replace\n    table: [{find: \"-x\", to: y}]\n" + tail, "whole words"},
		"empty sentence":   {head + "    edit: prepend\n    sentences: [\" \"]\n" + tail, "empty sentence"},
		"bracket":          {head + "    edit: age\n    brackets: [{below: 3}]\n" + tail, "list of ages"},
		"avoids":           {head + "    edit: commute\n    words: 5\n    avoids: X-z\n" + tail, `line 13: operator X-a avoids "X-z"`},
		"twice":            {head + "    edit: delete\n" + tail + "      - {id: X-a, variant: b}\n", "line 12: operator \"X-a\" is described twice"},
		"plus":             {head + "    edit: delete\n    variants: [{id: X+a, variant: a}]\n", "neither spaces nor +"},
		"no variants":      {head + "    edit: delete\n", "line 2: no variants"},
		"tag":              {strings.Replace(head, "intent: D", "intent: Q", 1) + "    edit: delete\n" + tail, `line 2: intent is "Q"; write D`},
		"patterns": {head + "    edit: replace\n    table: [{find: a, to: b}]\n    registers: {patterns: [no], inflected: {b: [c]}}\n" + tail,
			`stand under "any"`},
		"battery":       {"batteries: {mine: [X, Y]}\n" + head + "    edit: delete\n" + tail, `battery mine: there is no "Y"`},
		"battery name":  {"batteries: {X: [X]}\n" + head + "    edit: delete\n" + tail, "choose another"},
		"empty":         {"batteries: {}\n", "no operators"},
		"not YAML":      {"operators: [", "line 1"},
		"type mismatch": {head + "    edit: truncate\n    keep: half\n" + tail, "line 10"},
	} {
		_, err := Load(strings.NewReader(c.text), "own.yaml", "X")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "own.yaml") {
			t.Errorf("%s: error %v, want %q after the file's name", name, err, c.want)
		}
	}
}

// What the report and the ledger keep of an edit is small and has stable names.
func TestEditAsJSON(t *testing.T) {
	got, err := json.Marshal(Edit{Fired: true, Why: "w", Text: "t", Old: "man", New: "woman", Tokens: []string{"woman"}})
	if want := `{"old":"man","new":"woman","tokens":["woman"]}`; err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}
