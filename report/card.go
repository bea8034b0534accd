package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report/figure"
)

// CardFile is the name of the card beside the main page.
const CardFile = "card.html"

// Card is one page that a committee can sign off: what was tested, what came out, and what was not tested.
type Card struct {
	Audit     string
	Asked     string // in a line
	Alerts    []string
	Subjects  []Fact // the models and the data, each with what tells it from another
	About     string // whom the sentences are about
	Sentences []Sentence
	Claims    string   // how many hold; empty: none was made
	Fail      []string // claims that fail
	Open      []string // claims that cannot be told
	Cautions  []string // with which the figures are to be read
	Untested  []string
	Fit       string // what the figures may be used for
	Hashes    []Fact
	Frame     web.Frame
}

// Fact is a name and what is known under it.
type Fact struct{ Name, Text string }

// How much a card has room for.
const (
	cardSentences = 5
	cardClaims    = 3
	cardUntested  = 6
	cardSubjects  = 3
	cardLine      = 260 // characters of a claim
	cardNote      = 160 // and of what was not tested
)

// NewCard is a card with what those of all audits share. sum is the SHA-256 of report.json, hex; info the content of
// runinfo.json.
func NewCard(audit, noun string, models []Model, data []Data, versions map[string]string, info json.RawMessage, sum string) Card {
	c := Card{Audit: audit, Asked: Asked(models, data, noun, info), Hashes: []Fact{{"report.json", sum}},
		Frame: web.Frame{Title: "Percuss model card: " + audit + " audit", Style: template.CSS(figure.CSS()), Label: "Report", Nav: []web.Link{{Rel: "up", Href: "report.html", Text: "The report"}}}}
	for _, m := range models {
		var parts []string
		for _, p := range []Fact{{"", m.Identity}, {"weights ", m.Weights}, {"template ", m.Template}, {"engine ", m.Engine}} {
			if p.Text != "" && !strings.Contains(strings.Join(parts, " "), p.Text) {
				parts = append(parts, p.Name+shorten(p.Text, 90))
			}
		}
		c.Subjects = append(c.Subjects, Fact{shorten(m.ID, 60), strings.Join(parts, "; ")})
	}
	c.Subjects = atMost(c.Subjects, cardSubjects, func(n int) Fact { return Fact{"and", Plural(n, "model") + " more"} })
	var sets []Fact
	for _, d := range data {
		name := d.Set
		if d.Split != "" {
			name += ", " + d.Split
		}
		sets = append(sets, Fact{name, fmt.Sprintf("%d of %d rows drawn, %d unusable; SHA-256 %s", d.Drawn, d.Rows, d.Bad, orElse(d.SHA256, "–"))})
	}
	c.Subjects = append(c.Subjects, atMost(sets, cardSubjects, func(n int) Fact { return Fact{"and", Plural(n, "set") + " more"} })...)
	if v := versions["percuss"]; v != "" {
		c.Hashes = append(c.Hashes, Fact{"Percuss", v})
	}
	return c
}

// atMost cuts a list and says how many are left.
func atMost[T any](all []T, most int, more func(left int) T) []T {
	if len(all) <= most {
		return all
	}
	return append(slices.Clone(all[:most-1]), more(len(all)-most+1))
}

// Warn puts first what a reader must know before any figure.
func (c *Card) Warn(alerts []string) {
	c.Alerts = atMost(alerts, cardClaims, func(n int) string { return fmt.Sprintf("And %d more warnings like these, in the report.", n) })
}

// Say gives the card its sentences, of which it has room for the first few.
func (c *Card) Say(about string, all []Sentence) {
	c.About = about
	c.Sentences = all[:min(len(all), cardSentences)]
}

// Claim adds claims: those that fail, those that cannot be told, and how many hold.
func (c *Card) Claim(claims []percuss.Claim) {
	c.Claims = ClaimCount(claims)
	of := func(v percuss.Holds) []string {
		var out []string
		for _, x := range ordered(claims) {
			if x.Verdict == v {
				out = append(out, atWord(Signed(fmt.Sprintf("%s (%s: %s)", x.Says, orElse(x.Subject, "the run"), x.Shown)), cardLine))
			}
		}
		return atMost(out, cardClaims, func(n int) string { return fmt.Sprintf("and %d more, in the report", n) })
	}
	c.Fail, c.Open = of(percuss.ClaimFails), of(percuss.CannotTell)
}

// Lack adds what was not tested, and with which cautions the figures are to be read.
func (c *Card) Lack(untested, cautions []string) {
	lines := func(all []string, most int) []string {
		out := make([]string, len(all))
		for i, s := range all {
			out[i] = atWord(Signed(s), cardNote)
		}
		return atMost(out, most, func(n int) string { return fmt.Sprintf("and %d more, in the report", n) })
	}
	c.Untested, c.Cautions = lines(untested, cardUntested), lines(cautions, cardClaims)
}

// atWord cuts a sentence to n characters behind a whole word, and a word that is longer than that within it.
func atWord(s string, n int) string {
	cut := shorten(s, n)
	if cut == s {
		return s
	}
	whole := strings.TrimSuffix(cut, "…")
	if rest := s[len(whole):]; !strings.HasPrefix(rest, " ") {
		if at := strings.LastIndexByte(whole, ' '); at > 0 {
			whole = whole[:at]
		}
	}
	return strings.TrimRight(whole, " ,;:(") + " …"
}

// prompts are the prompt conditions of a report's models, each once.
func prompts(all []chain.Group) []string {
	var out []string
	for _, g := range all {
		if g.Variant != "" && !slices.Contains(out, g.Variant) {
			out = append(out, g.Variant)
		}
	}
	return out
}

// CardOf is the card of a chain audit.
func CardOf(r Report, info json.RawMessage, sum string) Card {
	c := NewCard(r.Audit, "item", r.Models, r.Data, r.Versions, info, sum)
	c.Warn(r.alerts())
	c.Fit = "Fit for comparing models and prompts under the same edits, and for finding items to look at. Not fit, by itself, for a decision to use a model with patients: " +
		"the edits are made by rules, on questions with given options, and no figure says what an answer does to anyone."
	if b := r.Findings.Battery; b.Fingerprint != "" {
		c.Hashes = append(c.Hashes, Fact{"battery", b.Expression + " " + b.Fingerprint})
	}
	all := leading(shown(r.Findings))
	if len(all) > 0 {
		c.Say(all[0].title()+", "+all[0].Size(), answer(all[0], r))
	}
	if !r.mute() {
		c.Claim(r.Findings.Claims)
	}
	if p := prompts(r.Findings.Models); len(p) > 0 {
		c.Subjects = append(c.Subjects, Fact{"prompt", atWord(strings.Join(p, ", "), cardLine)})
	}
	lacks, cautions := untested(r)
	c.Lack(lacks, cautions)
	return c
}

// untested is what a chain audit did not ask, as its findings say, and what they remark of the groups that open the report.
func untested(r Report) (lacks, cautions []string) {
	lacks = []string{"Questions in other languages than those of the sets, free conversation, images, and any use by clinicians or patients."}
	if t, ok := r.table(controlsID, noiseID); ok && len(t.Rows) == 0 {
		lacks = append(lacks, "How often an answer moves by itself: no sham control was asked.")
	}
	for _, a := range r.Findings.Analyses {
		if a.Absent != "" {
			lacks = append(lacks, a.Title+": "+a.Absent+".")
		}
	}
	for _, l := range leading(shown(r.Findings)) {
		for _, s := range l.Remarks {
			if strings.HasPrefix(s, "Fired on no item") || strings.HasPrefix(s, "Fired, but never") {
				lacks = append(lacks, l.title()+": "+s)
			} else {
				cautions = append(cautions, l.title()+": "+s)
			}
		}
	}
	return lacks, cautions
}

// WriteCard writes the card as one self-contained page, which prints on one sheet of A4.
func WriteCard(w io.Writer, c Card) error {
	var b bytes.Buffer
	if err := web.Draw(&b, pages, "card", c); err != nil {
		return fmt.Errorf("the model card: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}
