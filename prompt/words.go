package prompt

import (
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/percuss/percuss"
)

// words puts questions into the words of a template. What nearly every template is made of (text, the stem, loops over
// passages and options) is written straight: to execute a template takes several times as long, and an audit puts an item
// some thirty times.
type words struct {
	whole *template.Template
	parts []part // nil: the template holds something else, and is executed
}

// part is a piece of a template.
type part struct {
	is   kind
	text string // of a literal
	each []part // of a loop: what is written for each
}

// kind is what a piece of a template stands for.
type kind int

const (
	foreign kind = iota // something that is left to the template
	literal
	stem
	contexts // a loop over the passages
	passage
	options // a loop over the options
	label
	optionText
)

// newWords parses a template. A field that no question has is an error.
func newWords(name, text string) (words, error) {
	t, err := template.New(name).Option("missingkey=error").Parse(text)
	if err != nil {
		return words{}, err
	}
	w := words{whole: t, parts: partsOf(t.Root, foreign)}
	_, err = w.execute(percuss.Question{})
	return w, err
}

// partsOf takes a template apart, or the body of the loop that it is in; nil where it holds something foreign.
func partsOf(list *parse.ListNode, loop kind) []part {
	var out []part
	for _, node := range list.Nodes {
		var p part
		switch n := node.(type) {
		case *parse.TextNode:
			p = part{is: literal, text: string(n.Text)}
		case *parse.ActionNode:
			p.is = field(loop, n.Pipe.String())
		case *parse.RangeNode:
			if p.is = looped(loop, n); p.is != foreign {
				p.each = partsOf(n.List, p.is)
			}
			if p.each == nil {
				return nil
			}
		}
		if p.is == foreign {
			return nil
		}
		out = append(out, p)
	}
	return out
}

// field is what an expression stands for in a loop, or outside of one.
func field(loop kind, expression string) kind {
	switch {
	case loop == foreign && expression == ".Stem":
		return stem
	case loop == contexts && expression == ".":
		return passage
	case loop == options && expression == ".Label":
		return label
	case loop == options && expression == ".Text":
		return optionText
	}
	return foreign
}

// looped is what a loop runs over.
func looped(outer kind, n *parse.RangeNode) kind {
	switch expression := n.Pipe.String(); { // where the loop has variables, it begins with them
	case outer != foreign || n.ElseList != nil:
		return foreign
	case expression == ".Context":
		return contexts
	case expression == ".Options":
		return options
	}
	return foreign
}

// put puts a question into words.
func (w words) put(q percuss.Question) (string, error) {
	if w.parts == nil {
		return w.execute(q)
	}
	const beside = 512 // about what stands beside the stem, in bytes
	var b strings.Builder
	b.Grow(len(q.Stem) + beside)
	write(&b, w.parts, q.Stem, &q, percuss.Option{})
	return strings.TrimSpace(b.String()), nil
}

// write writes parts; text and o are what the loop that they stand in has come to.
func write(b *strings.Builder, parts []part, text string, q *percuss.Question, o percuss.Option) {
	for _, p := range parts {
		switch p.is {
		case literal:
			b.WriteString(p.text)
		case stem, passage:
			b.WriteString(text)
		case label:
			b.WriteString(o.Label)
		case optionText:
			b.WriteString(o.Text)
		case contexts:
			for _, text := range q.Context {
				write(b, p.each, text, q, o)
			}
		case options:
			for _, o := range q.Options {
				write(b, p.each, text, q, o)
			}
		}
	}
}

// execute puts a question into words by executing the template.
func (w words) execute(q percuss.Question) (string, error) {
	var b strings.Builder
	err := w.whole.Execute(&b, struct {
		Context []string
		Stem    string
		Options []percuss.Option
	}{q.Context, q.Stem, q.Options})
	return strings.TrimSpace(b.String()), err
}
