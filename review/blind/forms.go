package blind

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed forms/*.yaml
var forms embed.FS

// Form is what raters are asked and told, whatever the items.
type Form struct {
	Title        string     `json:"title" yaml:"title"`
	Instructions []string   `json:"instructions" yaml:"instructions"`
	Questions    []Question `json:"questions" yaml:"questions"`
	Practice     []Item     `json:"practice,omitempty" yaml:"practice"`
	// Attention items look like any other and have one answer that a rater who reads them gives: Expected, without Feedback.
	Attention []Item `json:"attention,omitempty" yaml:"attention"`
}

// Kinds lists the tasks that Percuss has a form for, in the order of its help.
func Kinds() []Kind {
	return []Kind{Perturbation, ChainUpdate, OperatorTags, Interactions, Steps}
}

// FormOf returns the form of a task.
func FormOf(k Kind) (Form, error) {
	if !slices.Contains(Kinds(), k) {
		return Form{}, fmt.Errorf("there is no task %q: there are %s", k, joined(Kinds()))
	}
	raw, err := forms.ReadFile("forms/" + string(k) + ".yaml")
	if err != nil {
		return Form{}, err
	}
	return ParseForm(string(k)+".yaml", raw)
}

// ParseForm reads a form from YAML, which may be the user's own; name is that of the file, for errors.
func ParseForm(name string, raw []byte) (Form, error) {
	var f Form
	if err := yaml.UnmarshalWithOptions(raw, &f, yaml.Strict()); err != nil {
		return f, fmt.Errorf("%s: %s", name, strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	if strings.TrimSpace(f.Title) == "" {
		return f, fmt.Errorf("%s: no title", name)
	}
	if err := CheckQuestions(f.Questions); err != nil {
		return f, fmt.Errorf("%s: %w", name, err)
	}
	p := Package{Questions: f.Questions}
	seen := map[string]bool{}
	for _, part := range []struct {
		name, purpose string
		items         []Item
	}{{"practice item", "it is there to give feedback", f.Practice}, {"attention item", "it is there to be compared with one", f.Attention}} {
		for i, item := range part.items {
			err := p.checkItem(item, seen)
			if err == nil && len(item.Expected) == 0 {
				err = fmt.Errorf("%s expects no answer: %s", item.ID, part.purpose)
			}
			if err == nil {
				err = p.CheckLabels(item, item.Expected)
			}
			if err != nil {
				return f, fmt.Errorf("%s: %s %d: %w", name, part.name, i+1, err)
			}
		}
	}
	return f, nil
}

func joined(kinds []Kind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return strings.Join(words, ", ")
}
