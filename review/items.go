package review

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/percuss/percuss/dataset/source"
	"github.com/percuss/percuss/review/blind"
)

// ReadItems reads items that the user wrote, a JSON object a line with id, parts and, where not all questions are asked, asks (see
// blind.Item). A bad line is an error with its place; so is a file without items.
func ReadItems(path string) ([]blind.Item, error) {
	var out []blind.Item
	for r, err := range source.Read(path, source.Lines) {
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
		out = append(out, item)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no items", path)
	}
	return out, nil
}
