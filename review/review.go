// Package review draws blinded, seeded samples of a run for clinicians, keeps the key that says what each item is, and joins
// what they said with the run. (Chain audit, section 7; evidence audit, section 6.) What raters see is made by package
// blind, which knows neither models nor labels.
package review

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss/evidence"
)

// Design says what is sampled of a run.
type Design string

// The designs of the chain audit, one for each task.
const (
	// Edits is edits of questions, the same for all models, some of them with one model's flip (Table 12).
	Edits Design = "edits"
	// Updates is models' trials by family and by whether the token rule finds the edit in the chain.
	Updates Design = "updates"
)

// JudgedSteps is the design of the step audit: steps that a judge was asked about, of each model as many that the first judge calls
// an error as others.
const JudgedSteps Design = "steps"

// The two designs of interactions.
const (
	// Queue is the strongest interactions of the strict suspicious set, and random salient ones outside the strict rules,
	// to be taken through the cascade (Table 7).
	Queue Design = "queue"
	// Buckets is a sample over the mechanisms (Tables 3, 5 and 19).
	Buckets Design = "buckets"
)

// Designs lists those of interactions.
func Designs() []Design { return []Design{Queue, Buckets} }

// Quota is how many interactions a bucket of a design is to give.
type Quota struct {
	Bucket string
	N      int
}

// The buckets of the designs.
const (
	suspicious = "suspicious" // of Queue: rules of the strict suspicious set
	random     = "random"     // of Queue: other salient interactions
	faithful   = "faithful"
	conflict   = "conflict"
	background = "background"
	negated    = "negated"
	control    = "control" // of Buckets: what no rule but the last named

	erroneous = "error"    // of JudgedSteps: the first judge calls the step an error
	others    = "no error" // and it does not: it is correct to it, claims nothing, or has no verdict

	flips      = "flips"            // of Edits: how many of the drawn edits show a flip as well
	registered = " registered"      // of Updates, behind the family: the token rule finds the edit in the chain
	silent     = " without a trace" // and it does not
)

// quotas are those of the paper.
func (d Design) quotas() []Quota {
	switch d {
	case Edits:
		return []Quota{{"M2", 49}, {"M3", 49}, {"M4", 49}, {"M5", 50}, {flips, 75}}
	case Updates:
		var out []Quota
		for _, family := range []string{"M2", "M4", "M5"} {
			out = append(out, Quota{family + registered, 25}, Quota{family + silent, 25})
		}
		return out
	case JudgedSteps:
		return []Quota{{erroneous, 75}, {others, 75}}
	case Queue:
		return []Quota{{suspicious, 300}, {random, 100}}
	case Buckets:
		return []Quota{{faithful, 30}, {conflict, 40}, {background, 20}, {negated, 20}, {control, 20}}
	}
	return nil
}

// Quotas returns the quotas of a design. asked is empty for those of the paper, a number for as many in all, in the same
// proportions, or BUCKET=N,... for single buckets; those not named keep theirs.
func Quotas(d Design, asked string) ([]Quota, error) {
	quotas := d.quotas()
	if quotas == nil {
		return nil, fmt.Errorf("there is no design %q: there are %v", d, Designs())
	}
	if asked == "" {
		return quotas, nil
	}
	if total, err := strconv.Atoi(asked); err == nil {
		if total < 1 || total > most {
			return nil, fmt.Errorf("a sample of %d: from 1 to %d", total, most)
		}
		return scaled(quotas, total), nil
	}
	for part := range strings.SplitSeq(asked, ",") {
		name, number, _ := strings.Cut(part, "=")
		at := slices.IndexFunc(quotas, func(q Quota) bool { return q.Bucket == strings.TrimSpace(name) })
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if at < 0 || err != nil || n < 0 || n > most {
			return nil, fmt.Errorf("%q: a number in all, or BUCKET=N with N from 0 to %d, separated by commas; the buckets of %s are %s",
				part, most, d, strings.Join(names(quotas), ", "))
		}
		quotas[at].N = n
	}
	return quotas, nil
}

// most is the largest sample: more than anybody can review.
const most = 1_000_000

// scaled spreads a total over the buckets in proportion to their quotas: whole parts first, then the largest remainders.
func scaled(quotas []Quota, total int) []Quota {
	if at := slices.IndexFunc(quotas, func(q Quota) bool { return q.Bucket == flips }); at >= 0 { // a part of the edits, not beside them
		edits := slices.Delete(slices.Clone(quotas), at, at+1)
		return slices.Insert(scaled(edits, total), at, Quota{flips, (quotas[at].N*total + size(edits)/2) / size(edits)})
	}
	sum := size(quotas)
	out := slices.Clone(quotas)
	order := make([]int, len(quotas))
	left := total
	for i, q := range quotas {
		order[i], out[i].N = i, q.N*total/sum
		left -= out[i].N
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(quotas[b].N*total%sum, quotas[a].N*total%sum) })
	for _, i := range order[:left] {
		out[i].N++
	}
	return out
}

// size is the sum of quotas.
func size(quotas []Quota) int {
	sum := 0
	for _, q := range quotas {
		sum += q.N
	}
	return sum
}

func names(quotas []Quota) []string {
	out := make([]string, len(quotas))
	for i, q := range quotas {
		out[i] = q.Bucket
	}
	return out
}

// bucketOf is the bucket of an interaction; empty: the design does not sample it. A table of rules may be the user's
// own, so buckets go by the rules' coarse classes; a control is what only the last rule names, where that calls it
// plausible (rule 8 of the shipped table).
func (d Design) bucketOf(i evidence.Interaction, narrative bool, labels evidence.Labels) string {
	if d == Queue {
		if i.Suspicious {
			return suspicious
		}
		return random
	}
	rules := labels.Rules
	if narrative {
		rules = labels.Narrative
	}
	at := slices.IndexFunc(rules, func(r evidence.Rule) bool { return r.ID == i.Rule })
	if at < 0 {
		return ""
	}
	switch rules[at].Coarse {
	case "faithful/plausible":
		if at == len(rules)-1 {
			return control
		}
		return faithful
	case conflict, background, negated:
		return rules[at].Coarse
	}
	return ""
}
