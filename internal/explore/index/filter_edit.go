package index

import "slices"

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
