package openai

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// fields are those of a request's body, written one by one: encoding/json takes twice as long for a map of them.
type fields struct {
	all []member
	err error // of the first value that JSON cannot hold
}

// copy has room for the fields that a request adds.
func (f fields) copy() fields {
	const more = 14
	return fields{append(make([]member, 0, len(f.all)+more), f.all...), f.err}
}

// set sets a field, in the place of one of the same name.
func (f *fields) set(name string, v any) {
	var written json.RawMessage
	var err error
	switch v := v.(type) {
	case int:
		written = strconv.AppendInt(nil, int64(v), 10)
	case uint64:
		written = strconv.AppendUint(nil, v, 10)
	case bool:
		written = strconv.AppendBool(nil, v)
	default:
		written, err = json.Marshal(v)
	}
	if err != nil && f.err == nil {
		f.err = err
	}
	if i := slices.IndexFunc(f.all, func(m member) bool { return m.name == name }); i >= 0 {
		f.all[i].value = written
		return
	}
	f.all = append(f.all, member{name, written})
}

// appendName appends a name as JSON writes it.
func appendName(to []byte, name string) []byte {
	for i := range len(name) {
		if !plainInName(name[i]) { // a further parameter of the user's
			written, _ := json.Marshal(name) // of a string, which has no error
			return append(to, written...)
		}
	}
	return append(append(append(to, '"'), name...), '"')
}

// drop leaves a field out.
func (f *fields) drop(name string) {
	f.all = slices.DeleteFunc(f.all, func(m member) bool { return m.name == name })
}

// json writes the fields as one object, in the order of their names.
func (f *fields) json() ([]byte, error) {
	if f.err != nil {
		return nil, f.err
	}
	slices.SortFunc(f.all, func(a, b member) int { return strings.Compare(a.name, b.name) })
	size := len("{}")
	for _, m := range f.all {
		size += len(m.name) + len(m.value) + len(`"":,`)
	}
	body := append(make([]byte, 0, size), '{')
	for i, m := range f.all {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(append(appendName(body, m.name), ':'), m.value...)
	}
	return append(body, '}'), nil
}
