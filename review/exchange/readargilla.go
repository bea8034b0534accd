package exchange

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/percuss/percuss/review/ratings"
)

// The endings of the names under which flat records have what was said to a question.
const (
	flatResponses = ".responses"
	flatUsers     = ".responses.users"
	flatStatus    = ".responses.status"
)

// isResponses says whether a member of a record, by its name, is what was said to a question.
func isResponses(name string) bool { return strings.HasSuffix(name, flatResponses) }

// untold is a note on files that do not have the status of a response.
const untold = "the file does not say which answers are drafts, so all count: records exported flat (flatten=True) say it"

// heard is what one user of Argilla says of a record.
type heard struct {
	user, status string
	values       map[string]string
	at           time.Time
}

// record takes a record of Argilla, in one of three forms: a list of what each user says (1.x, and the service's own), what is said to each
// question, or flat.
func (g *gather) record(where string, object map[string]json.RawMessage) error {
	item, err := firstOf(object, "external_id", colID)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	of, err := packageOf(object)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	if err := g.samePackage(where, of); err != nil {
		return err
	}
	all, err := listened(object)
	if err != nil {
		return fmt.Errorf("%s: no record as Argilla exports it: %w", where, err)
	}
	if len(all) == 0 {
		g.out.Passed[unanswered]++
	}
	for _, h := range all {
		switch h.status {
		case draft, discarded:
			g.out.Passed[h.status]++
			continue
		case submitted:
		case "":
			if len(g.out.Notes) == 0 {
				g.out.Notes = append(g.out.Notes, untold)
			}
		default:
			return fmt.Errorf("%s: a response's status is %.80q: %s, %s or %s", where, h.status, submitted, draft, discarded)
		}
		e, err := g.entryOf(item, h)
		if err != nil {
			return fmt.Errorf("%s: %w", where, err)
		}
		if err := g.add(where, e); err != nil {
			return err
		}
	}
	return nil
}

// entryOf makes an entry of what a user says.
func (g *gather) entryOf(item string, h heard) (ratings.Entry, error) {
	e := ratings.Entry{Rater: h.user, Item: item, Labels: map[string]string{}, At: h.at}
	said := ""
	for name, text := range h.values {
		switch id, ok := g.asks[name]; {
		case name == colComment:
			e.Comment = text
		case name == colFlag:
			e.Flag = text
		case name == colFlagged:
			said = text
		case !ok:
			return e, fmt.Errorf("%.80q is no question of the package, which asks %s: use the settings that `percuss review export` wrote", name, g.questions())
		default:
			e.Labels[id] = text
		}
	}
	var err error
	e.Flagged, err = truth(said, e.Flag != "")
	return e, err
}

// firstOf is the first of the members that there is.
func firstOf(object map[string]json.RawMessage, names ...string) (string, error) {
	for _, name := range names {
		text, err := scalar(orNull(object[name]))
		if err != nil {
			return "", fmt.Errorf("%.80q is %w", name, err)
		}
		if text != "" {
			return text, nil
		}
	}
	return "", nil
}

// packageOf is the package that a record says it is of; flat records have it beside the fields.
func packageOf(object map[string]json.RawMessage) (string, error) {
	if raw, ok := object["metadata"]; ok {
		var metadata map[string]json.RawMessage
		if err := json.Unmarshal(raw, &metadata); err != nil {
			return "", fmt.Errorf("its metadata are no object: %w", err)
		}
		return firstOf(metadata, colPackage)
	}
	return firstOf(object, colPackage)
}

// listened finds out who said what.
func listened(object map[string]json.RawMessage) ([]heard, error) {
	raw, ok := object["responses"]
	if !ok {
		return flat(object)
	}
	if text := strings.TrimSpace(string(raw)); strings.HasPrefix(text, "[") {
		return byUser(raw)
	}
	return byQuestion(raw)
}

// byUser reads a list of what each user says.
func byUser(raw json.RawMessage) ([]heard, error) {
	var list []struct {
		User    *string           `json:"user_id"`
		Status  string            `json:"status"`
		Updated string            `json:"updated_at"`
		Created string            `json:"inserted_at"`
		Values  map[string]valued `json:"values"`
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, err
	}
	var out []heard
	for _, r := range list {
		h := heard{status: r.Status, values: map[string]string{}}
		if r.User != nil {
			h.user = *r.User
		}
		var err error
		if h.at, err = when(r.Updated); err == nil && h.at.IsZero() {
			h.at, err = when(r.Created)
		}
		if err != nil {
			return nil, err
		}
		for name, v := range r.Values {
			if h.values[name], err = scalar(orNull(v.Value)); err != nil {
				return nil, fmt.Errorf("%.80q is %w", name, err)
			}
		}
		out = append(out, h)
	}
	return out, nil
}

// valued is the value of a response.
type valued struct {
	Value json.RawMessage `json:"value"`
}

// byQuestion reads what is said to each question, a list by name.
func byQuestion(raw json.RawMessage) ([]heard, error) {
	var lists map[string][]struct {
		Value  json.RawMessage `json:"value"`
		User   string          `json:"user_id"`
		Status string          `json:"status"`
	}
	if err := json.Unmarshal(raw, &lists); err != nil {
		return nil, err
	}
	room := newRoom()
	for name, list := range lists {
		for _, r := range list {
			if err := room.say(name, r.User, r.Status, r.Value); err != nil {
				return nil, err
			}
		}
	}
	return room.all, nil
}

// flat reads lists of values, users and status beside each other.
func flat(object map[string]json.RawMessage) ([]heard, error) {
	room := newRoom()
	for key, raw := range object {
		name, ok := strings.CutSuffix(key, flatResponses)
		if !ok {
			continue
		}
		var values []json.RawMessage
		var users, status []*string
		for _, part := range []struct {
			raw  json.RawMessage
			into any
		}{{raw, &values}, {object[name+flatUsers], &users}, {object[name+flatStatus], &status}} {
			if err := json.Unmarshal(orNull(part.raw), part.into); err != nil {
				return nil, fmt.Errorf("%.80q: %w", key, err)
			}
		}
		if len(users) != len(values) || len(status) != 0 && len(status) != len(values) {
			return nil, fmt.Errorf("%.80q: %d values, %d users and %d status", key, len(values), len(users), len(status))
		}
		for i, v := range values {
			user, state := "", ""
			if users[i] != nil {
				user = *users[i]
			}
			if len(status) > 0 && status[i] != nil {
				state = *status[i]
			}
			if err := room.say(name, user, state, v); err != nil {
				return nil, err
			}
		}
	}
	return room.all, nil
}
