package prompt

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/percuss/percuss"
)

//go:embed cases.yaml
var casesYAML []byte

// Cases is a set of wordings for the evidence audit.
type Cases struct {
	Name        string
	Fingerprint string // hash of the file; a run keeps it
	// Placeholder stands for every candidate in a prompt without content, which shows how much a model likes each letter.
	Placeholder string
	// Unspecified stands for the value of a finding that is not told, where the wording has no line of its own for it.
	Unspecified string
	// Administrative are sentences of a record that are no evidence for any diagnosis; at least one.
	Administrative []string
	system         string
	wordings       map[string]caseWording
}

// caseWording are the parts of one wording.
type caseWording struct{ question, note, unit, unspecified, none *template.Template }

// casesFile is the file's form.
type casesFile struct {
	Name           string   `yaml:"name"`
	System         string   `yaml:"system"`
	Placeholder    string   `yaml:"placeholder"`
	Unspecified    string   `yaml:"unspecified"`
	Administrative []string `yaml:"administrative"`
	Wordings       map[string]struct {
		Question    string `yaml:"question"`
		Note        string `yaml:"note"`
		Unit        string `yaml:"unit"`
		Unspecified string `yaml:"unspecified"`
		None        string `yaml:"none"`
	} `yaml:"wordings"`
}

// DefaultCases returns the wordings that Percuss ships.
func DefaultCases() Cases {
	c, err := LoadCases(bytes.NewReader(casesYAML), "cases.yaml")
	if err != nil {
		panic("prompt: the embedded wordings of cases are broken: " + err.Error())
	}
	return c
}

// LoadCases reads a file of wordings. Unknown or missing fields are errors that name file and line.
func LoadCases(r io.Reader, name string) (Cases, error) {
	f, fingerprint, err := read[casesFile](r, name)
	if err != nil {
		return Cases{}, err
	}
	if len(f.Wordings) == 0 || f.System == "" {
		return Cases{}, fmt.Errorf("prompts %s: system and at least one of wordings are needed", name)
	}
	if f.Placeholder == "" || f.Unspecified == "" || len(f.Administrative) == 0 || slices.Contains(f.Administrative, "") {
		return Cases{}, fmt.Errorf("prompts %s: placeholder, unspecified and at least one administrative sentence are needed, none of them empty", name)
	}
	c := Cases{Name: f.Name, Fingerprint: fingerprint, Placeholder: f.Placeholder,
		Unspecified: f.Unspecified, Administrative: f.Administrative, system: strings.TrimSpace(f.System), wordings: map[string]caseWording{}}
	for _, w := range slices.Sorted(maps.Keys(f.Wordings)) {
		var parsed caseWording
		for _, part := range []struct {
			name, text string
			into       **template.Template
		}{{"question", f.Wordings[w].Question, &parsed.question}, {"note", f.Wordings[w].Note, &parsed.note}, {"unit", f.Wordings[w].Unit, &parsed.unit},
			{"unspecified", f.Wordings[w].Unspecified, &parsed.unspecified}, {"none", f.Wordings[w].None, &parsed.none}} {
			if part.text == "" {
				return Cases{}, fmt.Errorf("prompts %s: wordings.%s.%s is missing or empty", name, w, part.name)
			}
			if *part.into, err = template.New(part.name).Option("missingkey=error").Parse(strings.TrimSpace(part.text)); err != nil {
				return Cases{}, fmt.Errorf("prompts %s: wordings.%s.%s: %w", name, w, part.name, err)
			}
		}
		c.wordings[w] = parsed
		if _, err := c.Chat(w, Shown{Units: []percuss.Unit{{}, {}}, Hidden: 1, Neutralize: true}); err != nil {
			return Cases{}, fmt.Errorf("prompts %s: wordings.%s: %w", name, w, err)
		}
	}
	return c, nil
}

// Wordings lists the names of the wordings, sorted.
func (c Cases) Wordings() []string { return slices.Sorted(maps.Keys(c.wordings)) }

// Shown is what one prompt shows of a case.
type Shown struct {
	Facts      []string         // fixed, always shown
	Options    []percuss.Option // the candidates under their letters
	Units      []percuss.Unit   // the audited units, in order
	Hidden     uint64           // bit i set: unit i is hidden
	Neutralize bool             // hidden units stay, with their value not specified; else they leave the prompt
	// EvidenceFirst puts note and units before the candidates and the question, as a check of robustness.
	EvidenceFirst bool
}

// Chat returns the messages of a prompt. Prompts of one case that differ only in what is hidden share everything up to
// the first unit that differs.
func (c Cases) Chat(wording string, s Shown) ([]percuss.Message, error) {
	p, err := c.Prepare(wording, s)
	if err != nil {
		return nil, err
	}
	return p.Chat(s.Hidden), nil
}

// Prepared is a case whose parts are put into words already: its many prompts differ in what is hidden only.
type Prepared struct {
	system, question, note, none string
	units, unspecified           []string
	evidenceFirst                bool // the question comes last
	neutralize                   bool
}

// Prepare puts the parts of a case into words, once for all that may be hidden; s.Hidden is not looked at. An unknown
// wording is an error that lists those that there are.
func (c Cases) Prepare(wording string, s Shown) (Prepared, error) {
	w, ok := c.wordings[wording]
	if !ok {
		return Prepared{}, fmt.Errorf("no wording %q: there are %s", wording, strings.Join(c.Wordings(), ", "))
	}
	var failed error
	words := func(t *template.Template, data any) string {
		var b strings.Builder
		if err := t.Execute(&b, data); err != nil && failed == nil {
			failed = err
		}
		return strings.TrimRight(b.String(), "\n") // a loop leaves one
	}
	fixed := struct {
		Facts   []string
		Options []percuss.Option
	}{s.Facts, s.Options}
	p := Prepared{system: c.system, question: words(w.question, fixed), note: words(w.note, fixed), none: words(w.none, fixed), evidenceFirst: s.EvidenceFirst, neutralize: s.Neutralize}
	for _, u := range s.Units {
		p.units = append(p.units, words(w.unit, u))
		if s.Neutralize {
			p.unspecified = append(p.unspecified, words(w.unspecified, u))
		}
	}
	return p, failed
}

// Chat returns the messages of the prompt that hides some units: bit i set hides unit i.
func (p Prepared) Chat(hidden uint64) []percuss.Message {
	parts := make([]string, 0, len(p.units)+3)
	if !p.evidenceFirst {
		parts = append(parts, p.question+"\n")
	}
	parts = append(parts, p.note)
	first := len(parts)
	for i, unit := range p.units {
		switch {
		case hidden>>i&1 == 0:
			parts = append(parts, unit)
		case p.neutralize:
			parts = append(parts, p.unspecified[i])
		}
	}
	if len(parts) == first {
		parts = append(parts, p.none)
	}
	if p.evidenceFirst {
		parts = append(parts, "\n"+p.question)
	}
	return []percuss.Message{{Role: percuss.System, Content: p.system}, {Role: percuss.User, Content: strings.Join(parts, "\n")}}
}
