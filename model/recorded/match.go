package recorded

import (
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/foreign"
)

// add takes in a question of the log.
func (m *Log) add(e foreign.Entry, answers []percuss.Answer) {
	stem := plain(e.Stem)
	i := len(m.entries)
	grams := gramsOf(stem)
	if len(strings.Fields(stem)) < 3 {
		m.brief = append(m.brief, i)
	}
	for g := range grams {
		m.byGram[g] = append(m.byGram[g], int32(i))
	}
	if e.ID != "" {
		m.byID[e.ID] = i
	}
	m.entries = append(m.entries, entry{Entry: e, answers: answers, words: " " + stem + " ", grams: len(grams)})
}

// alike is the share of its runs of three words by which a question is taken for the one that is shown, where none is
// shown word for word. clear is how much more another must share less.
const (
	alike = 0.9
	clear = 0.02
)

// find returns the question that a message shows; why says why none could be chosen although there is one. The longest
// that stands in the message word for word is preferred.
func (m *Log) find(subject, text string) (found *entry, why string) {
	shown := " " + plain(text) + " "
	shares := m.shares(shown)
	_, stem, options := foreign.Parse(text)
	for _, i := range m.brief { // a word or two stand in many prompts: they say something with their options alone
		if o := m.entries[i].Options; len(o) > 0 && len(options) > 0 && sameOptions(o, options) {
			shares[i] = 0
		}
	}
	var exact, near []int
	longest, best := 0, 0.0
	for i, share := range shares {
		e := &m.entries[i]
		switch {
		case strings.Contains(shown, e.words) && e.fills(plain(stem)):
			longest = max(longest, len(e.words))
			exact = append(exact, i)
		case share >= alike:
			best = max(best, share)
			near = append(near, i)
		}
	}
	exact = slices.DeleteFunc(exact, func(i int) bool { return len(m.entries[i].words) < longest })
	near = slices.DeleteFunc(near, func(i int) bool { return shares[i] < best-clear })
	for _, found := range [][]int{exact, near} {
		if len(found) > 0 {
			return m.sole(found, text)
		}
	}
	for id, i := range m.byID { // a log without questions calls them by our ids
		if m.entries[i].Stem == "" && (subject == id || strings.HasSuffix(subject, "/"+id)) {
			return &m.entries[i], ""
		}
	}
	return nil, ""
}

// fills reports whether the stem is so long that it is no accident where it stands in a message: half of the stem shown
// there, or as much as a question has that is asked about something told.
func (e *entry) fills(stem string) bool {
	return 2*len(e.words) >= len(stem) || len(strings.Fields(e.words)) >= told
}

// told is the least number of words of a question that is taken for itself in whatever surroundings.
const told = 12

// sole returns the one entry that has the options of the message, or says that none has, or several with different
// replies.
func (m *Log) sole(at []int, text string) (*entry, string) {
	_, stem, options := foreign.Parse(text)
	slices.Sort(at)
	same := slices.DeleteFunc(slices.Clone(at), func(i int) bool { return !sameOptions(m.entries[i].Options, options) })
	if len(same) == 0 && m.entries[at[0]].words != " "+plain(stem)+" " {
		return nil, "" // another question, which this one is a part of
	}
	if len(same) == 0 {
		return nil, fmt.Sprintf("the log has the question with other options (%s)", m.entries[at[0]])
	}
	first := &m.entries[same[0]]
	for _, i := range same[1:] {
		if e := &m.entries[i]; e.answers[0].Text != first.answers[0].Text || e.answers[0].Reasoning != first.answers[0].Reasoning {
			return nil, fmt.Sprintf("%d questions of the log could be meant, among them %s and %s", len(same), first, e)
		}
	}
	return first, ""
}

// shares says of each question that has a run of words in the text which share of its own is there.
func (m *Log) shares(text string) map[int]float64 {
	out := map[int]float64{}
	for g := range gramsOf(text) {
		for _, i := range m.byGram[g] {
			out[int(i)] += 1 / float64(m.entries[i].grams)
		}
	}
	return out
}

// sameOptions reports whether two lists of options hold the same texts, or one of them is empty.
func sameOptions(a, b []percuss.Option) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	texts := func(options []percuss.Option) []string {
		var out []string
		for _, o := range options {
			out = append(out, plain(o.Text))
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(texts(a), texts(b))
}

// plain is a text's words in lower case, with one space between: what is left when layout and punctuation differ.
func plain(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("<>=+%", r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// gramsOf are the runs of three words of a text; of a shorter one, the text.
func gramsOf(text string) map[uint64]bool {
	words := strings.Fields(text)
	out := map[uint64]bool{}
	if len(words) > 0 && len(words) < 3 {
		out[gram(words...)] = true
	}
	for i := range len(words) - 2 {
		out[gram(words[i:i+3]...)] = true
	}
	return out
}

func gram(words ...string) uint64 {
	h := fnv.New64a()
	for _, w := range words {
		_, _ = io.WriteString(h, w)
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}

// describe says what a request asks, for whoever has only its key otherwise.
func describe(r percuss.Request) string {
	what := "for a text"
	switch {
	case len(r.Want.Letters) > 0:
		what = "for the letters " + strings.Join(r.Want.Letters, ", ")
	case r.Begin != "":
		what = "to continue a chain"
	}
	if words := strings.Fields(r.Begin); len(words) > 0 {
		what += fmt.Sprintf(" after %d words that end in %q", len(words), short(strings.Join(words[max(0, len(words)-6):], " ")))
	}
	if r.Replicate > 0 {
		what += fmt.Sprintf(", repetition %d", r.Replicate)
	}
	last := ""
	for _, msg := range r.Messages {
		if msg.Role == percuss.User {
			last = msg.Content
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(last), "\n")
	return fmt.Sprintf("%s on %q", what, short(first))
}

// short cuts a line to a length that can be read at a glance.
func short(s string) string {
	const most = 100
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
