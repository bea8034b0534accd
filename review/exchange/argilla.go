package exchange

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// record is a record of Argilla, as its client writes and reads them.
type record struct {
	ID          string                `json:"id"`
	Fields      map[string]string     `json:"fields"`
	Metadata    map[string]string     `json:"metadata"`
	Suggestions struct{}              `json:"suggestions"`
	Responses   map[string][]response `json:"responses"`
	Vectors     struct{}              `json:"vectors"`
}

// response is what one user says to a question. Argilla's own export has no status in this form, and takes one.
type response struct {
	Value  string `json:"value"`
	User   string `json:"user_id"`
	Status string `json:"status"`
}

// The status of a response.
const (
	submitted = "submitted"
	draft     = "draft"
	discarded = "discarded"
)

// argillaName is what Argilla's server takes as a name.
var argillaName = regexp.MustCompile(`^[a-z0-9_-]*[a-z0-9][a-z0-9_-]*$`)

// askNames are the names of the questions in Argilla, by id: the id itself where it may be one.
func askNames(p blind.Package) map[string]string {
	taken, out := newHeader(p), map[string]string{}
	for i, q := range p.Questions {
		out[q.ID] = q.ID
		if !argillaName.MatchString(q.ID) {
			out[q.ID] = taken.free(fmt.Sprintf("question_%d", i+1))
		}
	}
	return out
}

// writeRecords writes records, with the answers as responses whose users are the raters' names.
func writeRecords(w io.Writer, p blind.Package, entries []ratings.Entry) error {
	columns, names, of := shown(p), askNames(p), byItem(entries)
	return writeArray(w, len(p.Items), func(i int) any {
		item := p.Items[i]
		r := record{ID: item.ID, Fields: map[string]string{}, Metadata: map[string]string{colPackage: p.ID}, Responses: map[string][]response{}}
		for _, c := range columns {
			if text := c.text(item); text != "" || c.key == columns[0].key {
				r.Fields[c.key] = text
			}
		}
		for _, e := range of[item.ID] {
			add := func(name, value string) {
				if value != "" {
					r.Responses[name] = append(r.Responses[name], response{value, e.Rater, submitted})
				}
			}
			for _, q := range p.Questions {
				add(names[q.ID], e.Labels[q.ID])
			}
			add(colComment, e.Comment)
			add(colFlag, e.Flag)
			if e.Flagged {
				add(colFlagged, flaggedYes)
			}
		}
		return r
	})
}

// The settings of a dataset of Argilla.
type (
	settings struct {
		Guidelines string    `json:"guidelines"`
		Questions  []setting `json:"questions"`
		Fields     []setting `json:"fields"`
		Vectors    []setting `json:"vectors"`
		Metadata   []setting `json:"metadata"`
		Extra      bool      `json:"allow_extra_metadata"`
	}
	setting struct {
		Name        string         `json:"name"`
		Title       string         `json:"title"`
		Description *string        `json:"description,omitempty"`
		Required    bool           `json:"required"`
		Settings    map[string]any `json:"settings"`
	}
)

// writeSettings writes the settings of a dataset for the records.
func writeSettings(w io.Writer, p blind.Package) error {
	s := settings{Guidelines: short(joined("\n\n", append([]string{p.Title}, p.Instructions...)...), 10_000), Vectors: []setting{}, Metadata: []setting{}, Extra: true}
	for i, c := range shown(p) {
		s.Fields = append(s.Fields, setting{Name: c.key, Title: short(c.title, 500), Required: i == 0, Settings: map[string]any{"type": "text", "use_markdown": false}})
	}
	names := askNames(p)
	required := false // a dataset must have one question that is: where none is asked of every item, that for problems
	for _, q := range p.Questions {
		labels := map[string]any{"type": "label_selection", "options": options(q), "visible_options": nil}
		if len(q.Labels) > 2 {
			labels["visible_options"] = len(q.Labels)
		}
		about := short(guideOf(q), 1000)
		s.Questions = append(s.Questions, setting{names[q.ID], short(q.Text, 500), &about, always(p, q), labels})
		required = required || always(p, q)
	}
	text := map[string]any{"type": "text", "use_markdown": false}
	s.Questions = append(s.Questions, setting{colComment, "Comment", nil, false, text}, setting{colFlag, "What is wrong with the item itself, where something is", nil, false, text},
		setting{colFlagged, "Is there a problem with this item?", nil, !required, map[string]any{"type": "label_selection",
			"options": []map[string]string{{"value": flaggedYes, "text": "There is"}, {"value": "no", "text": "There is not"}}, "visible_options": nil}})
	raw, err := readable(s)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", raw)
	return err
}

// options are the labels of a question.
func options(q blind.Question) []map[string]string {
	var out []map[string]string
	for _, l := range q.Labels {
		out = append(out, map[string]string{"value": l.ID, "text": strings.TrimSpace(l.Name)})
	}
	return out
}

// short is a text of at most the length that Argilla's server takes, in signs.
func short(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
