package prompt

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// plus stands between a condition and what is added to it, as in "neutral+self-grounding".
const plus = "+"

// Conditions lists the prompt conditions: the names of the system prompts, sorted, each followed by itself with one
// addendum. Several addenda can be added too, see Has.
func (s Set) Conditions() []string {
	var names []string
	for _, base := range s.bases() {
		names = append(names, base)
		for _, a := range s.addenda() {
			names = append(names, base+plus+a)
		}
	}
	return names
}

// Has returns nil where a condition can be asked: the name of a system prompt, with any of the addenda behind it, each
// once. The error says what there is.
func (s Set) Has(condition string) error {
	_, _, err := s.split(condition)
	return err
}

// split takes a condition apart.
func (s Set) split(condition string) (base string, addenda []string, err error) {
	base, rest, more := strings.Cut(condition, plus)
	if more {
		addenda = strings.Split(rest, plus)
	}
	_, ok := s.letters.System[base]
	for i, a := range addenda {
		_, known := s.text.Addenda[a]
		ok = ok && known
		if ok && slices.Contains(addenda[:i], a) {
			return "", nil, fmt.Errorf("prompt condition %q adds %s twice: once is enough", condition, a)
		}
	}
	if ok {
		return base, addenda, nil
	}
	text := fmt.Sprintf("no prompt condition %q: there are %s", condition, strings.Join(s.bases(), ", "))
	if known := s.addenda(); len(known) > 0 {
		text += fmt.Sprintf("; behind each can stand %s%s", plus, strings.Join(known, " and "+plus))
	}
	return "", nil, fmt.Errorf("%s", text)
}

// bases are the names of the system prompts, sorted.
func (s Set) bases() []string { return slices.Sorted(maps.Keys(s.letters.System)) }

// addenda are the names of what can be added, sorted.
func (s Set) addenda() []string { return slices.Sorted(maps.Keys(s.text.Addenda)) }

// checkAddenda refuses an addendum without a text, and names that a condition could not be taken apart by.
func (w wording) checkAddenda() error {
	for _, name := range slices.Sorted(maps.Keys(w.Addenda)) {
		if strings.TrimSpace(w.Addenda[name]) == "" {
			return fmt.Errorf("addenda.%s is empty", name)
		}
		if name == "" || strings.Contains(name, plus) {
			return fmt.Errorf("addenda: %q is no name: give one without %q, which stands between a condition and its addenda", name, plus)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.Letters.System)) {
		if strings.Contains(name, plus) {
			return fmt.Errorf("system: %q is no name: give one without %q, which stands between a condition and its addenda", name, plus)
		}
	}
	return nil
}
