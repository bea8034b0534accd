package clinical

import (
	_ "embed" // the tables of names
	"fmt"
	"strings"
	"sync"
)

//go:embed leak_tables.txt
var leakTables string

// nameTables are the tables of leak_tables.txt, ready for looking up. They are never changed.
type nameTables struct {
	generic   map[string]bool   // folded words that name no diagnosis
	qualifier map[string]bool   // folded words of degree, course, side
	disease   map[string]bool   // folded words that diagnoses end in
	organ     map[string]bool   // nouns and adjectives of organs
	noun      map[string]string // adjective of an organ -> noun
	adjective map[string]string // noun -> adjective
	elsewhere map[string]bool   // initials with another usual meaning
	heads     map[string]string // last words that are used for each other
	irregular map[string]string // inflection -> base, folded
	spelling  map[string]string // British word -> American
	stems     *strings.Replacer // British stems
	synonyms  map[string][]string
}

// tables reads the embedded tables once.
var tables = sync.OnceValue(func() *nameTables {
	t, err := readTables(leakTables)
	if err != nil {
		panic("clinical: leak_tables.txt: " + err.Error())
	}
	return t
})

// readTables reads sections, each headed by its name in brackets, with one entry a line. Words are folded last, for
// folding itself needs the tables of spelling.
func readTables(text string) (*nameTables, error) {
	sections, err := readSections(text)
	if err != nil {
		return nil, err
	}
	t := &nameTables{generic: map[string]bool{}, qualifier: map[string]bool{}, disease: map[string]bool{}, organ: map[string]bool{},
		noun: map[string]string{}, adjective: map[string]string{}, elsewhere: map[string]bool{}, synonyms: map[string][]string{}}
	var pairs []string
	for from, to := range pairsOf(sections["stems"]) {
		pairs = append(pairs, from, to)
	}
	t.stems = strings.NewReplacer(pairs...)
	t.spelling, t.irregular = pairsOf(sections["spelling"]), pairsOf(sections["irregular"])
	t.heads = pairsOf(sections["heads"])
	for adjective, noun := range pairsOf(sections["organs"]) {
		t.noun[adjective], t.adjective[noun] = noun, adjective
		t.organ[t.fold(adjective)], t.organ[t.fold(noun)] = true, true
	}
	words := map[string]map[string]bool{"generic": t.generic, "qualifiers": t.qualifier, "disease": t.disease}
	for name, into := range words {
		for _, line := range sections[name] {
			for _, w := range strings.Fields(line) {
				into[t.fold(w)] = true
			}
		}
	}
	for _, a := range strings.Fields(strings.Join(sections["elsewhere"], " ")) {
		t.elsewhere[a] = true
	}
	t.readSynonyms(sections["synonyms"])
	return t, nil
}

func readSections(text string) (map[string][]string, error) {
	sections, name := map[string][]string{}, ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
		case name == "":
			return nil, fmt.Errorf("line %d stands before the first section; name one, e.g. [generic]", i+1)
		default:
			sections[name] = append(sections[name], line)
		}
	}
	return sections, nil
}

// pairsOf reads lines of the form "from to, from to".
func pairsOf(lines []string) map[string]string {
	pairs := map[string]string{}
	for _, p := range strings.Split(strings.Join(lines, ","), ",") {
		if from, to, ok := strings.Cut(strings.TrimSpace(p), " "); ok {
			pairs[from] = to
		}
	}
	return pairs
}

// readSynonyms makes every name of a line a synonym of every other; an acronym finds the names, but is not found by
// itself: "MS" of a diagnosis may be mitral stenosis.
func (t *nameTables) readSynonyms(lines []string) {
	for _, line := range lines {
		names := strings.Split(line, "|")
		for i := range names {
			names[i] = strings.TrimSpace(names[i])
		}
		for i, name := range names {
			if isAcronym(name) {
				continue
			}
			joined := ""
			for _, w := range rawTerms(name) {
				joined += t.fold(w)
			}
			t.synonyms[joined] = append(append([]string(nil), names[:i]...), names[i+1:]...)
		}
	}
}
