package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/percuss/percuss/dataset/source"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

// lines reads JSON lines: rows of a sheet, tasks of Label Studio or records of Argilla.
func (g *gather) lines() error {
	for r, err := range source.Read(g.path, source.Lines) {
		if err != nil {
			return err
		}
		where := fmt.Sprintf("%s: line %d", g.path, r.Source.Line)
		if r.Bad != nil {
			return fmt.Errorf("%s: %w", where, r.Bad)
		}
		if err := g.element(where, r.Value); err != nil {
			return err
		}
	}
	return g.flush()
}

// json reads one JSON value: the file that a rater's page saved, one task or record, or an array or object of rows, tasks or records.
func (g *gather) json() error {
	raw, err := os.ReadFile(g.path)
	if err != nil {
		return err
	}
	raw = bytes.TrimPrefix(raw, []byte(byteOrderMark))
	var object map[string]json.RawMessage
	if text := bytes.TrimSpace(raw); len(text) > 0 && text[0] == '{' && json.Unmarshal(text, &object) == nil {
		if schema, err := scalar(orNull(object["schema"])); err == nil && schema == blind.PackageSchema {
			return fmt.Errorf("%s: it is a package, which holds no answers: name it first, and then the files with answers", g.path)
		} else if schema != "" {
			return g.page(raw)
		}
		if kindOf(object) != sheetRow || object[colID] != nil {
			if err := g.element(g.path+": line 1", raw); err != nil {
				return err
			}
			return g.flush()
		}
	}
	for r, err := range source.Read(g.path, source.Elements) {
		if err != nil {
			return err
		}
		where := fmt.Sprintf("%s: line %d", g.path, r.Source.Line)
		if r.Bad != nil {
			return fmt.Errorf("%s: %w", where, r.Bad)
		}
		if err := g.element(where, r.Value.Value); err != nil {
			return err
		}
	}
	return g.flush()
}

// page takes the file that a rater's page saved.
func (g *gather) page(raw []byte) error {
	f, err := ratings.ReadAnswers(bytes.NewReader(raw), g.now)
	if err != nil {
		return fmt.Errorf("%s: %w", g.path, err)
	}
	if err := g.samePackage(g.path, f.Package); err != nil {
		return err
	}
	g.some = true
	for i, e := range f.Entries {
		e.Rater, e.By = f.Rater, "file"
		if err := g.add(fmt.Sprintf("%s: entry %d", g.path, i+1), e); err != nil {
			return err
		}
	}
	return nil
}

// What an object of a JSON file may be.
const (
	sheetRow = iota
	studioTask
	argillaRecord
)

// kindOf tells by its members what an object is.
func kindOf(object map[string]json.RawMessage) int {
	if bytes.HasPrefix(bytes.TrimSpace(object["data"]), []byte("{")) { // one that nobody has answered has nothing else
		return studioTask
	}
	_, responses := object["responses"]
	_, fields := object["fields"]
	for name := range object {
		if isResponses(name) {
			return argillaRecord
		}
	}
	if responses || fields {
		return argillaRecord
	}
	return sheetRow
}

// element takes one object of a file.
func (g *gather) element(where string, raw []byte) error {
	if g.rows++; g.rows > g.most.rows {
		return fmt.Errorf("%s: more than %d objects: give the file in parts", where, g.most.rows)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil || object == nil {
		return fmt.Errorf("%s: not one JSON object, from { to }: give a sheet, or what Label Studio or Argilla exported", where)
	}
	switch kindOf(object) {
	case studioTask:
		g.some, g.program = true, true
		return g.task(where, raw)
	case argillaRecord:
		g.some, g.program = true, true
		return g.record(where, object)
	}
	return g.object(where, object)
}

// object takes a row of a sheet that is a JSON object.
func (g *gather) object(where string, object map[string]json.RawMessage) error {
	_, g.program = object[dataItem]
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	r := row{where, map[string]string{}}
	seen := map[string]string{}
	for _, name := range names {
		c := g.header.column(name)
		if c == "" {
			g.header.pass(name)
			continue
		}
		if other, ok := seen[c]; ok {
			return r.fault("%q and %q are the same column: leave one of the two", other, name)
		}
		seen[c] = name
		text, err := scalar(object[name])
		if err != nil {
			return r.fault("%s: %v", name, err)
		}
		r.cells[c] = text
	}
	if seen[colID] == "" && seen[colItem] == "" {
		return r.fault("no %q or %q says of which item it is: give the sheet that was filled in, or what was exported", colID, colItem)
	}
	g.rows-- // row counts it
	return g.row(r)
}

// scalar is a text, number, truth value or null as a text.
func scalar(raw json.RawMessage) (string, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return "", err
	}
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case bool:
		return strconv.FormatBool(v), nil
	}
	return "", errors.New("neither a text nor a number: put it between quote signs")
}
