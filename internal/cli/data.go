package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/custom"
	"github.com/percuss/percuss/dataset/demo"
	"github.com/percuss/percuss/dataset/logs"
	"github.com/percuss/percuss/spec"
)

func (a *app) dataCommand() *cobra.Command {
	c := &cobra.Command{Use: "data", Short: "Data sets: what is there, and whether it can be used"}
	var listJSON, checkJSON, cases bool
	list := &cobra.Command{
		Use: "list", Short: "List the known sets: where each was found, or how to obtain it", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.dataList(listJSON) },
	}
	list.Flags().BoolVar(&listJSON, "json", false, "print as JSON")
	var with spec.Chain // the operators
	check := &cobra.Command{
		Use: "check DATA", Short: "Read a set to its end and say what it holds: bad rows, answers, lengths, firing rates",
		Long: `Reads a set to its end. Says how many rows can be used and why the others cannot, how the right answers are spread,
how long the texts are, and on how many questions each operator of the battery fires. Where a published set has a
sanity band, a rate outside it is marked: then the loader or an operator misses something. Of a set of cases it says
which are kept and why the others are dropped, where the right diagnosis stands, and what the findings are evidence for;
--cases looks at the cases of a set that holds both.

A file of your own: custom:FILE?stem=COLUMN&options=COLUMN,COLUMN,...&answer=COLUMN. Columns with usual names need not
be named. Further options: id, context, answers=letter|index|text|number, base=0|1, separator, format, name. A file of cases
has in every row candidates, gold and units: sentences, or objects of text, asked, value, absent, antecedent,
symptom_of, antecedent_of, family and id; beside them, where you like, id, facts, complaint, note and narrative. A case
of sentences needs two of them and three candidates.

Of ddxplus: ?implicit-absent=yes takes what a patient's row does not list as absent, ?findings=N is the least number of
recorded findings (4).`,
		Example: "  percuss data check demo --cases\n  percuss data check medqa\n  percuss data check 'custom:mine.csv?stem=vignette&options=a,b,c,d&answer=key' --json",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.dataCheck(args[0], with, cases, checkJSON) },
	}
	check.Flags().StringVar(&with.Battery, "battery", wholeBattery, "the operators whose firing is counted: paper, families, api, extended, families and operators among them or of your own file, joined by + (extended+M2)")
	check.Flags().StringVar(&with.BatteryFile, "operators", "", "file of operators of your own; --battery names them, e.g. paper+X-smoking")
	check.Flags().BoolVar(&cases, "cases", false, "check the cases of a set that holds questions too")
	check.Flags().BoolVar(&checkJSON, "json", false, "print as JSON, with every bad row")
	c.AddCommand(list, check)
	return c
}

// listedSet is one set of `data list`.
type listedSet struct {
	Set    string         `json:"set"`
	Title  string         `json:"title"`
	Files  []string       `json:"files"`
	Holds  string         `json:"holds"` // questions, cases or both
	Rows   percuss.Number `json:"rows"`  // usable ones, questions where it holds both; missing where the set is not there or cannot be read
	Bad    percuss.Number `json:"bad"`
	Cases  percuss.Number `json:"cases"`            // usable ones; missing as Rows is, and where the set holds none
	Obtain string         `json:"obtain,omitempty"` // how to get it, where it is not there
	Error  string         `json:"error,omitempty"`  // why it cannot be read
}

func (a *app) dataList(asJSON bool) error {
	var all []listedSet
	for _, s := range dataSets() {
		all = append(all, a.listSet(s))
	}
	if asJSON {
		return json.NewEncoder(a.out).Encode(all)
	}
	for _, l := range all {
		fmt.Fprintf(a.out, "%-14s %-10s %s\n", l.Set, l.Holds, l.state())
		for _, line := range append([]string{l.Title}, append(l.Files, l.Obtain, l.Error)...) {
			if line != "" {
				told(a.out, "  ", "%14s %s", "", line)
			}
		}
	}
	return nil
}

// ownFile reports whether a set is a file of the user's own, which is nowhere to be found.
func ownFile(set string) bool { return set == custom.Name || set == logs.Name }

// state says how many items can be used, or that the set is not here.
func (l listedSet) state() string {
	switch {
	case ownFile(l.Set):
		return "–"
	case !l.Rows.OK():
		return "not here"
	case l.Holds == holdsCases:
		return l.Cases.Format(0) + " cases"
	case l.Holds == holdsBoth:
		return l.Rows.Format(0) + " questions, " + l.Cases.Format(0) + " cases"
	}
	return l.Rows.Format(0) + " questions"
}

func (a *app) listSet(s dataSet) listedSet {
	l := listedSet{Set: s.name, Title: s.title, Files: []string{}, Holds: s.holds()}
	if ownFile(s.name) {
		return l
	}
	arg := dataset.Argument{Set: s.name, Options: dataset.Options{}}
	paths, err := a.findFiles(s, arg)
	var missing *dataset.NotFoundError
	if errors.As(err, &missing) {
		l.Obtain = fmt.Sprintf("%s Put it at %s, or set %s.", missing.Known.Obtain, missing.Put, dataset.DataVariable)
		return l
	}
	if err == nil {
		l.Files = append(l.Files, paths...)
		err = l.count(s, paths, arg.Options)
	}
	if err != nil {
		l.Error = err.Error()
	}
	return l
}

// What a set holds, as `data list` says it.
const (
	holdsQuestions = "questions"
	holdsCases     = "cases"
	holdsBoth      = "both"
)

func (s dataSet) holds() string {
	switch {
	case s.open == nil:
		return holdsCases
	case s.cases == nil:
		return holdsQuestions
	}
	return holdsBoth
}

// count reads a set to its end: what can be used, and how many rows cannot.
func (l *listedSet) count(s dataSet, paths []string, o dataset.Options) error {
	bad := 0
	if s.cases != nil {
		loader, err := s.cases(paths, o)
		if err != nil {
			return err
		}
		_, usable, worse, err := dataset.SampleCases(loader, 0, 1)
		if err != nil {
			return err
		}
		l.Cases, bad = percuss.Num(float64(usable)), len(worse)
		l.Rows = l.Cases
	}
	if s.open != nil {
		loader, err := s.open(paths, o)
		if err != nil {
			return err
		}
		questions, worse, err := dataset.Collect(loader)
		if err != nil {
			l.Cases = percuss.Number{}
			return err
		}
		l.Rows, bad = percuss.Num(float64(len(questions))), bad+len(worse)
	}
	l.Bad = percuss.Num(float64(bad))
	return nil
}

// dataCheck checks one set. A set without a usable row is a user's mistake, told after what was found.
func (a *app) dataCheck(data string, with spec.Chain, cases, asJSON bool) error {
	b, err := loadBattery("", &with)
	if err != nil {
		return usage(err)
	}
	s, _, err := findSet(data)
	if err != nil {
		return err
	}
	if cases || s.open == nil {
		return a.casesAlone(data, with, asJSON)
	}
	loader, err := a.openSet(data)
	if err != nil {
		return located(err, data)
	}
	questions, bad, err := dataset.Collect(loader)
	if errors.Is(err, custom.ErrCases) {
		return a.casesAlone(data, with, asJSON)
	}
	if err != nil {
		return usage(located(err, data))
	}
	c := check(loader.Name(), questions, bad, b)
	if asJSON {
		e := json.NewEncoder(a.out)
		e.SetIndent("", "  ")
		err = e.Encode(c)
	} else {
		err = writeCheck(a.out, c)
		if s.name == demo.Name {
			fmt.Fprintf(a.out, "cases     the set holds cases too: percuss data check %s --cases\n", data)
		}
	}
	if err == nil && c.Rows == 0 {
		err = usage(fmt.Errorf("data set %s: no usable row", data))
	}
	return err
}

// wholeBattery is the battery whose firing is counted where none is named.
const wholeBattery = "paper"

// casesAlone checks the cases of a set, which no operator edits.
func (a *app) casesAlone(data string, with spec.Chain, asJSON bool) error {
	if with.Battery != wholeBattery || with.BatteryFile != "" {
		return usage(fmt.Errorf("--battery, --operators: no operator edits cases, and %s holds cases: leave them out", data))
	}
	return a.casesCheck(data, asJSON)
}

// shownBadRows is how many bad rows are printed; --json has all.
const shownBadRows = 20

func writeCheck(w io.Writer, c checked) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d rows usable, %d bad (duplicates: %d); asked again under another id: %d\n", c.Set, c.Rows, len(c.Bad),
		c.Duplicates, len(c.Repeated))
	for _, r := range c.Bad[:min(len(c.Bad), shownBadRows)] {
		fmt.Fprintf(&b, "  %s:%d: %s\n", r.File, r.Line, r.Why)
	}
	if more := len(c.Bad) - shownBadRows; more > 0 {
		fmt.Fprintf(&b, "  and %d more: --json has all\n", more)
	}
	if c.Rows > 0 {
		writeContents(&b, c)
		writeFiring(&b, c)
	}
	return toldAll(w, strings.Repeat(" ", 10), b.String())
}

func writeContents(b *strings.Builder, c checked) {
	fmt.Fprintf(b, "file      %s\nsha256    %s\nidentity  %s\n", c.File, c.SHA256, identityText(c.Identity))
	fmt.Fprintf(b, "flags     %s\n", tallyText(c.Flags, "none"))
	answers := tallyText(c.Answers, "")
	if c.Numbers > 0 {
		answers = fmt.Sprintf("numbers, %d different ones", c.Numbers)
	}
	fmt.Fprintf(b, "options   %s\n", tallyText(c.OptionCount, "none"))
	fmt.Fprintf(b, "answers   %s; always answering %s scores %s %%\n", answers, c.Largest.Name, percent(c.Largest.Share))
	fmt.Fprintf(b, "words     stem %s, context %s, option %s (least, median, most)\n", c.Words.Stem, c.Words.Context, c.Words.Option)
}

func tallyText(tallies []tally, none string) string {
	var parts []string
	for _, t := range tallies {
		parts = append(parts, fmt.Sprintf("%s: %d", t.Name, t.Rows))
	}
	if len(parts) == 0 {
		return none
	}
	return strings.Join(parts, ", ")
}

func percent(n percuss.Number) string {
	v, ok := n.Get()
	if !ok {
		return n.Format(1)
	}
	return percuss.Num(100 * v).Format(1)
}
