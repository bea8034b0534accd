// Package index is the explorer's disposable index of a run: every trial as a narrow row, counted by what a reader may
// filter by. It is made of records and never a source.
package index

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Filter is which trials are shown, as an address says it. The zero value shows all. Several values of a field are
// alternatives; fields narrow one another.
type Filter struct {
	Model, Set, Prompt, Operator, Family []string
	Flip, Joint, State, Outcome          []string // of a chain audit: chain.Flip, the joint cell a to d, chain.State, percuss.Outcome
	Role, Label, Stratum, Verdict        []string // of an evidence audit
	Vote, Says, Error, Found             []string // of a step audit: see the fields of these names
	Suspicious, Right, Noted             string   // "yes", "no" or empty
	Candidate                            string   // the gold's or the answer's text holds this
	Size                                 string   // least change of a margin, or strength, nats: one of Sizes, or empty
	Text                                 string   // full text: words, a "phrase in quotes", -word
}

// Sizes are the classes of Size, nats.
var Sizes = [...]string{"0.5", "1", "2", "4"}

// mostText and mostValues bound what an address may ask for.
const (
	mostText   = 500
	mostValues = 64
)

// lists are the fields with alternatives, by their name in the address.
func (f *Filter) lists() map[string]*[]string {
	return map[string]*[]string{"model": &f.Model, "set": &f.Set, "prompt": &f.Prompt, "op": &f.Operator, "family": &f.Family,
		"flip": &f.Flip, "joint": &f.Joint, "state": &f.State, "outcome": &f.Outcome,
		"role": &f.Role, "label": &f.Label, "stratum": &f.Stratum, "verdict": &f.Verdict,
		"vote": &f.Vote, "says": &f.Says, "error": &f.Error, "found": &f.Found}
}

// words are the fields with one value, with what it may be; nil: any text.
func (f *Filter) words() map[string]struct {
	at  *string
	may []string
} {
	type word = struct {
		at  *string
		may []string
	}
	yesNo := []string{"yes", "no"}
	return map[string]word{"suspicious": {&f.Suspicious, yesNo}, "right": {&f.Right, yesNo}, "noted": {&f.Noted, yesNo},
		"size": {&f.Size, Sizes[:]}, "candidate": {&f.Candidate, nil}, "text": {&f.Text, nil}}
}

// Parse reads a filter from an address. Names that are not a filter's are left alone: a page has others. The error
// names the value and what it may be.
func Parse(v url.Values) (Filter, error) {
	var f Filter
	for name, at := range f.lists() {
		for _, value := range v[name] {
			if value == "" || slices.Contains(*at, value) {
				continue
			}
			if err := readable(name, value); err != nil {
				return Filter{}, err
			}
			*at = append(*at, value)
		}
		if len(*at) > mostValues {
			return Filter{}, fmt.Errorf("%s: %d values, at most %d are taken", name, len(*at), mostValues)
		}
		slices.Sort(*at)
	}
	for name, word := range f.words() {
		value := v.Get(name)
		if word.may == nil {
			value = strings.TrimSpace(value)
		}
		if err := readable(name, value); err != nil {
			return Filter{}, err
		}
		if value != "" && word.may != nil && !slices.Contains(word.may, value) {
			return Filter{}, fmt.Errorf("%s=%s: it may be %s", name, strconv.Quote(value), strings.Join(word.may, ", "))
		}
		*word.at = value
	}
	return f, nil
}

// readable refuses what no list could hold.
func readable(name, value string) error {
	if len(value) > mostText || !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		return fmt.Errorf("%s: no text of at most %d bytes", name, mostText)
	}
	return nil
}

// Encode is the inverse of Parse.
func (f Filter) Encode() url.Values {
	v := url.Values{}
	for name, at := range f.lists() {
		if len(*at) > 0 {
			v[name] = slices.Clone(*at)
		}
	}
	for name, word := range f.words() {
		if *word.at != "" {
			v.Set(name, *word.at)
		}
	}
	return v
}

// Any reports whether the filter leaves something out.
func (f Filter) Any() bool { return len(f.Encode()) > 0 }

// With is the filter with one more value of a field, by its name in the address, or without it where it has it.
func (f Filter) With(name, value string) Filter {
	if list, ok := f.lists()[name]; ok {
		changed := slices.Clone(*list)
		if i := slices.Index(changed, value); i >= 0 {
			changed = slices.Delete(changed, i, i+1)
		} else {
			changed = append(changed, value)
			slices.Sort(changed)
		}
		*list = changed
		return f
	}
	if word, ok := f.words()[name]; ok {
		if *word.at == value {
			value = ""
		}
		*word.at = value
	}
	return f
}
