package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-yaml"
)

// file is an audit specification as it is written: what a flag can say, for several models, sets and prompt
// conditions at once.
type file struct {
	Version int         `yaml:"version"`
	Seed    *uint64     `yaml:"seed"`
	Models  []fileModel `yaml:"models"`
	Data    []fileData  `yaml:"data"`
	Audits  struct {
		Chain    *fileChain    `yaml:"chain"`
		Evidence *fileEvidence `yaml:"evidence"`
		Steps    *fileSteps    `yaml:"steps"`
	} `yaml:"audits"`
	Judge  any        `yaml:"judge"` // in no specification, but asked for: see errNoJudgeHere
	Limits fileLimits `yaml:"limits"`
	Price  filePrice  `yaml:"price"`
}

type fileModel struct {
	ID           string     `yaml:"id"`
	Model        string     `yaml:"model"`
	Role         string     `yaml:"role"`
	Tier         string     `yaml:"tier"`
	Family       string     `yaml:"family"`
	Params       string     `yaml:"params"`
	SystemPrompt string     `yaml:"system_prompt"`
	Prompts      []string   `yaml:"prompts"`
	Price        *filePrice `yaml:"price"`
	Limits       *fileRate  `yaml:"limits"`
	Pair         string     `yaml:"pair"`
	Quality      *struct {
		Sensitivity float64 `yaml:"sensitivity"`
		Specificity float64 `yaml:"specificity"`
		Positives   int     `yaml:"positives"`
		Negatives   int     `yaml:"negatives"`
	} `yaml:"quality"`
}

type fileData struct {
	Data string `yaml:"data"`
	N    *int   `yaml:"n"`
	All  bool   `yaml:"all"`
}

type fileLimits struct {
	Attempts  int      `yaml:"attempts"`
	FailShare float64  `yaml:"fail_share"`
	Rate      fileRate `yaml:",inline"`
}

type fileRate struct {
	RequestsPerMinute int `yaml:"requests_per_minute"`
	TokensPerMinute   int `yaml:"tokens_per_minute"`
}

type filePrice struct {
	Currency string  `yaml:"currency"`
	Prompt   float64 `yaml:"prompt"`
	Output   float64 `yaml:"output"`
}

// Read reads an audit specification. An unknown field, a wrong type and an impossible combination are errors that
// name file and line. The result has its defaults and has been checked.
func Read(r io.Reader, name string) (Specification, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return Specification{}, fmt.Errorf("%s: %w", name, err)
	}
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(raw)) == 0 {
		return Specification{}, fmt.Errorf("%s is empty: it needs version, models, data and audits", name)
	}
	var f file
	if err := yaml.UnmarshalWithOptions(raw, &f, yaml.Strict()); err != nil {
		return Specification{}, fmt.Errorf("%s: %s%s", name, strings.TrimSpace(yaml.FormatError(err, false, true)), shape(err))
	}
	s := f.specification().WithDefaults()
	problems := append(f.problems(), s.problems()...)
	var errs []error
	for _, p := range problems {
		errs = append(errs, fmt.Errorf("%s:%d: %w", name, Line(raw, p.path), p.err))
	}
	return s, errors.Join(errs...)
}

// shape says how a file is written, where it holds a name in the place of an entry with fields.
func shape(err error) string {
	if !strings.Contains(err.Error(), "where mapping is expected") {
		return ""
	}
	return "\nmodels and data are lists of entries, as in models: [{model: \"sim:faithful\"}], data: [{data: demo, n: 20}], audits: {chain: {}}"
}

// problems lists what is wrong with what the file says and the resolved specification cannot show.
func (f file) problems() (out []problem) {
	add := func(path, format string, args ...any) { out = append(out, problem{path, fmt.Errorf(format, args...)}) }
	if f.Version != Version {
		add("$.version", "version %d: this binary reads version: %d", f.Version, Version)
	}
	if f.Judge != nil {
		out = append(out, problem{"$.judge", errNoJudgeHere})
	}
	for i, d := range f.Data {
		if d.All && d.N != nil {
			add(fmt.Sprintf("$.data[%d]", i), "n and all: give one of them")
		} else if d.N != nil && *d.N < 1 {
			add(fmt.Sprintf("$.data[%d].n", i), "n: %d: at least 1, or all: true", *d.N)
		}
	}
	if c := f.Audits.Chain; c != nil {
		out = append(out, c.problems()...)
	}
	return out
}

// specification fills in what the file says.
func (f file) specification() Specification {
	s := Specification{Version: f.Version, Seed: DefaultSeed, Limits: Limits{Attempts: f.Limits.Attempts, FailShare: f.Limits.FailShare, Rate: Rate(f.Limits.Rate)}}
	if f.Seed != nil {
		s.Seed = *f.Seed
	}
	for _, m := range f.Models {
		price := f.Price
		if m.Price != nil {
			price = *m.Price
			if price.Currency == "" {
				price.Currency = f.Price.Currency
			}
		}
		s.Models = append(s.Models, Model{ID: m.ID, Model: m.Model, Role: m.Role, Tier: m.Tier, Family: m.Family, Params: m.Params,
			SystemPrompt: m.SystemPrompt, Prompts: m.Prompts, Price: Price(price).orNil(), Limits: (*Rate)(m.Limits), Pair: m.Pair, Quality: (*Quality)(m.Quality)})
	}
	for _, d := range f.Data {
		n := DefaultN
		if d.N != nil {
			n = *d.N
		}
		if d.All {
			n = 0
		}
		s.Data = append(s.Data, Data{Data: d.Data, N: n})
	}
	if c := f.Audits.Chain; c != nil {
		chain := c.chain()
		s.Chain = &chain
	}
	if e := f.Audits.Evidence; e != nil {
		evidence := e.evidence()
		s.Evidence = &evidence
	}
	if st := f.Audits.Steps; st != nil {
		steps := st.steps()
		s.Steps = &steps
	}
	return s
}

// Line finds the line of a path such as $.models[1].model in a specification, or of the nearest thing above it that is
// there.
func Line(raw []byte, path string) int {
	for path != "" && path != "$" {
		if p, err := yaml.PathString(path); err == nil {
			if node, err := p.ReadNode(bytes.NewReader(raw)); err == nil && node != nil && node.GetToken() != nil {
				return node.GetToken().Position.Line
			}
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return 1
}
