package annotate

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/internal/worddiff"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
)

//go:embed page.gohtml
var pageText string

//go:embed annotate.css
var pageStyle string

//go:embed annotatekeep.js
var keepScript string

//go:embed annotatesend.js
var sendScript string

//go:embed annotate.js
var screenScript string

//go:embed annotatekeys.js
var keysScript string

// pageScript is one script, so that a page by itself holds one and its policy names one.
var pageScript = keepScript + sendScript + screenScript + keysScript

var pageTemplate = template.Must(web.Templates().New("rater").Parse(pageText))

// PageAssets are the files that a rater's page loads, by name, for web.NewAssets.
func PageAssets() map[string]string {
	return map[string]string{"annotate.css": pageStyle, "annotate.js": pageScript}
}

// PageInput is what one rater's page shows.
type PageInput struct {
	Package  blind.Package
	Order    []string                 // ids of Package.Items as this rater sees them; see Order
	Saved    map[string]ratings.Entry // what the book holds of this rater, by item
	Rater    string                   // name
	Shut     bool                     // no further answers are taken
	Practice bool                     // the practice items come first, where the package has any
	PIN      bool                     // raters may set a PIN
}

// WritePage writes the page of one rater, with all items, as a server shows it. The assets must hold PageAssets.
func WritePage(w io.Writer, assets *web.Assets, in PageInput) error {
	v, err := newPage(in)
	if err != nil {
		return err
	}
	v.Frame = web.Frame{Title: in.Package.Title, Assets: assets, Sheets: []string{"annotate.css"}, Script: "annotate.js"}
	return web.Draw(w, pageTemplate, "rater", v)
}

// page is what the template draws.
type page struct {
	web.Frame
	Input    PageInput
	Key      string // of what the browser keeps: the same for the same package and rater
	Offline  bool   // a file by itself
	Practice []shown
	Items    []shown
	Changes  bool // an item shows a change, so that marks may be switched off
}

// shown is one item on its screen.
type shown struct {
	Item      string
	Number    int // from 1
	Of        int
	Practice  bool
	Place     string // what stands in the address
	Parts     []part
	Questions []question
	Saved     string // the entry that the book holds, as JSON of ASCII alone; empty: none
	Expected  []expected
	Feedback  string
}

// Name is what the item is called.
func (s shown) Name() string {
	if s.Practice {
		return fmt.Sprintf("Practice %d of %d", s.Number, s.Of)
	}
	return fmt.Sprintf("Item %d of %d", s.Number, s.Of)
}

type part struct {
	blind.Part
	Pieces []worddiff.Piece // of a change
}

// Same says that the two texts of a change are equal.
func (p part) Same() bool { return p.Before == p.After }

type question struct {
	blind.Question
	Name string // of its radio buttons, unlike that of any other on the page
}

// choice is a label with the digit that chooses it.
type choice struct {
	blind.Label
	Digit int
}

// Choices are the question's labels in their order.
func (q question) Choices() []choice {
	out := make([]choice, len(q.Labels))
	for i, l := range q.Labels {
		out[i] = choice{l, i + 1}
	}
	return out
}

// expected is what a practice item expects to one question.
type expected struct{ Question, Text, Label, Name string }

func newPage(in PageInput) (page, error) {
	v := page{Input: in, Key: storageKey(in.Package, in.Rater)}
	at := make(map[string]blind.Item, len(in.Package.Items))
	for _, item := range in.Package.Items {
		at[item.ID] = item
	}
	if in.Practice {
		for i, item := range in.Package.Practice {
			s := newShown(in.Package, item, i+1, len(in.Package.Practice), "practice-")
			s.Practice, s.Feedback = true, item.Feedback
			for _, q := range s.Questions {
				if label := item.Expected[q.ID]; label != "" {
					s.Expected = append(s.Expected, expected{q.ID, q.Text, label, labelName(q.Question, label)})
				}
			}
			v.Practice = append(v.Practice, s)
		}
	}
	for i, id := range in.Order {
		item, ok := at[id]
		if !ok {
			return v, fmt.Errorf("draw the page: the order has item %s, which is not in package %s", id, in.Package.ID)
		}
		s := newShown(in.Package, item, i+1, len(in.Order), "")
		if e, ok := in.Saved[id]; ok {
			raw, err := json.Marshal(e)
			if err != nil {
				return v, fmt.Errorf("draw the page: %w", err)
			}
			s.Saved = ascii(string(raw))
		}
		v.Items = append(v.Items, s)
	}
	for _, s := range slices.Concat(v.Practice, v.Items) {
		v.Changes = v.Changes || slices.ContainsFunc(s.Parts, func(p part) bool { return p.Show == blind.ShowChange && !p.Same() })
	}
	return v, nil
}

func newShown(p blind.Package, item blind.Item, number, of int, place string) shown {
	s := shown{Item: item.ID, Number: number, Of: of, Place: fmt.Sprint(place, number)}
	for _, of := range item.Parts {
		drawn := part{Part: of}
		if of.Show == blind.ShowChange {
			drawn.Pieces = worddiff.Whole(worddiff.Diff(of.Before, of.After))
		}
		s.Parts = append(s.Parts, drawn)
	}
	for _, q := range p.Questions {
		if len(item.Asks) == 0 || slices.Contains(item.Asks, q.ID) {
			s.Questions = append(s.Questions, question{q, s.Place + "-" + q.ID})
		}
	}
	return s
}

func labelName(q blind.Question, id string) string {
	for _, l := range q.Labels {
		if l.ID == id {
			return l.Name
		}
	}
	return id
}

// storageKey names what the browser of a rater keeps of a package. The rater's name does not stand in it.
func storageKey(p blind.Package, rater string) string {
	sum := sha256.Sum256([]byte(p.ID + "\x00" + rater))
	return "percuss-review/" + p.ID + "/" + hex.EncodeToString(sum[:6])
}

// ascii writes JSON without other characters, so that no sign of a rater's own comment is replaced on its way to the
// script, which sends it back with the next answer.
func ascii(raw string) string {
	var b strings.Builder
	for _, r := range raw {
		switch {
		case r >= 0x10000:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		case r > '~':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
