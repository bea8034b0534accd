package cli

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/dataset"
)

// checked is what `data check` says of a set.
type checked struct {
	Schema      string     `json:"schema"`
	Set         string     `json:"set"`
	File        string     `json:"file"`
	SHA256      string     `json:"sha256"` // of the file; of several, of their hashes
	Rows        int        `json:"rows"`   // usable ones
	Bad         []badRow   `json:"bad"`
	Duplicates  int        `json:"duplicates"` // bad rows whose id stands on an earlier row
	Repeated    []repeated `json:"repeated"`   // usable rows that ask the same as an earlier one under another id
	Flags       []tally    `json:"flags"`
	OptionCount []tally    `json:"option_count"` // rows by number of options
	Answers     []tally    `json:"answers"`      // rows by right label; none where the answer is a number
	Numbers     int        `json:"numbers"`      // different right answers that are numbers
	Largest     tally      `json:"largest_class"`
	Domain      string     `json:"domain,omitempty"` // of a set that is there for comparison with medicine
	Words       lengths    `json:"words"`
	Identity    string     `json:"identity"` // native, hash or both
	Battery     string     `json:"battery"`
	Firing      []firing   `json:"firing"` // of the operators on the question
}

type badRow struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Why  string `json:"why"`
}

type repeated struct {
	ID string `json:"id"`
	Of string `json:"of"`
}

// tally counts rows; Share is of the usable rows.
type tally struct {
	Name  string         `json:"name"`
	Rows  int            `json:"rows"`
	Share percuss.Number `json:"share"`
}

// lengths are in words.
type lengths struct {
	Stem    span `json:"stem"`
	Context span `json:"context"` // all passages of a question together, of questions that have any
	Option  span `json:"option"`
}

type span struct {
	Least  percuss.Number `json:"least"`
	Median percuss.Number `json:"median"`
	Most   percuss.Number `json:"most"`
}

// wholeEnough is the share of a split's rows from which on its bands are held against a file: a part of a split may
// be of one subject, and a copy may lack some rows.
const wholeEnough = 0.9

// check looks at a set that was read to its end.
func check(set string, questions []percuss.Question, bad []*dataset.BadRow, b battery.Battery) checked {
	c := checked{Schema: "percuss.data-check/1", Set: set, Rows: len(questions), Bad: []badRow{}, Repeated: []repeated{},
		Flags: []tally{}, OptionCount: []tally{}, Answers: []tally{}, Battery: b.Expression, Firing: []firing{}}
	again := map[string]int{}
	for _, r := range bad {
		c.Bad = append(c.Bad, badRow{r.File, r.Line, r.Why})
		if r.Repeats != "" {
			c.Duplicates++
			again[r.Repeats]++
		}
	}
	if len(questions) == 0 {
		return c
	}
	c.File, c.SHA256 = sources(questions)
	c.Repeated = repetitions(questions)
	c.Identity = identity(questions)
	c.count(questions)
	c.measure(questions)
	bands, rows := chain.Bands(questions[0].Set, questions[0].Source.Split)
	if float64(len(questions)+len(bad)) < wholeEnough*float64(rows) {
		bands = nil
	}
	if c.Domain = questions[0].Domain; c.Domain == "" { // edits of the question are made in medicine only
		c.Firing = firingOf(questions, b, bands, again)
	}
	return c
}

// repetitions finds questions with the same words, whatever the order of the options.
func repetitions(questions []percuss.Question) []repeated {
	out := []repeated{}
	first := map[string]string{}
	for _, q := range questions {
		parts := slices.Concat([]string{strings.ToLower(q.Stem)}, q.Context)
		var texts []string
		for _, o := range q.Options {
			texts = append(texts, strings.ToLower(o.Text))
		}
		slices.Sort(texts)
		words := dataset.Identity("", append(parts, texts...)...)
		if of, ok := first[words]; ok {
			out = append(out, repeated{q.ID, of})
		} else {
			first[words] = q.ID
		}
	}
	return out
}

func identity(questions []percuss.Question) string {
	hashed := 0
	for _, q := range questions {
		if dataset.Hashed(q.ID) {
			hashed++
		}
	}
	switch hashed {
	case 0:
		return "native"
	case len(questions):
		return "hash"
	}
	return "both"
}

func identityText(kind string) string {
	switch kind {
	case "native":
		return "the set's own ids"
	case "hash":
		return "hash of the raw question and options"
	}
	return "the set's own ids, and hashes where a row has none"
}

func (c *checked) count(questions []percuss.Question) {
	flags, counts, answers, numbers := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, q := range questions {
		for _, f := range q.Flags {
			flags[f]++
		}
		if q.Kind == percuss.Numeric {
			numbers[q.Gold]++
			continue
		}
		counts[percuss.Num(float64(len(q.Options))).Format(0)]++
		answers[q.Gold]++
	}
	tallies := func(m map[string]int) []tally {
		out := []tally{}
		for _, name := range slices.SortedFunc(maps.Keys(m), dataset.CompareLabels) {
			out = append(out, tally{name, m[name], share(m[name], len(questions))})
		}
		return out
	}
	c.Flags, c.OptionCount, c.Answers = tallies(flags), tallies(counts), tallies(answers)
	c.Numbers = len(numbers)
	c.Largest = slices.MaxFunc(slices.Concat(c.Answers, tallies(numbers)), func(a, b tally) int { return cmp.Compare(a.Rows, b.Rows) })
}

// share is missing where there is nothing to be a share of.
func share(n, of int) percuss.Number { return percuss.Num(float64(n) / float64(of)) }

func (c *checked) measure(questions []percuss.Question) {
	var stems, contexts, options []int
	for _, q := range questions {
		stems = append(stems, len(strings.Fields(q.Stem)))
		if len(q.Context) > 0 {
			contexts = append(contexts, len(strings.Fields(strings.Join(q.Context, " "))))
		}
		for _, o := range q.Options {
			options = append(options, len(strings.Fields(o.Text)))
		}
	}
	c.Words = lengths{spanOf(stems), spanOf(contexts), spanOf(options)}
}

func (s span) String() string {
	return s.Least.Format(0) + "/" + s.Median.Format(1) + "/" + s.Most.Format(0)
}

func spanOf(n []int) span {
	if len(n) == 0 {
		return span{}
	}
	slices.Sort(n)
	middle := float64(n[(len(n)-1)/2]+n[len(n)/2]) / 2
	return span{percuss.Num(float64(n[0])), percuss.Num(middle), percuss.Num(float64(n[len(n)-1]))}
}
