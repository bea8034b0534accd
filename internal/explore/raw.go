package explore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"unicode/utf16"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/internal/web"
)

// rawPage is a request, every field that its key is made of, and what came back.
type rawPage struct {
	web.Frame
	Key      percuss.Key
	Fields   []percuss.Field
	Answered bool
	Answer   percuss.Answer
	Letters  []rawLetter
	Download string
	Hidden   bool // something in it is shown as a replacement
}

// rawLetter is a letter as the back-end scored it.
type rawLetter struct{ Letter, LogProb, Percent, Bound string }

// raw shows the exact request of a key and the answer to it, as a page or as a file.
func (s *Server) raw(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	k := percuss.Key(q.Get("key"))
	if !k.Valid() {
		s.fail(w, http.StatusBadRequest, fmt.Errorf("key=%.80q is no key of a request: it has 64 hexadecimal digits, as the calls of an item show it", string(k)))
		return
	}
	v, ok := s.use(w, r)
	if !ok {
		return
	}
	defer s.leave(v)
	req, a, answered, err := v.Answer(r.Context(), k)
	if err != nil {
		s.fail(w, http.StatusInternalServerError, err)
		return
	}
	if !answered && req.Key() != k {
		s.draw(w, http.StatusNotFound, "failed", failedPage{s.frame("Not shown", "keys.js", "Pages", s.backToItem(v, r)...), "Nothing is stored",
			fmt.Sprintf("The run %s has asked nothing under the key %s yet: a request is kept when its answer comes.", s.called(v.Name), k)})
		return
	}
	if q.Has("download") {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="request-%.12s.txt"`, string(k)))
		_ = writeRaw(w, k, req, a, answered) // whoever asked has gone
		return
	}
	p := rawPage{Frame: s.frame("Request "+string(k[:12]), "keys.js", "Pages", s.backToItem(v, r)...), Key: k, Fields: req.Fields(), Answered: answered, Answer: a,
		Letters: rawLetters(a.Letters), Download: "/raw?" + r.URL.RawQuery + "&download=1"}
	p.Hidden = p.hides()
	p.Frame.Sheets = append(p.Frame.Sheets, itemSheet)
	s.draw(w, http.StatusOK, "raw", p)
}

// backToItem are the links to the run and, where the address names one, to the item that led here.
func (s *Server) backToItem(v *volume, r *http.Request) []web.Link {
	q := r.URL.Query()
	up := s.ofRun(v)
	f, err := index.Parse(q)
	at, missing := v.subject(q)
	if err != nil || missing != nil {
		return []web.Link{up}
	}
	up.Rel = ""
	id := v.Subjects()[at].SubjectID
	return []web.Link{up, {Rel: "up", Href: itemAddress(v.Name, id, q.Get(atTrial), f), Text: "Item " + id.Item}}
}

// hides reports whether something on the page is replaced, for it could not be seen or would turn the text.
func (p rawPage) hides() bool {
	all := []string{p.Answer.Text, p.Answer.Reasoning, p.Answer.Reported, p.Answer.Detail}
	for _, f := range p.Fields {
		all = append(all, f.Value)
	}
	for _, s := range all {
		if !web.IsVisible(s) {
			return true
		}
	}
	return false
}

// rawLetters formats the scores of letters.
func rawLetters(all []percuss.LetterScore) []rawLetter {
	var out []rawLetter
	for _, l := range all {
		r := rawLetter{Letter: l.Letter, LogProb: strings.Replace(l.LogProb.Format(4), "-", "−", 1), Percent: "–", Bound: "no"}
		if v, ok := l.LogProb.Get(); ok {
			r.Percent = percuss.Num(100*math.Exp(min(v, 0))).Format(2) + " %"
		}
		if l.Censored {
			r.Bound = "yes: it was not among the tokens that the back-end listed"
		}
		out = append(out, r)
	}
	return out
}

// writeRaw writes a request as it is hashed, each value quoted, and the answer as JSON, in which nothing is hidden.
func writeRaw(w io.Writer, k percuss.Key, req percuss.Request, a percuss.Answer, answered bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "request %s\n", k)
	for _, f := range req.Fields() {
		fmt.Fprintf(&b, "  %-12s %q\n", f.Name, f.Value)
	}
	if !answered {
		b.WriteString("\nno answer is stored\n")
	} else {
		var raw bytes.Buffer
		e := json.NewEncoder(&raw)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(a); err != nil {
			return fmt.Errorf("write the answer as JSON: %w", err)
		}
		fmt.Fprintf(&b, "\nanswer\n%s", escaped(raw.String()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// escaped is JSON in which what cannot be seen, or would turn the text, stands as its code.
func escaped(s string) string {
	if web.IsVisible(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if web.IsVisible(string(r)) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
