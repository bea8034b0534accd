package exchange

import (
	"encoding/json"
	"fmt"
)

// room collects what users say to one question after another.
type room struct {
	all []heard
	at  map[string]int // users' places in all
}

func newRoom() *room { return &room{at: map[string]int{}} }

// say enters a user's answer to a question.
func (r *room) say(question, user, status string, value json.RawMessage) error {
	at, ok := r.at[user]
	if !ok {
		at = len(r.all)
		r.at[user] = at
		r.all = append(r.all, heard{user: user, status: status, values: map[string]string{}})
	}
	h := &r.all[at]
	if _, ok := h.values[question]; ok {
		return fmt.Errorf("user %.80q answers %.80q twice", user, question)
	}
	if h.status != status {
		return fmt.Errorf("user %.80q has answers of status %q and %q to one record", user, h.status, status)
	}
	text, err := scalar(orNull(value))
	if err != nil {
		return fmt.Errorf("%.80q is %w", question, err)
	}
	h.values[question] = text
	return nil
}
