package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// checkedCases is what `data check` says of a set of cases.
type checkedCases struct {
	Schema     string   `json:"schema"`
	Set        string   `json:"set"`
	File       string   `json:"file"`
	SHA256     string   `json:"sha256"` // of the file; of several, of their hashes
	Split      string   `json:"split"`  // empty where nothing says it
	Identity   string   `json:"identity"`
	Cases      int      `json:"cases"`   // kept
	Bad        []badRow `json:"bad"`     // dropped
	Reasons    []tally  `json:"reasons"` // dropped rows by kind of reason; the share is of all rows
	Duplicates int      `json:"duplicates"`
	Flags      []tally  `json:"flags"`
	Golds      []tally  `json:"golds"`      // kept cases by right diagnosis
	GoldPlace  []tally  `json:"gold_place"` // kept cases by the place of the right diagnosis, from 1, in the file's order
	Candidates span     `json:"candidates"` // of a kept case
	Units      span     `json:"units"`      // of a kept case
	UnitTotal  int      `json:"unit_total"`
	UnitFlags  []tally  `json:"unit_flags"` // units by flag for the right diagnosis, several at once; the share is of all units
	Roles      []tally  `json:"roles"`      // units by the one role that the flags amount to
	Implicit   int      `json:"implicit"`   // absent units that nobody recorded
	Narrative  int      `json:"narrative"`  // cases whose units are sentences, which have no flags and no role
	LeftOut    []tally  `json:"left_out"`   // units by why they cannot be used; the share is of these and the units
}

// casesCheck checks one set of cases. One without a usable case is a user's mistake, told after what was found.
func (a *app) casesCheck(data string, asJSON bool) error {
	loader, err := a.openCases(data)
	if err != nil {
		return err
	}
	c, err := checkCases(loader)
	if err != nil {
		return usage(err)
	}
	if asJSON {
		e := json.NewEncoder(a.out)
		e.SetIndent("", "  ")
		err = e.Encode(c)
	} else {
		err = writeCases(a.out, c)
	}
	if err == nil && c.Cases == 0 {
		err = usage(fmt.Errorf("data set %s: no usable case", data))
	}
	return err
}

// caseCounts are the counts of a set while it is read; a case is forgotten once it is counted.
type caseCounts struct {
	files                                                         filesRead
	hashed                                                        int
	reasons, flags, golds, places, unitFlags, roles, leftOut      map[string]int
	candidates, units                                             []int
	unitTotal, flaggedUnits, leftOutTotal, rows, kept, duplicates int
}

// checkCases reads a set of cases to its end.
func checkCases(l dataset.CaseLoader) (checkedCases, error) {
	c := checkedCases{Schema: "percuss.data-check-cases/1", Set: l.Name(), Bad: []badRow{}}
	n := caseCounts{reasons: map[string]int{}, flags: map[string]int{}, golds: map[string]int{}, places: map[string]int{},
		unitFlags: map[string]int{}, roles: map[string]int{}, leftOut: map[string]int{}}
	for one, err := range l.Cases() {
		var b *dataset.BadRow
		switch {
		case errors.As(err, &b):
			c.Bad = append(c.Bad, badRow{b.File, b.Line, b.Why})
			n.drop(b)
		case err != nil:
			return c, err
		default:
			c.Split = one.Source.Split
			n.keep(one)
			c.countUnits(one, &n)
		}
	}
	c.Cases, c.Duplicates, c.UnitTotal = n.kept, n.duplicates, n.unitTotal
	if n.kept > 0 {
		c.File, c.SHA256 = n.files.sum()
		c.Identity = map[bool]string{true: "both", false: "native"}[n.hashed > 0]
		if n.hashed == n.kept {
			c.Identity = "hash"
		}
	}
	c.Candidates, c.Units = spanOf(n.candidates), spanOf(n.units)
	c.Reasons = byCount(n.reasons, n.rows)
	c.Flags, c.Golds = byCount(n.flags, n.kept), byCount(n.golds, n.kept)
	c.GoldPlace = inOrder(n.places, n.kept, dataset.CompareLabels)
	c.UnitFlags, c.Roles = byCount(n.unitFlags, n.flaggedUnits), byCount(n.roles, n.flaggedUnits)
	c.LeftOut = byCount(n.leftOut, n.unitTotal+n.leftOutTotal)
	return c, nil
}

func (n *caseCounts) drop(b *dataset.BadRow) {
	n.rows++
	kind := kindOf(b.Why)
	if b.Repeats != "" {
		kind = "duplicate"
		n.duplicates++
	}
	n.reasons[kind]++
}

// kindOf is the kind of a reason: what stands before its colon, see dataset.CaseLoader.
func kindOf(why string) string {
	kind, _, _ := strings.Cut(why, ":")
	return kind
}

func (n *caseCounts) keep(c percuss.Case) {
	n.rows++
	n.kept++
	n.files.add(c.Source)
	if dataset.Hashed(c.ID) {
		n.hashed++
	}
	for _, f := range c.Flags {
		n.flags[f]++
	}
	n.golds[c.Gold]++
	n.places[fmt.Sprint(1+slices.Index(c.Candidates, c.Gold))]++
	n.candidates, n.units = append(n.candidates, len(c.Candidates)), append(n.units, len(c.Units))
}

func (c *checkedCases) countUnits(one percuss.Case, n *caseCounts) {
	for _, l := range one.LeftOut {
		n.leftOutTotal++
		n.leftOut[kindOf(l.Why)]++
	}
	n.unitTotal += len(one.Units)
	if one.Narrative {
		c.Narrative++
		return
	}
	for _, u := range one.Units {
		n.flaggedUnits++
		if u.Implicit {
			c.Implicit++
		}
		flags := evidence.Flags(u, one.Candidates, one.Gold, evidence.Thresholds{})
		for _, f := range flags {
			n.unitFlags[string(f)]++
		}
		n.roles[string(evidence.RoleOf(flags))]++
	}
}

// byCount lists the most frequent first.
func byCount(m map[string]int, of int) []tally {
	return inOrder(m, of, func(a, b string) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
}

func inOrder(m map[string]int, of int, compare func(a, b string) int) []tally {
	out := []tally{}
	for _, name := range slices.SortedFunc(maps.Keys(m), compare) {
		out = append(out, tally{name, m[name], share(m[name], of)})
	}
	return out
}

func writeCases(w io.Writer, c checkedCases) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s kept, %d dropped (duplicates: %d)\n", c.Set, report.Plural(c.Cases, "case"), len(c.Bad), c.Duplicates)
	for _, r := range c.Reasons {
		fmt.Fprintf(&b, "  dropped %6d  %s\n", r.Rows, r.Name)
	}
	for _, r := range c.Bad[:min(len(c.Bad), shownDropped)] {
		fmt.Fprintf(&b, "  %s:%d: %s\n", r.File, r.Line, r.Why)
	}
	if more := len(c.Bad) - shownDropped; more > 0 {
		fmt.Fprintf(&b, "  and %d more: --json has all\n", more)
	}
	if c.Cases > 0 {
		writeCaseContents(&b, c)
	}
	return toldAll(w, strings.Repeat(" ", 11), b.String())
}

// shownDropped is how many dropped rows are printed: the reasons stand above them.
const shownDropped = 5

func writeCaseContents(b *strings.Builder, c checkedCases) {
	fmt.Fprintf(b, "file       %s\nsha256     %s\nsplit      %s\nidentity   %s\n", c.File, c.SHA256, cmp.Or(c.Split, "not known"),
		map[string]string{"native": "the set's own ids", "hash": "hash of the raw case", "both": "the set's own ids, and hashes where a case has none"}[c.Identity])
	fmt.Fprintf(b, "remarks    %s\n", tallyText(c.Flags, "none"))
	fmt.Fprintf(b, "candidates %s a case (least, median, most)\n", c.Candidates)
	first := percuss.Num(0)
	if c.GoldPlace[0].Name == "1" {
		first = c.GoldPlace[0].Share
	}
	fmt.Fprintf(b, "gold       %d diagnoses; first in %s %% of the cases in the file's order; by place %s; always answering A scores %s %% there\n",
		len(c.Golds), percent(first), tallyText(c.GoldPlace, ""), percent(first))
	fmt.Fprintf(b, "units      %d; %s a case\n", c.UnitTotal, c.Units)
	if c.Implicit > 0 {
		fmt.Fprintf(b, "implicit   %s absent only because the file does not list %s\n",
			map[bool]string{true: "1 unit is", false: fmt.Sprintf("%d units are", c.Implicit)}[c.Implicit == 1], map[bool]string{true: "it", false: "them"}[c.Implicit == 1])
	}
	if c.Narrative > 0 {
		fmt.Fprintf(b, "narrative  %s: the units are sentences, without flags and roles\n", report.Plural(c.Narrative, "case"))
	}
	if len(c.UnitFlags) > 0 {
		b.WriteString("flags      of units, as seen from the gold; several may hold at once\n")
		writeShares(b, c.UnitFlags, flagWords())
		b.WriteString("roles      of units, one each\n")
		writeShares(b, c.Roles, nil)
	}
	fmt.Fprintf(b, "left out   %s\n", tallyText(c.LeftOut, "none"))
}

// flagWords are what flags are printed as; the others, and the roles, are words already.
func flagWords() map[string]string {
	return map[string]string{
		string(evidence.Symptom): "symptom of the gold", string(evidence.Antecedent): "antecedent of the gold",
		string(evidence.Other): "linked to another candidate", string(evidence.OtherOnly): "linked to others only",
		string(evidence.LowSpecificity): "linked to at least half of all candidates",
		string(evidence.TargetSpecific): "linked to the gold and at most a quarter of the others",
	}
}

func writeShares(b *strings.Builder, tallies []tally, words map[string]string) {
	for _, t := range tallies {
		fmt.Fprintf(b, "  %-56s %7d  %5s %%\n", cmp.Or(words[t.Name], t.Name), t.Rows, percent(t.Share))
	}
}
