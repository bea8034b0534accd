package review

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestReadAppropriate(t *testing.T) {
	want := map[string]bool{"ddxplus:1\tE_53": true, "ddxplus:1\tE_91": true, "ddxplus:2\tE_53": true}
	prints := map[string]bool{}
	for name, text := range map[string]string{
		"a.csv":    "item,family\nddxplus:1,E_53\nddxplus:1,E_91\nddxplus:2,E_53\n",
		"b.tsv":    "Family\tnote\tItem\nE_91\tx, y\tddxplus:1\n\nE_53\t\t ddxplus:2\nE_53\t\tddxplus:1\n\t\t\n",
		"c.jsonl":  "{\"item\":\"ddxplus:1\",\"family\":\"E_53\"}\n{\"item\":\"ddxplus:1\",\"family\":\"E_91\",\"by\":3}\n{\"item\":\"ddxplus:2\",\"family\":\"E_53\"}",
		"d.NDJSON": "{\"family\":\"E_53\",\"item\":\"ddxplus:2\"}\n\n{\"item\":\"ddxplus:1\",\"family\":\"E_91\"}\n{\"item\":\"ddxplus:1\",\"family\":\"E_53\"}",
	} {
		got, print, err := ReadAppropriate(file(t, t.TempDir(), name, text))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		prints[print] = true
	}
	if len(prints) != 1 || prints[""] {
		t.Errorf("the same families have the fingerprints %v", prints)
	}
	if _, print, err := ReadAppropriate(file(t, t.TempDir(), "a.csv", "item,family\nddxplus:1,E_53\n")); err != nil || prints[print] {
		t.Errorf("other families have the same fingerprint, %v", err)
	}
}

func TestReadAppropriateRefuses(t *testing.T) {
	for _, c := range []struct{ name, file, text, say string }{
		{"empty", "a.csv", "", "no row"},
		{"names of columns alone", "a.csv", "item,family\n", "no row"},
		{"no names of columns", "a.csv", "ddxplus:1,E_53\nddxplus:1,E_54\n", `no column "item"`},
		{"no family", "a.csv", "item,family\nx,y\nddxplus:1,\n", "line 3: no family"},
		{"no item", "a.csv", "item,family\n,E_53\n", "line 2: no item"},
		{"twice", "a.csv", "item,family\nx,y\nx,z\nx,y\n", "line 4: family y of x is in line 2 already"},
		{"a list", "a.jsonl", `["x","y"]`, "line 1: not one JSON object"},
		{"a list in a field", "a.jsonl", `{"item":"x","family":["y"]}`, `line 1: family is ["y"]: put it between quote signs`},
		{"no field", "a.jsonl", `{"item":"x"}`, `line 1: no field "family"`},
		{"another format", "a.yaml", "x: y", "neither in .csv nor in .jsonl"},
	} {
		path := file(t, t.TempDir(), c.file, c.text)
		if got, _, err := ReadAppropriate(path); err == nil || got != nil || !strings.Contains(err.Error(), c.say) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
	if _, _, err := ReadAppropriate(filepath.Join(t.TempDir(), "gone.csv")); err == nil || !strings.Contains(err.Error(), "gone.csv") {
		t.Errorf("%v", err)
	}
}
