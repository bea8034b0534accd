package chain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// What the classifier of surfaces is made with.
const (
	fingerprintFolds = 5
	fingerprintRidge = 1.0
	fewestEdited     = 20   // items on which an edit must have fired
	weakFingerprint  = 0.75 // an AUC whose interval ends below it is weak
)

// fingerprint asks whether an edited question can be told from an original by its surface. An edit is the same for all
// models, so each item counts once.
type fingerprint struct {
	ops       []battery.Operator // of the question
	originals map[itemOf]Surface
	edited    map[string]map[itemOf]Surface // by operator
	found     []trace
}

// trace is what the classifier found of one operator.
type trace struct {
	op      string
	auc     percuss.Estimate
	feature string         // that tells most by itself
	alone   percuss.Number // its AUC by itself, at least one half
}

func newFingerprint(a *Audit) *fingerprint {
	f := &fingerprint{originals: map[itemOf]Surface{}, edited: map[string]map[itemOf]Surface{}}
	for _, op := range a.o.Battery.Operators {
		if op.Block == battery.M {
			f.ops = append(f.ops, op)
			f.edited[op.ID] = map[itemOf]Surface{}
		}
	}
	return f
}

func (f *fingerprint) add(r Record) {
	at := itemOf{r.Subject.Set, r.Subject.Item}
	if len(r.Surface) == surfaceFeatures {
		f.originals[at] = r.Surface
	}
	for _, t := range r.Operators {
		if known := f.edited[t.ID]; known != nil && t.Edit.Fired && len(t.Surface) == surfaceFeatures {
			known[at] = t.Surface
		}
	}
}

// cases are some features of the original and the edited surface of each item on which an operator fired, in the order of
// the items.
func (f *fingerprint) cases(op string, features []int) (x [][]float64, edited []bool, item []string) {
	order := func(a, b itemOf) int { return cmp.Or(cmp.Compare(a.set, b.set), cmp.Compare(a.item, b.item)) }
	for _, at := range slices.SortedFunc(maps.Keys(f.edited[op]), order) {
		original, ok := f.originals[at]
		if !ok {
			continue
		}
		name := fmt.Sprintf("%q %q", at.set, at.item)
		x = append(x, original.only(features), f.edited[op][at].only(features))
		edited, item = append(edited, false, true), append(item, name, name)
	}
	return x, edited, item
}

// seen are the features by which the edits of an operator are told. A structural edit puts in or takes out whole passages:
// that the text has another length is the edit itself and not a trace that it leaves.
func seen(op battery.Operator) []int {
	var out []int
	for j := range surfaceFeatures {
		if op.Locus != battery.Structural || !isLength(j) {
			out = append(out, j)
		}
	}
	return out
}

// measure classifies the surfaces of one operator.
func (f *fingerprint) measure(operator battery.Operator, o stat.Options) trace {
	op, features := operator.ID, seen(operator)
	x, edited, item := f.cases(op, features)
	if n := len(x) / 2; n < fewestEdited {
		e := percuss.Absent(fmt.Sprintf("there are edited questions of %s; a classifier takes %d", plural(n, "item"), fewestEdited))
		e.N = n
		return trace{op: op, auc: e}
	}
	scores, err := stat.CrossValidated(x, edited, item, fingerprintFolds, fingerprintRidge, o.Seed)
	if err != nil {
		return trace{op: op, auc: percuss.Absent(err.Error())}
	}
	o.Replicates = min(o.Replicates, stat.DefaultReplicates) // no digit that is shown hangs on more
	out := trace{op: op, auc: stat.AUC(scores, edited, item, o)}
	if out.auc.Value.OK() {
		out.auc.Method += "; given the classifiers of the folds"
	}
	for j, feature := range features {
		column := make([]float64, len(x))
		for i := range x {
			column[i] = x[i][j]
		}
		v, ok := stat.AUC(column, edited, item, stat.Options{Replicates: 1}).Value.Get()
		if v = max(v, 1-v); ok && v > out.alone.Or(0.5) {
			out.feature, out.alone = SurfaceFeatures()[feature], percuss.Num(v)
		}
	}
	return out
}

// conditional says what the interval of an AUC leaves out.
const conditional = "The intervals resample the items; the classifiers stay those that the folds gave and are not trained anew. How far other training items would move the AUC is in no interval."

func (f *fingerprint) analyses(s *summary) []percuss.Analysis {
	a := percuss.Analysis{ID: "fingerprint", Title: "Can an edited question be told from an original by its surface?",
		About: "A model that notices that a text was edited may react to that and not to the content. A classifier that knows no medicine, only the surface, is trained on some items and tried on others."}
	t := percuss.Table{ID: "fingerprint", Title: "Fingerprints of the edits of the question",
		About: fmt.Sprintf("AUC of a ridge logistic regression on %d features of the surface, %d folds by item, so that an item's original and edit are always held out together. 0.5: the surface tells nothing; 1: it tells all.", surfaceFeatures, fingerprintFolds),
		Columns: []percuss.Column{headed("edit", "Edit", percuss.Words), headed("items", "Items", percuss.Whole), headed("auc", "AUC", percuss.Rate),
			headed("feature", "Feature that tells most alone", percuss.Words), headed("alone", "Its AUC", percuss.Rate), headed("reading", "Reading", percuss.Words)},
		Rows: []percuss.Row{}, Notes: []string{conditional}}
	if names := f.structural(); len(names) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s: told without words and sentences. These edits put in or take out whole passages, so the text's length is the edit itself and not a trace of it.", strings.Join(names, ", ")))
	}
	for _, op := range f.ops {
		x := f.measure(op, s.o)
		f.found = append(f.found, x)
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(op.ID), percuss.Counted(x.auc.N), percuss.Measured(x.auc),
			percuss.Said(x.feature), percuss.Valued(x.alone), percuss.Said(x.reading())}})
	}
	if len(t.Rows) == 0 {
		a.Absent = "the battery edits no question"
		return []percuss.Analysis{a}
	}
	a.Tables = []percuss.Table{t}
	return []percuss.Analysis{a}
}

// structural names the edits that are told without the length of the text.
func (f *fingerprint) structural() []string {
	var out []string
	for _, op := range f.ops {
		if op.Locus == battery.Structural {
			out = append(out, op.ID)
		}
	}
	return out
}

// reading says what an AUC means.
func (x trace) reading() string {
	switch x.auc.Below(weakFingerprint) {
	case percuss.ClaimHolds:
		return "weak: the surface tells little"
	case percuss.ClaimFails:
		return "strong: the surface tells"
	}
	if !x.auc.Value.OK() {
		return "too few items"
	}
	return fmt.Sprintf("cannot tell whether it is below %.2f", weakFingerprint)
}

// claims are that no edit can be told by its surface.
func (f *fingerprint) claims(s *summary) []percuss.Claim {
	if len(s.cells) == 0 {
		return nil
	}
	var out []percuss.Claim
	structural := f.structural()
	for _, x := range f.found {
		says := "The edited question cannot be told from the original by its surface."
		if slices.Contains(structural, x.op) {
			says = "The edited question cannot be told from the original by its surface, its length apart, which is what the edit changes."
		}
		shown := measured("AUC", x.auc)
		if x.feature != "" {
			shown += fmt.Sprintf("; most by %q alone (%s)", x.feature, x.alone.Format(3))
		}
		out = append(out, claim("fingerprint", x.op, says,
			x.auc.Below(weakFingerprint), x.auc, shown, fmt.Sprintf("an AUC whose interval lies above %.2f", weakFingerprint)))
	}
	return out
}
