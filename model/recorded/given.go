package recorded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/foreign"
	"github.com/percuss/percuss/model"
)

// The kinds of fault of a foreign log, beside NotRecorded for a question that it has no reply to.
const (
	// NotAvailable: the request is none for the answer to a question as it stands. A log cannot be asked.
	NotAvailable = "not_available"
	// Unclear: several questions of the log could be meant, or its options are others than those shown.
	Unclear = "unclear"
)

// Choice says which replies of a log are meant.
type Choice struct {
	Model    string // the model, by the log's name for it; may be empty where there is one
	Trigger  string // the sentence that asked for reasoning; may be empty where there is one; All: every one
	Requests string // the file of the requests that an OpenAI batch was made of; may be empty
}

// All, as the trigger of a Choice, takes the replies to every trigger, and those of every row with the same question, in their
// order in the log.
const All = "all"

// Log is a model that gives the replies of a foreign log: those to each question, as it was asked by another program. The
// first is given to a request, the next to its repetition (Replicate 1) and so on, whatever the sampling. It can be asked
// nothing else.
type Log struct {
	file    string
	can     percuss.Capabilities
	entries []entry
	byGram  map[uint64][]int32 // runs of three words -> entries that have them
	brief   []int              // entries with a stem of one or two words
	byID    map[string]int     // what the log calls a question -> entry, for logs without questions
	closed  atomic.Bool
	lacking atomic.Int64 // questions that were asked for and not found
}

var _ model.Model = (*Log)(nil)

// entry is a question of the log with the replies that were chosen; there is at least one.
type entry struct {
	foreign.Entry
	answers []percuss.Answer
	words   string // of the stem, behind and before a space
	grams   int
}

// OpenLog reads a foreign log and chooses its replies.
func OpenLog(path string, c Choice) (*Log, error) {
	log, err := foreign.Read(path, c.Requests)
	if errors.Is(err, foreign.ErrUnknown) {
		return nil, fmt.Errorf("recorded answers: no export of answers (`percuss store export`), and %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("recorded answers: %w", err)
	}
	if err := c.settle(log); err != nil {
		return nil, fmt.Errorf("recorded answers: %s: %w", path, err)
	}
	m := &Log{file: path, byGram: map[uint64][]int32{}, byID: map[string]int{}}
	for _, e := range log.Entries {
		var chosen []percuss.Answer
		for _, r := range e.Replies {
			if r.Model == c.Model && (r.Trigger == c.Trigger || c.Trigger == All) {
				chosen = append(chosen, r.Answer)
			}
		}
		if len(chosen) == 0 {
			continue
		}
		if at, ok := m.same(e); ok && c.Trigger == All {
			m.entries[at].answers = append(m.entries[at].answers, chosen...)
			continue
		}
		m.add(e, chosen)
	}
	m.can = percuss.Capabilities{Identity: c.identity(log), Text: true, Given: true, SystemRole: true, Template: "none", Engine: log.Format}
	return m, nil
}

// same is the entry with the same question, where there is one: a file of chains may have a row for each.
func (m *Log) same(e foreign.Entry) (int, bool) {
	if at, ok := m.byID[e.ID]; ok && e.ID != "" {
		return at, true
	}
	words := " " + plain(e.Stem) + " "
	at := slices.IndexFunc(m.entries, func(old entry) bool { return old.words == words && slices.Equal(old.Options, e.Options) })
	return at, at >= 0
}

// identity names the file by its content, for its replies are the model, and the choice within it.
func (c Choice) identity(log *foreign.Log) string {
	id := "recorded:" + log.File + "#" + log.SHA256[:8]
	for _, p := range [...][2]string{{"model", c.Model}, {"trigger", c.Trigger}} {
		if p[1] != "" {
			id += "&" + p[0] + "=" + p[1]
		}
	}
	return strings.Replace(id, "&", "?", 1)
}

// settle fills in what need not be said, and refuses what the log does not have.
func (c *Choice) settle(log *foreign.Log) error {
	var models, triggers []string
	for _, e := range log.Entries {
		for _, r := range e.Replies {
			models, triggers = append(models, r.Model), append(triggers, r.Trigger)
		}
	}
	if len(models) == 0 {
		return errors.New("it holds no reply")
	}
	var err error
	if c.Model, err = one("model", c.Model, models); err != nil {
		return err
	}
	if c.Trigger == All {
		return nil
	}
	c.Trigger, err = one("trigger", c.Trigger, triggers)
	return err
}

// one is the value that was asked for, or the only one there is.
func one(name, want string, all []string) (string, error) {
	slices.Sort(all)
	all = slices.Compact(all)
	quoted := make([]string, min(len(all), 8))
	for i := range quoted {
		quoted[i] = fmt.Sprintf("%q", all[i])
	}
	list := strings.Join(quoted, ", ")
	if more := len(all) - len(quoted); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	switch {
	case slices.Contains(all, want) && want != "":
		return want, nil
	case want == "" && len(all) == 1:
		return all[0], nil
	case want == "":
		if name == "trigger" {
			list += "; or all, where each is a chain of its own (percuss steps)"
		}
		return "", fmt.Errorf("it has replies of several kinds, choose one with ?%s=: %s", name, list)
	}
	return "", fmt.Errorf("it has no %s %q: there is %s", name, want, list)
}

// Capabilities implements model.Model.
func (m *Log) Capabilities() percuss.Capabilities { return m.can }

// Workers implements model.Model.
func (m *Log) Workers() int { return 2 }

// Open implements model.Model. The subject's last part is the item, by which a log without questions is searched.
func (m *Log) Open(ctx context.Context, subject string) (model.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if m.closed.Load() {
		return nil, &model.Fault{Kind: "engine", Fatal: true, Err: fmt.Errorf("the log %s is closed", m.file)}
	}
	return &reading{m: m, subject: subject}, nil
}

// Close implements model.Model. It may be called again.
func (m *Log) Close() error {
	m.closed.Store(true)
	return nil
}

type reading struct {
	m       *Log
	subject string
}

// Answer implements model.Session.
func (s *reading) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	for i, r := range requests {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, err := s.m.reply(s.subject, r)
		done(i, a, err)
	}
	return nil
}

// Close implements model.Session.
func (s *reading) Close() error { return nil }

// reply is the log's reply to the question of a request.
func (m *Log) reply(subject string, r percuss.Request) (percuss.Answer, error) {
	fault := func(kind, format string, args ...any) (percuss.Answer, error) {
		return percuss.Answer{}, &model.Fault{Kind: kind, Spent: true, Err: fmt.Errorf(format, args...)}
	}
	if len(r.Want.Letters) > 0 || r.Begin != "" {
		return fault(NotAvailable, "a log holds replies to each question as it stands; %s cannot be asked %s", m.file, describe(r))
	}
	text := ""
	for _, msg := range r.Messages {
		if msg.Role == percuss.User {
			text = msg.Content
		}
	}
	found, why := m.find(subject, text)
	switch {
	case found == nil && why == "":
		return fault(NotRecorded, "none of the log's replies (%d) is to this question: -d log:FILE takes those that it has; %s, asked %s (%d so far without)",
			len(m.entries), m.file, describe(r), m.lacking.Add(1))
	case found == nil:
		return fault(Unclear, "%s; the log %s, asked %s (%d so far without)", why, m.file, describe(r), m.lacking.Add(1))
	}
	if n := len(found.answers); r.Replicate < 0 || r.Replicate >= n {
		return percuss.Answer{}, &model.Fault{Kind: NotAvailable, Spent: true, Absent: r.Replicate >= n, Err: fmt.Errorf("the log has %d replies to this question, and no reply %d: %s cannot be asked %s (%d so far without)",
			n, r.Replicate+1, m.file, describe(r), m.lacking.Add(1))}
	}
	a, err := found.relettered(text, found.answers[r.Replicate])
	if err != nil {
		return fault(Unclear, "%w: %s of the log %s (%d so far without)", err, found, m.file, m.lacking.Add(1))
	}
	return a, nil
}

// Replies is the largest number of replies that a question of the log has.
func (m *Log) Replies() int {
	most := 0
	for _, e := range m.entries {
		most = max(most, len(e.answers))
	}
	return most
}

// relettered is a reply with the letter that its answer has among the options of the request. The chain stays as it is.
func (e *entry) relettered(text string, a percuss.Answer) (percuss.Answer, error) {
	_, _, shown := foreign.Parse(text)
	if len(shown) == 0 || len(e.Options) == 0 {
		return a, nil
	}
	if len(shown) != len(e.Options) {
		return percuss.Answer{}, fmt.Errorf("it was asked with %d options, here there are %d", len(e.Options), len(shown))
	}
	now := map[string]string{} // content -> label here
	for _, o := range shown {
		now[plain(o.Text)] = o.Label
	}
	moved := false
	for _, o := range e.Options {
		label, ok := now[plain(o.Text)]
		if !ok {
			return percuss.Answer{}, fmt.Errorf("its option %s, %q, is not among those shown", o.Label, o.Text)
		}
		moved = moved || label != o.Label
	}
	if !moved {
		return a, nil
	}
	read := clinical.ReadAnswer(a.Text, e.Options, a.Outcome == percuss.Truncated)
	i := slices.IndexFunc(e.Options, func(o percuss.Option) bool { return o.Label == read.Label })
	if i < 0 {
		return percuss.Answer{}, errors.New("its options stand in another order, and its answer cannot be read to letter it anew")
	}
	label := now[plain(e.Options[i].Text)]
	a.Text = strings.TrimRight(a.Text[:read.ChainEnd], " \t\r\n") + "\n\nAnswer: " + label
	a.Detail = strings.TrimSpace(cmp.Or(a.Detail, "") + fmt.Sprintf(" The options stand in another order than in the log: its answer %s is %s here.", read.Label, label))
	return a, nil
}
