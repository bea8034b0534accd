package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/stat/lattice"
)

// candidateView is a candidate with its score on the full evidence.
type candidateView struct {
	Letter, Name string
	Score        string // natural log of its letter's probability; "≤" before a bound
	Chance       string // that probability
	Bar          string // the same in percent, as the length of a bar; empty: it is not known
	Bound        bool   // the true score is lower
	Gold, Chosen bool
}

// readCandidates finds the answer to the full evidence under the base setting.
func (v *caseView) readCandidates() {
	var letters map[string]percuss.LetterScore
	if all := v.asked(lattice.Full(len(v.Record.Units))); len(all) > 0 {
		v.Prompt, letters = lastUser(all[0].Request), v.letters(all[0])
	}
	for i, name := range v.Record.Candidates {
		c := candidateView{Letter: percuss.Label(i), Name: name, Gold: name == v.Record.Gold, Chosen: name == v.Record.Base.Prediction && name != ""}
		c.score(letters[c.Letter])
		v.Candidates = append(v.Candidates, c)
	}
}

// letters are the scores of a trial's answer, by letter.
func (v *caseView) letters(t percuss.Trial) map[string]percuss.LetterScore {
	out := map[string]percuss.LetterScore{}
	if v.Answers == nil {
		return out
	}
	a, _ := v.Answers.Answer(t.Key())
	for _, l := range a.Letters {
		out[l.Letter] = l
	}
	return out
}

// asked are the trials of the base setting that show a set of findings: the prompt in the base order first, then its
// rotations and repetitions. Their labels are those of the ledger.
func (v *caseView) asked(shown lattice.Set) []percuss.Trial {
	rotated := v.Record.Base.Setting
	base := rotated.String()
	settings := map[string]bool{base: true}
	for rotated.Rotation = 1; rotated.Rotation < len(v.Record.Candidates); rotated.Rotation++ {
		settings[rotated.String()] = true
	}
	var out []percuss.Trial
	digits := strconv.AppendUint(nil, uint64(shown), 10)
	for _, t := range v.Trials {
		if t.Request == nil || !bytes.Contains(t.Labels, digits) { // looked at before it is decoded, which takes far longer
			continue
		}
		var l struct {
			Kind      string      `json:"kind"`
			In        string      `json:"in"`
			Shown     lattice.Set `json:"shown"`
			Replicate int         `json:"replicate"`
		}
		if json.Unmarshal(t.Labels, &l) != nil || l.Kind != "subset" || !settings[l.In] || l.Shown != shown {
			continue
		}
		if l.In == base && l.Replicate == 0 {
			out = slices.Insert(out, 0, t)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// readCalls counts how the case's calls ended.
func (v *caseView) readCalls() {
	counts := map[percuss.Outcome]int{}
	seen := map[percuss.Key]bool{}
	for _, t := range v.Trials {
		if t.Request == nil {
			if t.Fired {
				v.Requests++
				counts[percuss.Failed]++
			}
			continue
		}
		key := t.Key()
		if seen[key] {
			continue
		}
		seen[key] = true
		v.Requests++
		outcome := percuss.Failed
		if v.Answers != nil {
			if a, ok := v.Answers.Answer(key); ok {
				outcome = a.Outcome
			}
		}
		counts[outcome]++
	}
	for _, o := range percuss.Outcomes() {
		if counts[o] > 0 {
			v.Outcomes = append(v.Outcomes, evidence.Count{Name: string(o), N: counts[o]})
		}
	}
}

// callView is one call.
type callView struct {
	Trial   string
	Outcome percuss.Outcome
	Usage   percuss.Usage
	Key     percuss.Key
	Href    string
}

// stand adds what was asked and answered where the reader stands.
func (v *caseView) stand(w *walkView, raw func(percuss.Key) string) {
	var letters map[string]percuss.LetterScore
	for _, t := range v.asked(w.Here.Shown) {
		c := v.call(t, raw)
		w.Calls = append(w.Calls, c)
		if w.Prompt == "" {
			w.Prompt, letters = lastUser(t.Request), v.letters(t)
		}
	}
	for i, c := range v.Candidates {
		here := c
		here.score(letters[percuss.Label(i)])
		w.Candidates = append(w.Candidates, standView{c, here})
	}
}

// call is one call of the case.
func (v *caseView) call(t percuss.Trial, raw func(percuss.Key) string) callView {
	c := callView{Trial: t.ID, Key: t.Key(), Outcome: percuss.Failed}
	if raw != nil {
		c.Href = raw(c.Key)
	}
	if v.Answers != nil {
		if a, ok := v.Answers.Answer(c.Key); ok {
			c.Outcome, c.Usage = a.Outcome, a.Usage
		}
	}
	return c
}

// calls are all calls of the case.
func (v *caseView) calls(raw func(percuss.Key) string) []callView {
	var out []callView
	for _, t := range v.Trials {
		if t.Request != nil {
			out = append(out, v.call(t, raw))
		}
	}
	return out
}

// score fills in the score of the candidate's letter.
func (c *candidateView) score(l percuss.LetterScore) {
	c.Score, c.Chance, c.Bar, c.Bound = minus(l.LogProb.Format(2)), "–", "", l.Censored
	p, ok := l.LogProb.Get()
	if !ok {
		return
	}
	p = math.Exp(min(p, 0))
	c.Chance, c.Bar = chance(p), fmt.Sprintf("%.1f", 100*p)
	if l.Censored {
		c.Score, c.Chance = "≤ "+c.Score, "≤ "+strings.TrimPrefix(c.Chance, "< ")
	}
}

// chance prints a probability in percent; one that would be rounded to nothing is not 0.
func chance(p float64) string {
	if p > 0 && p < 0.0005 {
		return "< 0.1 %"
	}
	return report.Percent(percuss.Num(p))
}

// minus sets a true minus sign before a number.
func minus(s string) string { return strings.Replace(s, "-", "−", 1) }
