package explore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/run"
)

// times are how long the subjects of a run took, read again when their file has changed.
type times struct {
	mu    sync.Mutex
	stamp string
	of    map[percuss.SubjectID][]run.Timing
}

// said is a sentence on how long a subject took; empty: it is not known.
func (t *times) said(dir string, id percuss.SubjectID) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.load(dir)
	var parts []string
	at := map[string]int{} // in parts, by the model that was asked
	requests, seconds := map[string]int{}, map[string]float64{}
	for _, one := range t.of[id] {
		if _, ok := at[one.Asked]; !ok {
			at[one.Asked] = len(parts)
			parts = append(parts, "")
		}
		requests[one.Asked] += one.Requests
		seconds[one.Asked] += one.Seconds
		parts[at[one.Asked]] = fmt.Sprintf("%s: %d requests in %.1f s", one.Asked, requests[one.Asked], seconds[one.Asked])
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + ", waiting included and other items beside. Requests of a round are answered together, so that none has a time of its own."
}

// load reads the file where it is another one than before. A run of an earlier version has none, and a file that cannot be
// read is as good as none: times are for those who look on. Times are locked.
func (t *times) load(dir string) {
	info, err := os.Stat(filepath.Join(dir, run.TimesFile))
	if err != nil {
		t.stamp, t.of = "", nil
		return
	}
	stamp := fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	if stamp == t.stamp {
		return
	}
	all, err := run.Times(dir)
	if err != nil {
		t.stamp, t.of = "", nil
		return
	}
	t.stamp, t.of = stamp, map[percuss.SubjectID][]run.Timing{}
	for _, one := range all {
		t.of[one.SubjectID] = append(t.of[one.SubjectID], one)
	}
}
