package blind

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Question returns a question by its id; nil when there is none.
func (p Package) Question(id string) *Question {
	at := slices.IndexFunc(p.Questions, func(q Question) bool { return q.ID == id })
	if at < 0 {
		return nil
	}
	return &p.Questions[at]
}

// Item returns an item, or a practice item, by its id; nil when there is none.
func (p Package) Item(id string) *Item {
	for _, items := range [][]Item{p.Items, p.Practice} {
		if at := slices.IndexFunc(items, func(i Item) bool { return i.ID == id }); at >= 0 {
			return &items[at]
		}
	}
	return nil
}

// Has says whether a label is one of the question's.
func (q Question) Has(label string) bool {
	return slices.ContainsFunc(q.Labels, func(l Label) bool { return l.ID == label })
}

// Asked are the questions that an item asks after the given answers, in their order.
func (p Package) Asked(item Item, labels map[string]string) []Question {
	var out []Question
	for _, q := range p.Questions {
		if len(item.Asks) > 0 && !slices.Contains(item.Asks, q.ID) {
			continue
		}
		if q.When == nil || labels[q.When.Question] == q.When.Label {
			out = append(out, q)
		}
	}
	return out
}

// Done says whether the labels answer everything that an item asks for.
func (p Package) Done(item Item, labels map[string]string) bool {
	for _, q := range p.Asked(item, labels) {
		if labels[q.ID] == "" && !q.Optional {
			return false
		}
	}
	return true
}

// CheckLabels says which of the labels an item cannot be given.
func (p Package) CheckLabels(item Item, labels map[string]string) error {
	asked := p.Asked(item, labels)
	for id, label := range labels {
		at := slices.IndexFunc(asked, func(q Question) bool { return q.ID == id })
		if at < 0 {
			return fmt.Errorf("item %s does not ask %q", item.ID, id)
		}
		if !asked[at].Has(label) {
			return fmt.Errorf("item %s: %q is no label of %s", item.ID, label, id)
		}
	}
	return nil
}

// Sealed returns the package with its schema, the hash of its key, and its id.
func (p Package) Sealed(key []byte) Package {
	p.Seal = SealOf(key)
	return p.Identified()
}

// SealOf is the seal of a key file: its SHA-256, 64 hex digits.
func SealOf(key []byte) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:])
}

// Identified returns the package with its schema and its id, under the seal that it has.
func (p Package) Identified() Package {
	p.Schema, p.Round = PackageSchema, max(1, p.Round)
	p.ID = p.identity()
	return p
}

// identity is the first 16 hex digits of the content's hash.
func (p Package) identity() string {
	p.ID = ""
	raw, err := p.encode()
	if err != nil {
		panic("blind: a package does not become JSON: " + err.Error()) // it holds texts and numbers only
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:8])
}

// encode writes JSON with every text as it is read: < stays <.
func (p Package) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(p)
	return b.Bytes(), err
}

// WritePackage writes a package that Check finds nothing wrong with.
func WritePackage(w io.Writer, p Package) error {
	if err := p.Check(); err != nil {
		return fmt.Errorf("the package: %w", err)
	}
	raw, err := p.encode()
	if err != nil {
		return err
	}
	if len(raw) > MostBytes {
		return fmt.Errorf("the package has %d bytes, at most %d: take fewer items", len(raw), MostBytes)
	}
	_, err = w.Write(raw)
	return err
}

// ReadPackage reads a package and checks it. More than MostBytes are not read.
func ReadPackage(r io.Reader) (Package, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MostBytes+1))
	if err != nil {
		return Package{}, err
	}
	if len(raw) > MostBytes {
		return Package{}, fmt.Errorf("larger than a package can be (%d bytes)", MostBytes)
	}
	var p Package
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		line := 1 + bytes.Count(raw[:min(int(d.InputOffset()), len(raw))], []byte("\n"))
		return Package{}, fmt.Errorf("line %d: no package of a review (%w): give the file that `percuss review create` wrote", line, err)
	}
	if d.More() {
		return Package{}, errors.New("more than one package in the file: give the file that `percuss review create` wrote")
	}
	return p, p.Check()
}
