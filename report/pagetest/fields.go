package pagetest

import (
	"fmt"
	"html/template"
	"reflect"
	"strings"
	"testing"
	"text/template/parse"
)

// Fields fails the test for each field or method that the template name, or one that it calls, reads and data's type
// does not have. It reads both branches of every if, with and range, also those that no drawn page reaches. What a
// function gives has the type of its first result where funcs has it (a set of templates does not tell its functions), and
// of what has no known type, or stands in an interface, nothing is said.
func Fields(t testing.TB, all *template.Template, funcs template.FuncMap, name string, data any) {
	t.Helper()
	for _, fault := range faults(all, funcs, name, reflect.TypeOf(data)) {
		t.Error(fault)
	}
}

func faults(all *template.Template, funcs template.FuncMap, name string, data reflect.Type) []string {
	r := reading{all: all, funcs: funcs, seen: map[string]bool{}}
	r.template(name, data)
	return r.faults
}

// reading is a walk through templates with the types of what they are drawn with. A nil type is not known.
type reading struct {
	all    *template.Template
	funcs  template.FuncMap
	seen   map[string]bool // templates that were read with a type, so that one that calls itself ends
	faults []string
}

// scope is the type of the dot and of each variable at a place.
type scope struct {
	in   string // the template
	dot  reflect.Type
	vars map[string]reflect.Type
}

func (s scope) with(dot reflect.Type) scope {
	inner := scope{in: s.in, dot: dot, vars: make(map[string]reflect.Type, len(s.vars))}
	for name, of := range s.vars {
		inner.vars[name] = of
	}
	return inner
}

func (r *reading) template(name string, data reflect.Type) {
	name, _, _ = strings.Cut(name, "$htmltemplate_") // once drawn, a set calls copies that are escaped for a place, named so
	key := fmt.Sprintf("%s of %v", name, data)
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	t := r.all.Lookup(name)
	if t == nil || t.Tree == nil {
		r.faults = append(r.faults, fmt.Sprintf("there is no template %q", name))
		return
	}
	r.list(t.Tree.Root, scope{in: key, dot: data, vars: map[string]reflect.Type{"$": data}})
}

func (r *reading) list(l *parse.ListNode, s scope) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			r.pipe(n.Pipe, s)
		case *parse.TemplateNode:
			var given reflect.Type
			if n.Pipe != nil {
				given = r.pipe(n.Pipe, s)
			}
			r.template(n.Name, given)
		case *parse.IfNode:
			inner := s.with(s.dot)
			r.pipe(n.Pipe, inner)
			r.list(n.List, inner.with(s.dot))
			r.list(n.ElseList, inner.with(s.dot))
		case *parse.WithNode:
			inner := s.with(s.dot)
			dot := r.pipe(n.Pipe, inner)
			r.list(n.List, inner.with(dot))
			r.list(n.ElseList, inner.with(s.dot))
		case *parse.RangeNode:
			r.ranged(n, s)
		}
	}
}

func (r *reading) ranged(n *parse.RangeNode, s scope) {
	inner := s.with(s.dot)
	key, value := elements(r.pipe(n.Pipe, inner))
	for i, v := range n.Pipe.Decl {
		if i == 0 && len(n.Pipe.Decl) == 2 {
			inner.vars[v.Ident[0]] = key
		} else {
			inner.vars[v.Ident[0]] = value
		}
	}
	r.list(n.List, inner.with(value))
	r.list(n.ElseList, s.with(s.dot))
}

// elements are the types of what a range gives: its index or key, and what stands there.
func elements(of reflect.Type) (key, value reflect.Type) {
	if of == nil {
		return nil, nil
	}
	switch of.Kind() {
	case reflect.Slice, reflect.Array:
		return reflect.TypeFor[int](), of.Elem()
	case reflect.Pointer:
		return elements(of.Elem())
	case reflect.Map:
		return of.Key(), of.Elem()
	case reflect.Func: // an iterator
		if of.NumIn() == 1 && of.In(0).Kind() == reflect.Func && of.In(0).NumIn() == 1 {
			return nil, of.In(0).In(0)
		}
	}
	return nil, nil
}
