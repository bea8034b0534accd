package review

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/review/blind"
)

// Judged is what reviewers said of a sample.
type Judged struct {
	Judgements []evidence.Judgement // one for each id that is decided, by id, those of a queue last: whoever wants one bucket for an interaction that is in two samples takes the mechanism's
	Awaiting   []string             // ids of those on which the reviewers have no majority: they await adjudication
	Open       int                  // rows' ids that nobody has judged yet
	Reviewers  []string             // by name, without the adjudicator
}

// JudgementsOf reads the files that reviewers of a run filled in. The keys are those in the run's folder of samples and
// those beside the files.
func JudgementsOf(run string, files []string) (Judged, error) {
	keys, err := filepath.Glob(filepath.Join(globbed(run), Folder, "*", KeyFile))
	if err != nil {
		return Judged{}, err
	}
	for _, f := range files {
		if k := filepath.Join(filepath.Dir(f), KeyFile); !slices.Contains(keys, k) {
			if _, err := os.Stat(k); err == nil {
				keys = append(keys, k)
			}
		}
	}
	if len(keys) == 0 {
		return Judged{}, fmt.Errorf("there is no key that says what the rows of %s are: put the %s that `percuss review create` wrote beside them, or into a folder of %s",
			strings.Join(files, ", "), KeyFile, filepath.Join(run, Folder))
	}
	return ReadJudgements(files, keys)
}

// globbed keeps signs of a folder's name from being read as a pattern.
func globbed(path string) string {
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// word is what one reviewer says of one id.
type word struct {
	row                 row
	verdict, confidence string
}

// ReadJudgements reads files that reviewers filled in, CSV or JSON lines with id, rater (or reviewer), judgement and
// confidence. Rows without a judgement are open. keys are the key files. What is not as it should be is an error with
// file and line: an unknown id or word, a confidence without a judgement, a judgement without a rater (the name of a file
// is none, for a copy would be another rater), two judgements of one rater, whatever the capitals, on one id. In two files of
// which both say when (at, RFC 3339), as those of two unsealed reviews of one run, the later judgement holds.
//
// Where several reviewers judged an id, the judgement of more than half of them holds, with the middle one of their
// confidences, the lower of two; where there is none, the id awaits adjudication. A row of the reviewer "adjudicated" is
// final.
func ReadJudgements(files, keys []string) (Judged, error) {
	key, err := readKeys(keys)
	if err != nil {
		return Judged{}, err
	}
	words := map[string]map[string]word{} // by id, by reviewer
	for _, path := range files {
		rows := 0
		for r, err := range readRows(path, []string{"id", "judgement", "confidence"}, []string{"reviewer", "rater", "at"}) {
			if err != nil {
				return Judged{}, err
			}
			if r.fields["id"] == blind.GuideRow {
				continue
			}
			rows++
			if err := take(r, key, words); err != nil {
				return Judged{}, err
			}
		}
		if rows == 0 {
			return Judged{}, fmt.Errorf("%s holds no rows of a sample: give the file that the reviewers filled in", path)
		}
	}
	return decide(key, words), nil
}

// take checks a row and keeps what it says.
func take(r row, keys map[string]Key, words map[string]map[string]word) error {
	id := r.fields["id"]
	if _, ok := keys[id]; !ok {
		return r.fault("id %q is in no key file: it may belong to another run or sample; give the run that it was drawn from, and keep its key beside the file", id)
	}
	if words[id] == nil {
		words[id] = map[string]word{}
	}
	w := word{row: r, verdict: strings.ToLower(r.fields["judgement"]), confidence: strings.ToLower(r.fields["confidence"])}
	switch {
	case w.verdict == "" && w.confidence != "":
		return r.fault("a confidence without a judgement: write one of %s, or leave both empty", strings.Join(verdicts(), ", "))
	case w.verdict == "":
		return nil
	case !slices.Contains(verdicts(), w.verdict):
		return r.fault("judgement %q: write one of %s", r.fields["judgement"], strings.Join(verdicts(), ", "))
	case w.confidence != "" && !slices.Contains(confidences(), w.confidence):
		return r.fault("confidence %q: write one of %s, or nothing", r.fields["confidence"], strings.Join(confidences(), ", "))
	}
	who := cmp.Or(r.fields["rater"], r.fields["reviewer"])
	if who == "" {
		return r.fault("it does not say who the rater is: fill in the column %q", "rater")
	}
	if strings.EqualFold(who, Adjudicator) {
		who = Adjudicator
	}
	for name, old := range words[id] {
		if !strings.EqualFold(name, who) {
			continue
		}
		later, ok := r.replaces(old.row)
		if !ok {
			return r.fault("rater %s has judged %s already (%s): leave one of the two, or give each rater a name", who, id, old.row.at())
		}
		if !later {
			return nil
		}
		delete(words[id], name)
	}
	words[id][who] = w
	return nil
}

// decide settles every id.
func decide(keys map[string]Key, words map[string]map[string]word) Judged {
	out := Judged{}
	reviewers := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(words)) {
		for who := range words[id] {
			if who != Adjudicator {
				reviewers[who] = true
			}
		}
		switch verdict, confidence, err := settle(words[id]); {
		case errors.Is(err, errOpen):
			out.Open++
		case err != nil:
			out.Awaiting = append(out.Awaiting, id)
		default:
			k := keys[id]
			out.Judgements = append(out.Judgements, evidence.Judgement{Item: k.Item, Model: k.Model, Target: k.Target, Units: k.Units,
				Bucket: k.Bucket, Verdict: verdict, Confidence: confidence})
		}
	}
	slices.SortStableFunc(out.Judgements, func(a, b evidence.Judgement) int { return cmp.Compare(fromQueue(a), fromQueue(b)) })
	out.Reviewers = slices.Sorted(maps.Keys(reviewers))
	return out
}

// fromQueue is 1 for a judgement of a queue, else 0.
func fromQueue(j evidence.Judgement) int {
	if slices.Contains(names(Queue.quotas()), j.Bucket) {
		return 1
	}
	return 0
}

// What an id may be short of.
var (
	errOpen  = errors.New("nobody has judged it")
	errSplit = errors.New("no judgement has a majority")
)

// settle is the judgement that holds for one id.
func settle(words map[string]word) (verdict, confidence string, err error) {
	if len(words) == 0 {
		return "", "", errOpen
	}
	if w, ok := words[Adjudicator]; ok {
		return w.verdict, w.confidence, nil
	}
	votes := map[string][]int{} // by verdict, places of the confidences
	counts := map[string]int{}
	for _, w := range words {
		counts[w.verdict]++
		if at := slices.Index(confidences(), w.confidence); at >= 0 {
			votes[w.verdict] = append(votes[w.verdict], at)
		}
	}
	for v, n := range counts {
		if 2*n <= len(words) {
			continue
		}
		if c := votes[v]; len(c) > 0 {
			slices.Sort(c)
			confidence = confidences()[c[len(c)/2]]
		}
		return v, confidence, nil
	}
	return "", "", errSplit
}

// verdicts and confidences are the labels of the form of interactions, the confidences from the surest.
func verdicts() []string    { return labelsOf(judgement) }
func confidences() []string { return labelsOf(confidence) }

var interactionForm = sync.OnceValue(func() blind.Package {
	f, err := blind.FormOf(blind.Interactions)
	if err != nil {
		panic("review: " + err.Error()) // it is shipped, and a test reads it
	}
	return blind.Package{Questions: f.Questions}
})

func labelsOf(question string) []string {
	var out []string
	for _, l := range interactionForm().Question(question).Labels {
		out = append(out, l.ID)
	}
	return out
}
