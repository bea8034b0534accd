package dataset

import (
	"errors"
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
)

// Remarks on a case (Case.Flags).
const (
	// ParagraphGold: the diagnosis of the file is a text about it, which gives it away among short names.
	ParagraphGold = "gold-is-a-paragraph"
	// MergedCandidate: a candidate was the gold or another one in other words, and was left out.
	MergedCandidate = "candidate-merged"
	// CutCandidates: the file names more diagnoses than are kept; the gold and the first named ones are.
	CutCandidates = "candidates-cut"
	// NearCandidate: another candidate holds a name of the gold ("Rosacea, unspecified" beside rosacea): both may be right.
	NearCandidate = "candidate-names-gold"
	// UnknownNames: no form of the gold can be looked for, so that its leaks were not found.
	UnknownNames = "gold-not-searchable"
	// GoldTold: a fact, or a unit that is no sentence, names the gold; it is shown all the same.
	GoldTold = "gold-told"
)

// The least that a case told in prose needs: with fewer candidates a letter says little, with fewer sentences there
// are too few subsets.
const (
	fewestToldChoices = 3
	fewestSentences   = 6
)

// Narrative is a case told in prose, as its file has it.
type Narrative struct {
	ID     string // with the set's name before it
	Text   string
	Gold   string
	Others []string // the other diagnoses, first named first; those that equal the gold or another are merged
	Most   int      // how many candidates are kept; 0: all
	Note   string   // why the gold is right; never in a prompt
}

// Case makes the case: the gold first, then the others that differ from it and from one another when folded, cut to
// Most after the merging. Its units are the sentences that do not name the gold (clinical.Units). Fewer than three
// candidates or six sentences are an error.
func (n Narrative) Case(set string) (percuss.Case, error) {
	if clinical.FoldDiagnosis(n.Gold) == "" {
		return percuss.Case{}, errors.New("no diagnosis: name the right one")
	}
	if strings.TrimSpace(n.Text) == "" {
		return percuss.Case{}, errors.New("no case: its text is empty")
	}
	candidates, merged := clinical.DistinctDiagnoses(append([]string{n.Gold}, n.Others...))
	if len(candidates) < fewestToldChoices {
		return percuss.Case{}, fmt.Errorf("too few candidates: %d that differ, the right one among them; at least %d are needed", len(candidates), fewestToldChoices)
	}
	names := clinical.NamesOf(n.Gold)
	units, out, err := sentences(n.Text, names)
	if err != nil {
		return percuss.Case{}, err
	}
	c := percuss.Case{ID: n.ID, Set: set, Units: units, Gold: candidates[0], Narrative: true, LeftOut: out, Note: trim(n.Note)}
	if len(merged) > 0 {
		c.Flags = append(c.Flags, MergedCandidate)
	}
	if n.Most > 0 && len(candidates) > n.Most {
		c.Flags = append(c.Flags, CutCandidates)
		candidates = candidates[:n.Most]
	}
	c.Candidates = candidates
	c.Flags = append(c.Flags, remarksOn(c, names)...)
	return c, nil
}

// sentences returns those of a text that can be shown, and those that cannot; too few are an error.
func sentences(text string, gold *clinical.Names) ([]percuss.Unit, []percuss.LeftOut, error) {
	units, out := clinical.Units(text, gold)
	if len(units) < fewestSentences {
		return nil, nil, fmt.Errorf("too few sentences: %d can be used, at least %d are needed; %d were left out", len(units), fewestSentences, len(out))
	}
	return units, out, nil
}

// remarksOn are the remarks that a case earns whatever its set.
func remarksOn(c percuss.Case, gold *clinical.Names) []string {
	tells := func(s string) bool { _, in := gold.In(s); return in }
	var near, told bool
	for _, d := range c.Candidates {
		near = near || d != c.Gold && tells(d)
	}
	for _, f := range c.Facts {
		told = told || tells(f)
	}
	for _, u := range c.Units {
		told = told || !c.Narrative && tells(u.Text+" "+u.Asked)
	}
	var all []string
	for _, r := range []struct {
		flag string
		is   bool
	}{
		{NearCandidate, near}, {ParagraphGold, clinical.ParagraphDiagnosis(c.Gold)}, {UnknownNames, gold.Empty()}, {GoldTold, told},
	} {
		if r.is {
			all = append(all, r.flag)
		}
	}
	return all
}
