package llamacpp

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// testVersion is that of the test of the exact layout, and of how that layout lays prompts on streams. It grows when
// either changes, so that what another version found is not believed.
const testVersion = 2

// conditions are all that the outcome of the test depends on: kernels are chosen by the processor's features and by the
// library's own variables, and divide their work by threads and by the size of a decode.
type conditions struct {
	Test     int
	Library  []string // its files, with size and time of change
	System   string   // the processor's features that the library uses
	Devices  []string
	Settings []string // the library's environment variables
	Model    string   // SHA-256 of the file
	Threads  int
	Chunk    int
}

// outcome is the outcome of a test, as it is kept.
type outcome struct {
	Of   conditions `json:"of"`
	Unit int        `json:"unit"` // with which the layout holds; 0: with none
}

// outcomes are those of earlier tests of one model under the same conditions. Without a file there are none, and none
// are kept.
type outcomes struct {
	file string
	of   conditions
}

// tested finds where the outcome is kept for a model that is being opened; dir is Options.Tests. On an accelerator the
// test is short, and the driver, whose version is not known here, is one thing more that it depends on: nothing is kept.
func tested(dir, sum string, e *engine) outcomes {
	if dir == "" || accelerated() {
		return outcomes{}
	}
	of := conditions{Test: testVersion, System: llama.PrintSystemInfo(), Model: sum, Threads: e.threads, Chunk: e.chunk}
	files, err := os.ReadDir(library.dir)
	if err != nil {
		return outcomes{}
	}
	for _, f := range files {
		info, err := os.Stat(filepath.Join(library.dir, f.Name())) // what a link leads to
		if err != nil {
			return outcomes{}
		}
		of.Library = append(of.Library, fmt.Sprintf("%s %d %d", f.Name(), info.Size(), info.ModTime().UnixNano()))
	}
	for i := range llama.GGMLBackendDeviceCount() {
		of.Devices = append(of.Devices, llama.GGMLBackendDeviceDescription(llama.GGMLBackendDeviceGet(i)))
	}
	// The library reads the process's environment itself, whatever this package is told.
	of.Settings = slices.Sorted(slices.Values(slices.DeleteFunc(os.Environ(), func(s string) bool { return !strings.HasPrefix(s, "GGML_") })))
	text, err := json.Marshal(of)
	if err != nil {
		return outcomes{}
	}
	key := sha256.Sum256(text)
	return outcomes{file: filepath.Join(dir, hex.EncodeToString(key[:16])+".json"), of: of}
}

// unit returns what was found. A file that is damaged, or tells of other conditions, tells nothing.
func (o outcomes) unit() (unit int, known bool) {
	if o.file == "" {
		return 0, false
	}
	text, err := os.ReadFile(o.file)
	if err != nil {
		return 0, false
	}
	var kept outcome
	if json.Unmarshal(text, &kept) != nil || !reflect.DeepEqual(kept.Of, o.of) || !slices.Contains([]int{0, 1, 2, 4}, kept.Unit) {
		return 0, false
	}
	return kept.Unit, true
}

// keep remembers an outcome, whole or not at all. Where that fails, the next opening tests again.
func (o outcomes) keep(unit int) {
	text, err := json.Marshal(outcome{Of: o.of, Unit: unit})
	if o.file == "" || err != nil {
		return
	}
	writeNote(o.file, string(text))
}
