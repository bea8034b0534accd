package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"github.com/percuss/percuss/review/blind"
)

// keySchema names the format of a key file.
const keySchema = "percuss.review.key/2"

// keyHead is the first line of a key file.
type keyHead struct {
	Schema  string     `json:"schema"`
	Task    blind.Kind `json:"task"`
	Run     string     `json:"run,omitempty"`
	Design  Design     `json:"design,omitempty"`
	Seed    uint64     `json:"seed"`
	Salient float64    `json:"salient,omitempty"` // nats
	Strata  []Stratum  `json:"strata,omitempty"`  // how many of how many were drawn, for estimates of the whole run
}

// Key says what an item of a sample is. It is what raters must not see.
type Key struct {
	ID     string `json:"id"`
	Bucket string `json:"bucket,omitempty"` // the stratum that it was drawn for

	Run     string `json:"run,omitempty"`
	Variant string `json:"variant,omitempty"`
	Model   string `json:"model,omitempty"` // empty: the edit is the same for all models
	Tier    string `json:"tier,omitempty"`
	Set     string `json:"set,omitempty"`
	Item    string `json:"item,omitempty"`

	// Of the chain audit.
	Operator   string `json:"operator,omitempty"`
	Family     string `json:"family,omitempty"`
	Intent     string `json:"intent,omitempty"`     // of an operator: D or P
	Locus      string `json:"locus,omitempty"`      // of an operator: Str or Sur
	Registered *bool  `json:"registered,omitempty"` // the token rule finds the edit in the chain

	// Of the step audit.
	Chain  int               `json:"chain,omitempty"` // from 1
	View   string            `json:"view,omitempty"`
	Step   int               `json:"step,omitempty"`   // from 1
	Judges map[string]string `json:"judges,omitempty"` // what each judge says of it
	Weight float64           `json:"weight,omitempty"` // how many of the model's judged steps of its bucket it stands for: the inverse of the share drawn, times the steps that look alike

	// Of the evidence audit.
	Target     string   `json:"target,omitempty"` // the audited diagnosis
	Units      []string `json:"units,omitempty"`  // ids
	Rule       string   `json:"rule,omitempty"`
	Label      string   `json:"label,omitempty"`
	Suspicious bool     `json:"suspicious,omitempty"`
	Value      float64  `json:"value,omitempty"` // nats, signed

	// Of items that are there to look at the raters.
	Repeats  string            `json:"repeats,omitempty"`  // the id of the item that it shows again
	Expected map[string]string `json:"expected,omitempty"` // of an attention item: question -> label
}

// Judged says whether the item is one of the sample, and not there to look at the raters.
func (k Key) Judged() bool { return k.Repeats == "" && k.Expected == nil }

// name identifies what an item shows whatever run and sample it stands in.
func (k Key) name() string {
	all := []any{k.Variant, k.Model, k.Set, k.Item, k.Operator, k.Target, k.Units, k.Repeats}
	if k.Step > 0 {
		all = append(all, k.Chain, k.View, k.Step)
	}
	raw, err := json.Marshal(all)
	if err != nil {
		panic("review: texts do not become JSON: " + err.Error()) // they always do
	}
	return string(raw)
}

// bytes are the key file of a sample.
func (s Sample) key() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	if err := e.Encode(keyHead{keySchema, s.Task, s.Options.Run, s.Options.Design, s.Options.Seed, s.Options.Salient, s.Strata}); err != nil {
		return nil, err
	}
	for _, k := range s.Keys {
		if err := e.Encode(k); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// readKeys reads key files into one table by id. An id that two of them give to different things is an error.
func readKeys(paths []string) (map[string]Key, error) {
	keys := map[string]Key{}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		_, list, err := parseKeys(path, raw)
		if err != nil {
			return nil, err
		}
		for i, k := range list {
			if old, ok := keys[k.ID]; ok && old.name() != k.name() {
				return nil, fmt.Errorf("%s: line %d: id %s stands for something else in another key file: keep the keys of one run only", path, i+2, k.ID)
			}
			keys[k.ID] = k
		}
	}
	return keys, nil
}

// parseKeys reads one key file.
func parseKeys(path string, raw []byte) (keyHead, []Key, error) {
	var head keyHead
	var keys []Key
	for i, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
		if i == 0 {
			if err := json.Unmarshal(line, &head); err != nil || head.Schema != keySchema {
				return head, nil, fmt.Errorf("%s: line 1: no key file of this version of Percuss (it would say %q); `percuss review create` writes one", path, keySchema)
			}
			continue
		}
		var k Key
		if err := json.Unmarshal(line, &k); err != nil || k.ID == "" {
			return head, nil, fmt.Errorf("%s: line %d: damaged; restore the file from a copy, or make it again with `percuss review create` and the same seed", path, i+1)
		}
		keys = append(keys, k)
	}
	return head, keys, nil
}
