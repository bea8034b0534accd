package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// RawCase is a case as its file has it.
type RawCase struct {
	ID         string // the set's own id; empty: one is made from units, candidates, gold, facts and complaint
	Facts      []string
	Complaint  *percuss.Unit // becomes the last fact; nil where there is none
	Units      []percuss.Unit
	Text       string // a report in place of Units: its sentences become the units of a narrative
	Candidates []string
	Gold       string // one of Candidates, in any spelling that folds alike
	Narrative  bool   // units are sentences: those that name the gold are left out, and none has a role
	Note       string // why the gold is right; never in a prompt
}

// Fewer candidates leave nothing to choose, more leave too little of the alphabet.
const fewestCandidates, mostCandidates = 2, 20

// Case cleans a case and refuses one that cannot be audited, with the remedy: too few candidates or two that read the
// same, a gold that is none of them, a unit that is empty or repeats another, a link to no candidate. The kind of
// reason stands before a colon (CaseLoader). Of more than 20 candidates the first named and the gold are kept. Units
// without an id get U1, U2, ...; one without a family is its own; one without a text has its question and answer for
// one.
func (r RawCase) Case(set string) (percuss.Case, error) {
	r.Narrative = r.Narrative || r.Text != ""
	c := percuss.Case{Set: set, Narrative: r.Narrative, Note: trim(r.Note)}
	var err error
	if c.Candidates, c.Gold, err = r.choices(); err != nil {
		return percuss.Case{}, err
	}
	names := clinical.NamesOf(c.Gold)
	if c.Units, c.LeftOut, err = r.units(c.Candidates, names); err != nil {
		return percuss.Case{}, err
	}
	for i, f := range r.Facts {
		if f = strings.TrimRight(oneLine(f), "."); f == "" {
			return percuss.Case{}, fmt.Errorf("empty fact: number %d; fill it in or take it out", i+1)
		}
		c.Facts = append(c.Facts, f)
	}
	if err := r.complain(&c); err != nil {
		return percuss.Case{}, err
	}
	c.ID = r.id(set)
	if len(c.Candidates) > mostCandidates {
		cut(&c)
		c.Flags = append(c.Flags, CutCandidates)
	}
	c.Flags = append(c.Flags, remarksOn(c, names)...)
	return c, nil
}

// choices returns the candidates and the gold among them.
func (r RawCase) choices() (candidates []string, gold string, err error) {
	folds := map[string]string{}
	for i, raw := range r.Candidates {
		name := oneLine(raw)
		fold := clinical.FoldDiagnosis(name)
		switch other, twice := folds[fold]; {
		case fold == "":
			return nil, "", fmt.Errorf("empty candidate: number %d, %q; name a diagnosis or take it out", i+1, raw)
		case twice:
			return nil, "", fmt.Errorf("candidates are the same: %q and %q; take one out", other, name)
		}
		folds[fold] = name
		candidates = append(candidates, name)
	}
	least := fewestCandidates
	if r.Text != "" {
		least = fewestToldChoices
	}
	if len(candidates) < least {
		return nil, "", fmt.Errorf("too few candidates: %d; at least %d are needed", len(candidates), least)
	}
	switch name, ok := among(candidates, r.Gold); {
	case oneLine(r.Gold) == "":
		return nil, "", errors.New("no gold: name the right diagnosis, one of the candidates")
	case !ok:
		return nil, "", fmt.Errorf("gold is no candidate: %q; add it to the candidates (%s) or write it as one of them", r.Gold, quotedList(candidates))
	default:
		return candidates, name, nil
	}
}

// among returns the candidate that is meant: the one that is equal, or that folds alike.
func among(candidates []string, name string) (string, bool) {
	name = oneLine(name)
	fold := clinical.FoldDiagnosis(name)
	for _, same := range []func(string) bool{
		func(c string) bool { return c == name },
		func(c string) bool { return fold != "" && clinical.FoldDiagnosis(c) == fold },
	} {
		if i := slices.IndexFunc(candidates, same); i >= 0 {
			return candidates[i], true
		}
	}
	return "", false
}

// units cleans the units.
func (r RawCase) units(candidates []string, gold *clinical.Names) (units []percuss.Unit, out []percuss.LeftOut, err error) {
	if r.Text != "" {
		return sentences(r.Text, gold)
	}
	texts, ids := map[string]int{}, map[string]int{}
	for i, raw := range r.Units {
		u, err := r.unit(i, raw, candidates)
		if err != nil {
			return nil, nil, err
		}
		fold := strings.ToLower(strings.TrimRight(u.Text, "."))
		switch {
		case texts[fold] > 0:
			return nil, nil, fmt.Errorf("repeated unit: number %d says what number %d says, %q; take one out", i+1, texts[fold], u.Text)
		case ids[u.ID] > 0:
			return nil, nil, fmt.Errorf("unit id stands twice: %q, of units %d and %d; change one", u.ID, ids[u.ID], i+1)
		}
		texts[fold], ids[u.ID] = i+1, i+1
		if form, tells := gold.In(u.Text); tells && r.Narrative {
			out = append(out, percuss.LeftOut{Text: u.Text, Why: clinical.NamesGold + ": " + form})
			continue
		}
		units = append(units, u)
	}
	switch {
	case len(r.Units) == 0:
		return nil, nil, errors.New("no units: give the findings, or the sentences, of the case")
	case len(units) == 0:
		return nil, nil, fmt.Errorf("no units: all %d sentences name the gold; reword them", len(out))
	}
	return units, out, nil
}

func (r RawCase) unit(i int, u percuss.Unit, candidates []string) (percuss.Unit, error) {
	u.ID, u.Family = trim(u.ID), trim(u.Family)
	u.Text, u.Asked, u.Value = oneLine(u.Text), oneLine(u.Asked), oneLine(u.Value)
	if u.ID == "" {
		u.ID = "U" + strconv.Itoa(i+1)
	}
	if u.Text == "" && u.Asked != "" && u.Value != "" {
		u.Text = u.Asked + " " + u.Value
	}
	if u.Text == "" {
		return u, fmt.Errorf("empty unit: number %d; give it a text, or what was asked and the value, or take it out", i+1)
	}
	if (u.Asked == "") != (u.Value == "") {
		return u, fmt.Errorf("half a question: unit %s has only one of what was asked and its value; give both or neither", u.ID)
	}
	if r.Narrative {
		if u.Absent || u.Antecedent || len(u.SymptomOf)+len(u.AntecedentOf) > 0 {
			return u, fmt.Errorf("sentence with a role: unit %s of a narrative; leave narrative out, or take its links and flags away", u.ID)
		}
		return u, nil
	}
	if u.Family == "" {
		u.Family = u.ID
	}
	var err error
	if u.SymptomOf, err = linked(u.ID, "symptom_of", u.SymptomOf, candidates); err != nil {
		return u, err
	}
	u.AntecedentOf, err = linked(u.ID, "antecedent_of", u.AntecedentOf, candidates)
	return u, err
}

// linked returns the candidates that the links of a unit name, each once.
func linked(unit, field string, names, candidates []string) ([]string, error) {
	var out []string
	for _, n := range names {
		c, ok := among(candidates, n)
		if !ok {
			return nil, fmt.Errorf("link to no candidate: %s of unit %s names %q; the candidates are %s", field, unit, n, quotedList(candidates))
		}
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out, nil
}

// cut keeps the first named candidates and the gold, and the links to them.
func cut(c *percuss.Case) {
	kept := slices.Clone(c.Candidates[:mostCandidates])
	if !slices.Contains(kept, c.Gold) {
		kept[mostCandidates-1] = c.Gold
	}
	c.Candidates = kept
	gone := func(name string) bool { return !slices.Contains(kept, name) }
	units := make([]*percuss.Unit, 0, len(c.Units)+1)
	for i := range c.Units {
		units = append(units, &c.Units[i])
	}
	if c.Complaint != nil {
		units = append(units, c.Complaint)
	}
	for _, u := range units {
		u.SymptomOf, u.AntecedentOf = slices.DeleteFunc(u.SymptomOf, gone), slices.DeleteFunc(u.AntecedentOf, gone)
	}
}

// complain makes the complaint the last fact.
func (r RawCase) complain(c *percuss.Case) error {
	if r.Complaint == nil {
		return nil
	}
	u := *r.Complaint
	if u.ID == "" {
		u.ID = "complaint"
	}
	structured := r
	structured.Narrative = false
	u, err := structured.unit(0, u, c.Candidates)
	if err != nil {
		return fmt.Errorf("%w (the complaint)", err)
	}
	if slices.ContainsFunc(c.Units, func(o percuss.Unit) bool { return o.ID == u.ID || o.Text == u.Text }) {
		return fmt.Errorf("complaint is a unit too: %q; a complaint is always shown, so take the unit out", u.Text)
	}
	c.Complaint = &u
	c.Facts = append(c.Facts, "Initial complaint: "+strings.TrimSuffix(strings.TrimRight(u.Text, "."), ": yes"))
	return nil
}

func (r RawCase) id(set string) string {
	if id := trim(r.ID); id != "" {
		return set + ":" + id
	}
	parts := []string{"text", r.Text}
	for _, u := range r.Units {
		parts = append(parts, "unit", u.Text, u.Asked, u.Value)
	}
	for _, c := range r.Candidates {
		parts = append(parts, "candidate", c)
	}
	parts = append(parts, "gold", r.Gold)
	for _, f := range r.Facts {
		parts = append(parts, "fact", f)
	}
	if r.Complaint != nil {
		parts = append(parts, "complaint", r.Complaint.Text, r.Complaint.Value)
	}
	return Identity(set, parts...)
}

func oneLine(s string) string { return strings.Join(strings.Fields(trim(s)), " ") }

func quotedList(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, strconv.Quote(n))
	}
	return strings.Join(out, ", ")
}
