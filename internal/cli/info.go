package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/run"
)

// info is runinfo.json: what differs from one run of the same audit to the next.
type info struct {
	Began    time.Time               `json:"began"`
	Seconds  float64                 `json:"seconds"`
	Result   run.Result              `json:"result"`
	Models   map[string]model.Counts `json:"models"` // of this process
	Engine   map[string]sharing      `json:"engine,omitempty"`
	Attempts map[string]int          `json:"failed_attempts"`
	Error    string                  `json:"error,omitempty"`
}

// sharing says how much of the prompts the embedded engine had to compute, and how fast; in this process.
type sharing struct {
	Share percuss.Number `json:"computed_share"`    // prompt tokens computed ÷ tokens of separate prompts
	Bound percuss.Number `json:"bound"`             // the least that any way of sharing beginnings could reach, where prompts were computed as trees
	Rate  percuss.Number `json:"prefill_rate"`      // tokens a second ÷ those of one plain decode of the same size, measured in the same process; missing where timing that would have been more than 3 % of the work
	Steps percuss.Number `json:"decodes_per_token"` // decodes that a text took part in ÷ its tokens: below 1 where drafts were right
}

// sharingOf is what counts amount to.
func sharingOf(c model.Counts) sharing {
	s := sharing{Share: ratio(float64(c.PromptComputed), float64(c.PromptAsked))}
	if c.PromptDistinct > 0 && c.PromptDistinct <= c.PromptComputed { // with text in between, calls build on earlier ones
		s.Bound = ratio(float64(c.PromptDistinct), float64(c.PromptAsked))
	}
	if c.Drafted > 0 {
		s.Steps = ratio(float64(c.Output-c.Accepted), float64(c.Output))
	}
	if c.PlainTokens > 0 && c.PlainSeconds > 0 {
		s.Rate = ratio(float64(c.PromptComputed)/c.PrefillSeconds, float64(c.PlainTokens)/c.PlainSeconds)
	}
	return s
}

// ratio is missing where there is nothing to divide by.
func ratio(a, b float64) percuss.Number {
	if b == 0 {
		return percuss.Number{}
	}
	return percuss.Num(a / b)
}

// tellSharing prints what of the prompts the models computed, a line a model that computed less than all.
func (a *app) tellSharing(r *running) {
	counts := r.counted()
	for _, m := range r.manifest.Spec.Models {
		c := counts[m.ID]
		s := sharingOf(c)
		if c.PromptAsked == 0 || !s.Share.OK() || c.PromptComputed == c.PromptAsked {
			continue // a server that computes all, or does not say
		}
		line := fmt.Sprintf("%s: %d of %d prompt tokens computed (%s", m.ID, c.PromptComputed, c.PromptAsked, s.Share.Format(3))
		if s.Bound.OK() {
			line += "; no sharing of beginnings could do with less than " + s.Bound.Format(3)
		}
		line += ")"
		if s.Rate.OK() {
			line += fmt.Sprintf(", at %s of the rate of one plain decode", s.Rate.Format(2))
		} else if c.PromptDistinct > 0 {
			line += ", too few to hold their rate against a plain decode"
		}
		if s.Steps.OK() {
			line += fmt.Sprintf("; %d of %d tokens that were proposed were right, so a text took %s decodes a token", c.Accepted, c.Drafted, s.Steps.Format(2))
		}
		if layout := r.manifest.Capabilities[m.ID].Layout; layout != "" && r.manifest.Spec.Evidence != nil {
			line += ", layout " + layout
		}
		told(a.err, "  ", "%s", line)
	}
}

// counted are the counts of this process, by model.
func (r *running) counted() map[string]model.Counts {
	out := maps.Clone(r.counts)
	for id, m := range r.open {
		if c, ok := m.(model.Counter); ok {
			out[id] = out[id].Plus(c.Counts())
		}
	}
	return out
}

// writeInfo keeps times, rates and counts of this process.
func (r *running) writeInfo(dir string, began time.Time, result run.Result, failure error) error {
	i := info{Began: began.UTC(), Seconds: time.Since(began).Seconds(), Result: result, Models: r.counted(), Engine: map[string]sharing{}}
	for id, c := range i.Models {
		i.Engine[id] = sharingOf(c)
	}
	i.Result.Parts = nil // at the end they say what the specification says
	if failure != nil {
		i.Error = failure.Error()
	}
	var err error
	if i.Attempts, err = r.store.Attempts(context.Background()); err != nil {
		return err
	}
	folder := filepath.Join(dir, run.ReportFolder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if result.Answered == 0 && result.Asked == 0 {
		if _, err := os.Stat(filepath.Join(folder, run.InfoFile)); err == nil {
			return nil // nothing was asked: what an earlier process wrote says more
		}
	}
	return run.WriteFile(filepath.Join(folder, run.InfoFile), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(i)
	})
}
