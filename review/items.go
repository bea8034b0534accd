package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/percuss/percuss/dataset/source"
	"github.com/percuss/percuss/review/blind"
)

// ReadItems reads items that the user wrote, a JSON object a line with id, parts and, where not all questions are asked, asks (see
// blind.Item). A bad line, or an id that stands there twice, is an error with its place; so is a file without items.
func ReadItems(path string) ([]blind.Item, error) {
	var out []blind.Item
	lines := map[string]int{} // by id
	for r, err := range source.Read(path, source.Lines) {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: there is no such file: name the one that holds the items", path)
		}
		if err == nil {
			err = r.Bad
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, r.Source.Line, err)
		}
		d := json.NewDecoder(bytes.NewReader(r.Value))
		d.DisallowUnknownFields()
		var item blind.Item
		if err := d.Decode(&item); err != nil {
			return nil, fmt.Errorf(`%s: line %d: %w: a line is an object such as {"id": "1", "parts": [{"show": "text", "head": "Step", "text": "..."}]}`, path, r.Source.Line, err)
		}
		if item.ID == "" || item.Expected != nil || item.Feedback != "" {
			return nil, fmt.Errorf("%s: line %d: an item has an id, and expects nothing: what is expected stands in the practice and attention items of a form", path, r.Source.Line)
		}
		if line, ok := lines[item.ID]; ok {
			return nil, fmt.Errorf("%s: line %d: an item %q stands in line %d already: give each an id of its own", path, r.Source.Line, item.ID, line)
		}
		lines[item.ID] = r.Source.Line
		out = append(out, item)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no items", path)
	}
	return out, nil
}
