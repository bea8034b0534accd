package chain

import (
	"regexp"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// ControlsVersion is the version of what the controls ask.
const ControlsVersion = "controls/1"

// AllControls lists the controls in the order of reports.
func AllControls() []Control { return []Control{Sham, ShamChain, FormatMarkers, FormatSpace, Shuffle} }

func isControl(id string) bool { return slices.Contains(AllControls(), Control(id)) }

// control asks one control.
func (b *builder) control(id Control) {
	c := call{id: string(id), version: ControlsVersion, q: b.own}
	why := ""
	switch id {
	case Sham:
		c.replicate = 1
	case ShamChain:
		c.begin, why = b.chain()
	case FormatMarkers, FormatSpace:
		c.form, why = id, b.rewrites(id)
	case Shuffle:
		if why = unshuffled(b.s.Question); why == "" {
			c.labels.Order = shuffleOrder(b.a.o.Seed, b.s.Question)
			c.q = &posed{Question: shuffled(b.s.Question, c.labels.Order)}
		}
	default:
		why = "there is no control of this name"
	}
	if b.can.Given {
		why = GivenOnly
	}
	if why != "" {
		b.skip(c.id, c.version, why)
		return
	}
	b.text(c)
}

// rewrites says why the options cannot be shown in another form, or nothing.
func (b *builder) rewrites(form Control) string {
	q := b.s.Question
	switch {
	case q.Kind == percuss.Numeric:
		return "the answer is a number: there are no options"
	case len(q.Options) < 2:
		return "there are fewer than two options"
	}
	messages := b.chat(b.own, false)
	if _, ok := rewritten(messages[len(messages)-1].Content, q.Options, form); !ok {
		return `the wording does not show the options once, as lines "A. text"`
	}
	return ""
}

// rewritten shows the options of a message in another form; ok is false, and the message unchanged, where they do not
// stand in it exactly once, as lines "A. text".
func rewritten(message string, options []percuss.Option, form Control) (out string, ok bool) {
	before, after, gap := "", ". ", "\n"
	was := optionLines(options, before, after, gap)
	switch form {
	case FormatMarkers:
		before, after = "(", ") "
	case FormatSpace:
		gap = "\n\n"
	}
	at := strings.Index(message, was)
	end := at + len(was)
	if at < 0 || strings.Count(message, was) != 1 || at > 0 && message[at-1] != '\n' || end < len(message) && message[end] != '\n' {
		return message, false
	}
	return message[:at] + optionLines(options, before, after, gap) + message[end:], true
}

// optionLines writes the options as the prompts do: the label between two marks, then the text.
func optionLines(options []percuss.Option, before, after, gap string) string {
	lines := make([]string, len(options))
	for i, o := range options {
		lines[i] = before + o.Label + after + o.Text
	}
	return strings.Join(lines, gap)
}

// labelWords are the options of sets whose answers are labels; their order is part of the question as people know it.
var labelWords = [...]string{"yes", "no", "maybe", "true", "false"}

// pointing matches an option that speaks of others by their place or letter: in another order it says something else.
var pointing = regexp.MustCompile(`(?i)\b(?:all|none|both|any|either|neither|two)\b.{0,12}\b(?:above|below|preceding|following)\b|` +
	`^(?:(?:both|only|options?|all)\s+)*\(?[A-H]\)?(?:\s*(?:,|&|\+|and|or)\s*\(?[A-H]\)?)+(?:\s+only)?\.?$`)

// unshuffled says why the options of a question are not shuffled, or nothing.
func unshuffled(q percuss.Question) string {
	switch {
	case q.Kind == percuss.Numeric:
		return "the answer is a number: there are no options"
	case len(q.Options) < 2:
		return "there are fewer than two options"
	}
	if !slices.ContainsFunc(q.Options, func(o percuss.Option) bool {
		return !slices.Contains(labelWords[:], strings.ToLower(strings.Trim(o.Text, " .")))
	}) {
		return "the options are labels such as yes and no, not contents"
	}
	for _, o := range q.Options {
		if pointing.MatchString(o.Text) {
			return "option " + o.Label + " speaks of other options by their place, so it would say something else in another order"
		}
	}
	return ""
}

// shuffleOrder draws which option of the question stands at each place, never each at its own; the question has at least
// two.
func shuffleOrder(seed uint64, q percuss.Question) []int {
	rng := percuss.Rand(seed, q.ID, string(Shuffle), "shuffle")
	for {
		order := rng.Perm(len(q.Options))
		if !slices.IsSorted(order) {
			return order
		}
	}
}

// shuffled is the question with its options in another order. Labels stay with their places, and the gold label
// follows the text of its option. An order that does not fit the options leaves the question as it is.
func shuffled(q percuss.Question, order []int) percuss.Question {
	if !permutes(order, len(q.Options)) {
		return q
	}
	out := q
	out.Options = make([]percuss.Option, len(order))
	for place, from := range order {
		out.Options[place] = percuss.Option{Label: q.Options[place].Label, Text: q.Options[from].Text}
		if q.Options[from].Label == q.Gold {
			out.Gold = q.Options[place].Label
		}
	}
	return out
}

// permutes reports whether order names each of n places once.
func permutes(order []int, n int) bool {
	seen := make([]bool, n)
	for _, i := range order {
		if i < 0 || i >= n || seen[i] {
			return false
		}
		seen[i] = true
	}
	return len(order) == n
}
