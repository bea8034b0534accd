package exchange

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// The fields of a task's data that say what it is.
const (
	dataItem    = "percuss_item"
	dataPackage = "percuss_package"
)

// task is a task of Label Studio, as its import and its export have it.
type task struct {
	Data        map[string]string `json:"data"`
	Annotations []annotation      `json:"annotations,omitempty"`
}

// annotation is what one user says of a task.
type annotation struct {
	By        person   `json:"completed_by"`
	Cancelled bool     `json:"was_cancelled"`
	Result    []result `json:"result"`
	Seconds   float64  `json:"lead_time"`
	Created   string   `json:"created_at"`
	Updated   string   `json:"updated_at"`
}

// person is a user: Label Studio's import looks them up by the address.
type person struct {
	Email string `json:"email"`
}

// result is one thing that was said: of the control of a name, in the way of its type.
type result struct {
	ID    string              `json:"id"`
	From  string              `json:"from_name"`
	To    string              `json:"to_name"`
	Type  string              `json:"type"`
	Value map[string][]string `json:"value"`
}

// The kinds of control, which are also the names of what they hold.
const (
	typeChoices = "choices"
	typeArea    = "textarea"
	valueText   = "text"
)

// flaggedYes is the only choice of the control of problems.
const flaggedYes = "yes"

// writeTasks writes tasks, with the answers as annotations.
func writeTasks(w io.Writer, p blind.Package, entries []ratings.Entry) error {
	columns, of := shown(p), byItem(entries)
	return writeArray(w, len(p.Items), func(i int) any {
		item := p.Items[i]
		t := task{Data: map[string]string{dataItem: item.ID, dataPackage: p.ID}}
		for _, c := range columns {
			t.Data[c.key] = c.text(item)
		}
		for _, e := range of[item.ID] {
			at := e.At.UTC().Format(time.RFC3339Nano)
			a := annotation{By: person{e.Rater}, Seconds: e.Seconds, Created: at, Updated: at, Result: []result{}}
			add := func(from, kind, value, text string) {
				a.Result = append(a.Result, result{fmt.Sprintf("%s-%d", item.ID, len(a.Result)+1), from, columns[0].key, kind, map[string][]string{value: {text}}})
			}
			for _, q := range p.Questions {
				if label := e.Labels[q.ID]; label != "" {
					add(q.ID, typeChoices, typeChoices, label)
				}
			}
			if e.Comment != "" {
				add(colComment, typeArea, valueText, e.Comment)
			}
			if e.Flagged {
				add(colFlagged, typeChoices, typeChoices, flaggedYes)
			}
			if e.Flag != "" {
				add(colFlag, typeArea, valueText, e.Flag)
			}
			t.Annotations = append(t.Annotations, a)
		}
		return t
	})
}

// byItem are entries by their items.
func byItem(entries []ratings.Entry) map[string][]ratings.Entry {
	out := map[string][]ratings.Entry{}
	for _, e := range entries {
		out[e.Item] = append(out[e.Item], e)
	}
	return out
}

// writeArray writes values as a JSON array, one a line.
func writeArray(w io.Writer, n int, of func(int) any) error {
	for i := range n {
		raw, err := readable(of(i))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s%s", []string{"[\n", ",\n"}[min(i, 1)], raw); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "\n]\n")
	return err
}

// configuration writes the tags of a labelling configuration.
type configuration struct{ b bytes.Buffer }

// tag writes a tag: its name, its attributes as names and values, and how it ends.
func (c *configuration) tag(indent int, end, name string, attributes ...string) {
	fmt.Fprintf(&c.b, "%s<%s", strings.Repeat("  ", indent), name)
	for i := 0; i < len(attributes); i += 2 {
		fmt.Fprintf(&c.b, ` %s="`, attributes[i])
		_ = xml.EscapeText(&c.b, []byte(attributes[i+1])) // a buffer takes everything
		c.b.WriteByte('"')
	}
	c.b.WriteString(end + "\n")
}

// writeConfiguration writes the labelling configuration of a project for the tasks.
func writeConfiguration(w io.Writer, p blind.Package) error {
	var c configuration
	columns := shown(p)
	c.tag(0, ">", "View")
	for _, s := range columns {
		c.tag(1, "/>", "Header", "value", literal(s.title))
		c.tag(1, "/>", "Text", "name", s.key, "value", "$"+s.key)
	}
	for i, q := range p.Questions {
		c.question(q, columns[0].key, i == 0, always(p, q))
	}
	for _, area := range []struct{ name, text string }{{colComment, "Comment"}, {colFlag, "What is wrong with the item itself, where something is"}} {
		c.tag(1, "/>", "Header", "value", area.text)
		c.tag(1, "/>", "TextArea", "name", area.name, "toName", columns[0].key, "maxSubmissions", "1", "editable", "true", "rows", "2")
	}
	c.tag(1, ">", "Choices", "name", colFlagged, "toName", columns[0].key, "choice", "multiple")
	c.tag(2, "/>", "Choice", "value", "There is a problem with this item", "alias", flaggedYes)
	c.tag(1, ">", "/Choices")
	c.tag(0, ">", "/View")
	_, err := w.Write(c.b.Bytes())
	return err
}

// question writes a question; the digits choose the labels of the first one.
func (c *configuration) question(q blind.Question, to string, first, required bool) {
	var view []string
	if q.When != nil {
		view = []string{"visibleWhen", "choice-selected", "whenTagName", q.When.Question, "whenChoiceValue", q.When.Label}
	}
	c.tag(1, ">", "View", view...)
	c.tag(2, "/>", "Header", "value", literal(joined(" ", q.Text, q.Help)))
	c.tag(2, ">", "Choices", "name", q.ID, "toName", to, "choice", "single-radio", "required", fmt.Sprint(required))
	for i, l := range q.Labels {
		choice := []string{"value", literal(l.Name), "alias", l.ID}
		if first {
			choice = append(choice, "hotkey", fmt.Sprint(i+1))
		}
		if l.Help != "" {
			choice = append(choice, "hint", literal(l.Help))
		}
		c.tag(3, "/>", "Choice", choice...)
	}
	c.tag(2, ">", "/Choices")
	c.tag(1, ">", "/View")
}

// always says whether a question must be answered whatever the item and the other answers.
func always(p blind.Package, q blind.Question) bool {
	if q.Optional || q.When != nil {
		return false
	}
	for _, item := range p.Items {
		if !asks(p, item, q.ID) {
			return false
		}
	}
	return true
}

// asks says whether a question without a condition is asked of an item.
func asks(p blind.Package, item blind.Item, id string) bool {
	for _, q := range p.Asked(item, nil) {
		if q.ID == id {
			return true
		}
	}
	return false
}

// literal keeps Label Studio from reading a sign in a text as the name of a field.
func literal(text string) string { return strings.ReplaceAll(text, "$", "$ ") }
