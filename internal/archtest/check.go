package archtest

import (
	"fmt"
	"strings"
)

// Check returns what in the graph goes against the tables, one sentence each, in the order of the packages.
func Check(g Graph) []string {
	var out []string
	for _, pkg := range g.packages() {
		out = append(out, checkForeign(pkg, g[pkg])...)
		if !forTests(pkg) {
			out = append(out, checkOwn(pkg, g[pkg])...)
		}
		if anyMatches(pure.of, pkg) && !forTests(pkg) {
			if way := g.wayTo(pkg, pure.never); way != nil {
				out = append(out, fmt.Sprintf("%s reaches %s: an audit is pure and calls nothing (%s)",
					pkg, way[len(way)-1], strings.Join(way, " -> ")))
			}
		}
	}
	return out
}

// checkOwn checks the imports of one package from the module.
func checkOwn(pkg string, imports []Import) []string {
	var mine *row
	for i := range table {
		if matches(table[i].of, pkg) {
			mine = &table[i]
			break
		}
	}
	if mine == nil {
		return []string{fmt.Sprintf("%s has no row: add one to internal/archtest/table.go and to docs/design.md", pkg)}
	}
	var out []string
	for _, i := range imports {
		switch {
		case !i.Own:
		case !anyMatches(mine.may, i.Path):
			out = append(out, fmt.Sprintf("%s: %s imports %s, which its row does not have", i.At, pkg, i.Path))
		case forTests(i.Path):
			out = append(out, fmt.Sprintf("%s: %s imports %s, which exists for tests", i.At, pkg, i.Path))
		}
	}
	return out
}

// checkForeign checks the imports of libraries that only some packages may see. Packages for tests are not exempt.
func checkForeign(pkg string, imports []Import) []string {
	var out []string
	for _, i := range imports {
		for _, f := range foreign {
			if i.Own || !anyMatches(f.library, i.Path) {
				continue
			}
			if !anyMatches(f.only, pkg) {
				out = append(out, fmt.Sprintf("%s: %s imports %s: %s", i.At, pkg, i.Path, f.why))
			}
			break
		}
	}
	return out
}

// wayTo returns a shortest chain of imports from a package to one that a pattern names, nil when there is none.
func (g Graph) wayTo(from string, to []string) []string {
	before := map[string]string{from: ""}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for _, i := range g[queue[0]] {
			if _, seen := before[i.Path]; seen || !i.Own {
				continue
			}
			before[i.Path] = queue[0]
			if !anyMatches(to, i.Path) {
				queue = append(queue, i.Path)
				continue
			}
			var way []string
			for p := i.Path; p != ""; p = before[p] {
				way = append([]string{p}, way...)
			}
			return way
		}
	}
	return nil
}
