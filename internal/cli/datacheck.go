package cli

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/medmcqa"
	"github.com/percuss/percuss/dataset/medqa"
	"github.com/percuss/percuss/dataset/mmlu"
	"github.com/percuss/percuss/dataset/pubmedqa"
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

// firing says on how many questions any of the operators fires.
type firing struct {
	Operators []string       `json:"operators"`
	Fired     int            `json:"fired"`
	Of        int            `json:"of"`
	Rate      percuss.Number `json:"rate"`
	Band      percuss.Number `json:"band"` // the middle of the sanity band, where the specification states one
	Outside   bool           `json:"outside"`
}

// bandWidth is how far a rate may lie from the middle of its sanity band.
const bandWidth = 0.01

// band is the share of a whole published split on which any of the operators fires, by a count with regular
// expressions (chain audit, section 4). They guard against a loader, or an operator, that silently misses its texts.
type band struct {
	operators []string
	rate      float64
}

// bandsOf returns the bands of a published split, and the number of its rows.
func bandsOf(q percuss.Question) (bands []band, rows int) {
	age, sex := []string{"M2-age-a", "M2-age-b"}, []string{"M2-sex"}
	m1, m4, m5, m6 := []string{"M1-a", "M1-b"}, []string{"M4-a", "M4-b"}, []string{"M5-a", "M5-b"}, []string{"M6-a", "M6-b"}
	switch q.Set + " " + q.Source.Split {
	case medqa.Name + " test":
		return []band{{m1, 0.99}, {age, 0.89}, {sex, 0.89}, {m4, 0.28}, {m5, 0.25}, {m6, 0.07}}, 1273
	case medmcqa.Name + " val":
		return []band{{m1, 0.09}, {age, 0.03}, {sex, 0.06}, {m4, 0.03}, {m5, 0.03}}, 4183
	case mmlu.Name + " test":
		return []band{{age, 0.24}, {sex, 0.26}, {m4, 0.03}, {m5, 0.08}, {m6, 0.01}}, 1099
	case pubmedqa.Name + " test", pubmedqa.Name + " all":
		return []band{{m5, 0.05}}, 500
	}
	return nil, 0
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
	bands, rows := bandsOf(questions[0])
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

// firingOf counts for each operator on the question, then for each band whose operators the battery has. again says
// how often the row of an id was repeated: the bands count whole files, so what is held against one does too.
func firingOf(questions []percuss.Question, b battery.Battery, bands []band, again map[string]int) []firing {
	fires := map[string][]bool{}
	once, all := make([]int, len(questions)), make([]int, len(questions))
	for i, q := range questions {
		once[i], all[i] = 1, 1+again[q.ID]
	}
	out := []firing{}
	for _, o := range b.Operators {
		if o.Block != battery.M {
			continue
		}
		for _, q := range questions {
			fires[o.ID] = append(fires[o.ID], o.Apply(q.Stem, 1, q.ID).Fired)
		}
		out = append(out, eitherOf(fires, []string{o.ID}, once))
	}
	for _, band := range bands {
		if slices.ContainsFunc(band.operators, func(id string) bool { return fires[id] == nil }) {
			continue
		}
		f := eitherOf(fires, band.operators, all)
		f.Band = percuss.Num(band.rate)
		f.Outside = math.Abs(f.Rate.Or(band.rate)-band.rate) > bandWidth
		out = append(out, f)
	}
	return out
}

// eitherOf counts the rows on which one of the operators fires; rows says how many each question stands for.
func eitherOf(fires map[string][]bool, operators []string, rows []int) firing {
	f := firing{Operators: operators}
	for i, n := range rows {
		f.Of += n
		if slices.ContainsFunc(operators, func(id string) bool { return fires[id][i] }) {
			f.Fired += n
		}
	}
	f.Rate = share(f.Fired, f.Of)
	return f
}
