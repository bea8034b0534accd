package exchange

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/percuss/percuss/review/ratings"
)

// exported is a task as Label Studio exports it (JSON, not JSON_MIN).
type exported struct {
	ID          json.RawMessage            `json:"id"`
	Data        map[string]json.RawMessage `json:"data"`
	Annotations []exportedAnnotation       `json:"annotations"`
	Completions []exportedAnnotation       `json:"completions"`
	Drafts      []json.RawMessage          `json:"drafts"` // in full, or their numbers
}

type exportedAnnotation struct {
	ID        json.RawMessage  `json:"id"`
	By        json.RawMessage  `json:"completed_by"`
	Cancelled bool             `json:"was_cancelled"`
	Skipped   bool             `json:"skipped"`
	Result    []exportedResult `json:"result"`
	Seconds   *float64         `json:"lead_time"`
	Created   string           `json:"created_at"`
	Updated   string           `json:"updated_at"`
}

type exportedResult struct {
	From  string                     `json:"from_name"`
	Value map[string]json.RawMessage `json:"value"`
}

// task takes what the users of Label Studio said of a task.
func (g *gather) task(where string, raw []byte) error {
	var t exported
	if err := json.Unmarshal(raw, &t); err != nil {
		return fmt.Errorf("%s: no task as Label Studio exports it as JSON: %w", where, err)
	}
	if id, err := scalar(orNull(t.ID)); err == nil && id != "" {
		where += " (task " + id + ")"
	}
	item, err := scalar(orNull(t.Data[dataItem]))
	if err != nil || item == "" {
		return fmt.Errorf("%s: its data have no %s: it is no task that `percuss review export` made", where, dataItem)
	}
	of, err := scalar(orNull(t.Data[dataPackage]))
	if err != nil {
		return fmt.Errorf("%s: %s: %w", where, dataPackage, err)
	}
	if err := g.samePackage(where, of); err != nil {
		return err
	}
	all := append(t.Annotations, t.Completions...)
	g.unsent(t.Drafts, len(all))
	for i, a := range all {
		if a.Cancelled || a.Skipped {
			g.out.Passed["cancelled"]++
			continue
		}
		at := fmt.Sprintf("%s, annotation %d", where, i+1)
		e, err := a.entry(item)
		if err == nil {
			err = a.say(g, &e)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		if err := g.add(at, e); err != nil {
			return err
		}
	}
	return nil
}

// unsent counts the drafts of a task that nobody submitted; a draft of an annotation, or one of which only the number is there, may be of one that was.
func (g *gather) unsent(drafts []json.RawMessage, annotations int) {
	n := 0
	for _, raw := range drafts {
		var d map[string]json.RawMessage
		if json.Unmarshal(raw, &d) == nil && d != nil && string(orNull(d["annotation"])) == "null" {
			n++
		}
	}
	switch {
	case n > 0:
		g.out.Passed[draft] += n
	case annotations == 0:
		g.out.Passed[unanswered]++
	}
}

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// entry is an annotation without what it says.
func (a exportedAnnotation) entry(item string) (ratings.Entry, error) {
	e := ratings.Entry{Item: item, Labels: map[string]string{}}
	var err error
	if e.Rater, err = userOf(orNull(a.By)); err != nil {
		return e, err
	}
	if e.At, err = when(cmp.Or(a.Updated, a.Created)); err != nil {
		return e, err
	}
	if a.Seconds != nil {
		e.Seconds = *a.Seconds
	}
	return e, nil
}

// userOf is the user of an annotation: an address or name, else the number that Label Studio gave.
func userOf(raw json.RawMessage) (string, error) {
	if text, err := scalar(raw); err == nil {
		return strings.TrimSpace(text), nil
	}
	var user struct {
		ID                 json.RawMessage `json:"id"`
		Email              string          `json:"email"`
		First              string          `json:"first_name"`
		Last               string          `json:"last_name"`
		Username, Fullname string
	}
	if err := json.Unmarshal(raw, &user); err != nil {
		return "", fmt.Errorf("completed_by: neither a user nor a number: %w", err)
	}
	id, err := scalar(orNull(user.ID))
	if err != nil {
		return "", fmt.Errorf("completed_by: its id is %w", err)
	}
	return strings.TrimSpace(cmp.Or(user.Email, strings.TrimSpace(user.First+" "+user.Last), user.Username, id)), nil
}

// say enters the results of an annotation.
func (a exportedAnnotation) say(g *gather, e *ratings.Entry) error {
	for _, r := range a.Result {
		values, err := valuesOf(r.Value)
		if err != nil {
			return fmt.Errorf("%.80q: %w", r.From, err)
		}
		text := strings.Join(values, "\n")
		switch {
		case r.From == colComment:
			e.Comment = joined("\n", e.Comment, text)
		case r.From == colFlag:
			e.Flag = joined("\n", e.Flag, text)
		case r.From == colFlagged:
			e.Flagged = len(values) > 0
		case g.p.Question(r.From) == nil:
			return fmt.Errorf("%.80q is no question of the package, which asks %s: use the configuration that `percuss review export` wrote", r.From, g.questions())
		case len(values) != 1:
			return fmt.Errorf("%s has %d labels: one is wanted", r.From, len(values))
		case e.Labels[r.From] != "":
			return fmt.Errorf("%s is answered twice: leave one of the two", r.From)
		default:
			e.Labels[r.From] = text
		}
	}
	e.Flagged = e.Flagged || e.Flag != ""
	return nil
}

// valuesOf are the choices or texts of a result.
func valuesOf(value map[string]json.RawMessage) ([]string, error) {
	raw, ok := value[typeChoices]
	if !ok {
		raw, ok = value[valueText]
	}
	if !ok {
		return nil, fmt.Errorf("it holds neither %s nor a %s", typeChoices, valueText)
	}
	var many []string
	if json.Unmarshal(raw, &many) == nil {
		return many, nil
	}
	var one string
	if err := json.Unmarshal(raw, &one); err != nil {
		return nil, fmt.Errorf("its value is no list of texts: %w", err)
	}
	return []string{one}, nil
}
