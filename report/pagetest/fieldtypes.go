package pagetest

import (
	"fmt"
	"reflect"
	"text/template/parse"
)

// pipe is the type of what a pipeline gives; variables that it declares are in the scope from then on.
func (r *reading) pipe(p *parse.PipeNode, s scope) reflect.Type {
	var of reflect.Type
	for i, c := range p.Cmds {
		of = r.command(c, s, i > 0)
	}
	for _, v := range p.Decl {
		if !p.IsAssign {
			s.vars[v.Ident[0]] = of
		}
	}
	return of
}

// command is the type of what one command gives; piped: its last argument is what the command before it gives. All
// arguments are read. Of the built-in functions only those that give an argument, or a part of one, back are known.
func (r *reading) command(c *parse.CommandNode, s scope, piped bool) reflect.Type {
	types := make([]reflect.Type, len(c.Args))
	for i, a := range c.Args {
		types[i] = r.node(a, s)
	}
	called, ok := c.Args[0].(*parse.IdentifierNode)
	if !ok {
		return types[0]
	}
	if f := reflect.TypeOf(r.funcs[called.Ident]); f != nil && f.NumOut() > 0 {
		return f.Out(0)
	}
	if piped {
		return nil
	}
	switch called.Ident {
	case "index":
		of := types[1]
		for range types[2:] {
			_, of = elements(of)
		}
		return of
	case "or", "and":
		for _, of := range types[2:] {
			if of != types[1] {
				return nil
			}
		}
		return types[1]
	}
	return nil
}

func (r *reading) node(n parse.Node, s scope) reflect.Type {
	switch n := n.(type) {
	case *parse.DotNode:
		return s.dot
	case *parse.FieldNode:
		return r.fields(s.dot, n.Ident, n, s)
	case *parse.VariableNode:
		return r.fields(s.vars[n.Ident[0]], n.Ident[1:], n, s)
	case *parse.ChainNode:
		return r.fields(r.node(n.Node, s), n.Field, n, s)
	case *parse.PipeNode:
		return r.pipe(n, s)
	}
	return nil
}

// fields follows a chain of names from a type. The first name that is not there is a fault, and ends it.
func (r *reading) fields(of reflect.Type, names []string, at parse.Node, s scope) reflect.Type {
	for _, name := range names {
		if of == nil {
			return nil
		}
		next, ok := member(of, name)
		if !ok {
			r.faults = append(r.faults, fmt.Sprintf("template %s: %s: %v has no field or method %s", s.in, at, of, name))
			return nil
		}
		of = next
	}
	return of
}

// member is the type of a field, of what a method gives, or of what stands in a map.
func member(of reflect.Type, name string) (reflect.Type, bool) {
	if m, ok := of.MethodByName(name); ok {
		return m.Type.Out(0), true
	}
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if m, ok := reflect.PointerTo(of).MethodByName(name); ok && of.Kind() != reflect.Interface {
		return m.Type.Out(0), true
	}
	switch of.Kind() {
	case reflect.Interface:
		return nil, true // what stands in it is known when it is drawn
	case reflect.Map:
		return of.Elem(), true
	case reflect.Struct:
		f, ok := of.FieldByName(name)
		return f.Type, ok && f.IsExported()
	}
	return nil, false
}
