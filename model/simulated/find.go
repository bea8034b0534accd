package simulated

import (
	"hash/fnv"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// item is a question that the reasoner knows.
type item struct {
	id       string
	passages []string // what is shown above the options: the contexts and the stem
	options  []string
	gold     int  // -1: not known
	number   bool // the options are numbers that are not shown
	features int  // how many it can be recognised by
}

// library finds a question by what a message shows of it.
type library struct {
	items []item
	index map[uint64][]int32 // feature -> items that have it
}

// newLibrary indexes the questions.
func newLibrary(world []percuss.Question) library {
	l := library{index: map[uint64][]int32{}}
	for i, q := range world {
		it := item{id: q.ID, gold: slices.Index(q.Labels(), q.Gold)}
		it.passages = append(append(it.passages, q.Context...), q.Stem)
		for _, o := range q.Options {
			it.options = append(it.options, o.Text)
		}
		own := features(strings.Join(it.passages, "\n"), it.options)
		if q.Kind == percuss.Numeric {
			it.options, it.gold = near(q)
			it.number = true
		}
		it.features = len(own)
		for f := range own {
			l.index[f] = append(l.index[f], int32(i))
		}
		l.items = append(l.items, it)
	}
	return l
}

// features are the runs of three words of a text, and each option's whole text. An edit of a few words, or of a
// sentence, spares most of them.
func features(text string, options []string) map[uint64]bool {
	out := map[uint64]bool{}
	ws := texts(words(text))
	for i := range len(ws) - 2 {
		out[hash("stem", ws[i], ws[i+1], ws[i+2])] = true
	}
	if len(ws) < 3 {
		for _, w := range ws {
			out[hash("word", w)] = true
		}
	}
	for _, o := range options {
		out[hash("option", normal(o))] = true
	}
	return out
}

func hash(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = io.WriteString(h, p)
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}

// normal is an option's text without regard to case, punctuation and white space.
func normal(s string) string {
	if ws := words(s); len(ws) > 0 {
		return strings.Join(texts(ws), " ")
	}
	return strings.TrimSpace(s)
}

// recognised is the share of its features by which a question is known at least.
const recognised = 0.3

// find returns the question that shares most with a message, nil when none shares enough. Of equals the first one is
// taken, so that a longer library finds no other.
func (l library) find(text string, options []string) *item {
	seen := features(text, options)
	if ws := texts(words(text)); len(l.items) > 0 {
		for _, w := range ws {
			seen[hash("word", w)] = true
		}
	}
	shared := make([]int, len(l.items))
	for f := range seen {
		for _, i := range l.index[f] {
			shared[i]++
		}
	}
	best, score := -1, recognised
	for i, n := range shared {
		if s := float64(n) / float64(max(1, l.items[i].features)); s > score || best < 0 && s >= score {
			best, score = i, s
		}
	}
	if best < 0 {
		return nil
	}
	return &l.items[best]
}

// view is what a request shows.
type view struct {
	item   *item    // nil: a question that is not known
	labels []string // as shown
	option []int    // the known option behind each label, by its place in the question
	before string   // the text above the options
	after  string   // the text below them
}

// optionLine is a line such as "A. text", "(B) text" or "C) text".
var optionLine = regexp.MustCompile(`(?m)^[ \t]*\(?([A-Z]{1,2})[.):][ \t]+(\S.*?)[ \t\r]*$`)

// look finds the question of a request and the options as they stand.
func (l library) look(r percuss.Request) view {
	text := ""
	for _, m := range r.Messages {
		if m.Role == percuss.User {
			text = m.Content
		}
	}
	lines := optionLine.FindAllStringSubmatchIndex(text, -1)
	shown := make([]string, len(lines))
	for i, m := range lines {
		shown[i] = text[m[4]:m[5]]
	}
	v := view{item: l.find(text, shown), before: text}
	if v.item == nil {
		v.unknown(r, text, lines)
		return v
	}
	if v.item.number {
		v.numbers(text)
		return v
	}
	v.known(text, lines)
	return v
}

// known finds the known options in the lines that show options.
func (v *view) known(text string, lines [][]int) {
	known := make([]string, len(v.item.options))
	for i, o := range v.item.options {
		known[i] = normal(o)
	}
	first, last := -1, -1
	for _, m := range lines {
		at := slices.Index(known, normal(text[m[4]:m[5]]))
		if at < 0 || slices.Contains(v.option, at) {
			continue
		}
		v.labels, v.option = append(v.labels, text[m[2]:m[3]]), append(v.option, at)
		if first < 0 {
			first = m[0]
		}
		last = m[1]
	}
	if first >= 0 {
		v.before, v.after = text[:first], text[last:]
	}
	if len(v.labels) != len(known) { // not shown in lines of this form
		v.labels, v.option = nil, nil
		for i := range known {
			v.labels, v.option = append(v.labels, percuss.Label(i)), append(v.option, i)
		}
	}
}

// unknown fills in what can be seen of a question that is not known.
func (v *view) unknown(r percuss.Request, text string, lines [][]int) {
	for _, m := range lines {
		if l := text[m[2]:m[3]]; !slices.Contains(v.labels, l) {
			v.labels = append(v.labels, l)
		}
	}
	if len(r.Want.Letters) > 0 {
		v.labels = r.Want.Letters
	}
	if len(v.labels) < 2 {
		v.labels = []string{"A", "B", "C", "D"}
	}
	for i := range v.labels {
		v.option = append(v.option, i)
	}
	if len(lines) > 0 {
		v.after = text[lines[len(lines)-1][1]:]
	}
}
