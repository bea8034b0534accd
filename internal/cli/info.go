package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/llamacpp"
	"github.com/percuss/percuss/report"
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
		line := m.ID + ": " + sharingWords(c, s)
		if layout := layoutWords[r.manifest.Capabilities[m.ID].Layout]; layout != "" && r.manifest.Spec.Evidence != nil {
			line += "; " + layout
		}
		told(a.err, "  ", "%s", line)
	}
}

// sharingWords say how much work was spared: prompts that begin alike are computed once, and words that a text is likely to
// go on with are checked several at once.
func sharingWords(c model.Counts, s sharing) string {
	line := fmt.Sprintf("prompts that begin alike shared their work: %s of %s tokens of prompts were computed (%s", percuss.Grouped(int(c.PromptComputed)),
		percuss.Grouped(int(c.PromptAsked)), report.Percent(s.Share))
	if s.Bound.OK() {
		line += "; the least possible is " + report.Percent(s.Bound)
	}
	line += ")"
	if s.Rate.OK() {
		line += fmt.Sprintf(", at %s of the engine's full speed", report.Percent(s.Rate))
	}
	if s.Steps.OK() {
		line += fmt.Sprintf("; %s of %s guesses at what a text says next were right, which spared as many steps", percuss.Grouped(int(c.Accepted)), percuss.Grouped(int(c.Drafted)))
	}
	return line
}

// layoutWords say what the way in which prompts are computed together means for the scores of an evidence audit.
var layoutWords = map[string]string{
	llamacpp.Exact:  "each prompt was computed as if it were asked alone",
	llamacpp.Shared: "prompts were computed together, so the last digits of a score depend on its company",
	llamacpp.Alone:  "nothing was shared",
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

// readInfo is runinfo.json in the folder of a report; where somebody deleted it, what the run itself still says: when it was
// begun.
func readInfo(folder string) (json.RawMessage, error) {
	raw, err := os.ReadFile(filepath.Join(folder, run.InfoFile))
	if !errors.Is(err, fs.ErrNotExist) {
		return raw, err
	}
	m, err := run.ReadManifest(filepath.Dir(filepath.Clean(folder)))
	if err != nil || m.Begun.IsZero() {
		return nil, nil // a report without its run has no date
	}
	return json.Marshal(map[string]time.Time{"began": m.Begun})
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
