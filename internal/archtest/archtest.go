// Package archtest holds the picture of docs/design.md ("Who may import whom") as a table, and checks the source
// against it. Its tests fail on every arrow between two packages that the table does not have.
//
// Imports are read from the source in process and not through the go command: a cached pass would hide a new import.
// All files count, whatever their build constraints. Test files, and packages that exist for tests, may import what
// they like; nothing but those and the commands may import a package that exists for tests.
package archtest

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Import is one import of a package.
type Import struct {
	Path string // of a package of the module: its folder, "." for the root; else the import path
	Own  bool   // whether it is a package of the module
	At   string // file:line
}

// Graph maps each package of a module, named by its folder ("." for the root), to its imports.
type Graph map[string][]Import

// Read parses the non-test Go files below the folder that holds go.mod. Folders that the go command passes over
// (testdata, vendor, names that begin with a dot or an underscore, nested modules) are passed over here too.
func Read(root fs.FS) (Graph, error) {
	module, err := moduleName(root)
	if err != nil {
		return nil, err
	}
	g := Graph{}
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && passedOver(root, name):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		imports, err := readFile(root, name, module)
		g[path.Dir(name)] = append(g[path.Dir(name)], imports...)
		return err
	})
	return g, err
}

func moduleName(root fs.FS) (string, error) {
	text, err := fs.ReadFile(root, "go.mod")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "module" {
			return f[1], nil
		}
	}
	return "", fmt.Errorf("go.mod: no module line")
}

func passedOver(root fs.FS, dir string) bool {
	if dir == "." {
		return false
	}
	base := path.Base(dir)
	if base == "testdata" || base == "vendor" || base[0] == '.' || base[0] == '_' {
		return true
	}
	_, err := fs.Stat(root, path.Join(dir, "go.mod"))
	return err == nil
}

func readFile(root fs.FS, name, module string) ([]Import, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var out []Import
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		at := files.Position(spec.Pos())
		i := Import{Path: p, At: fmt.Sprintf("%s:%d", name, at.Line)}
		if p == module {
			i.Path, i.Own = ".", true
		} else if below, ok := strings.CutPrefix(p, module+"/"); ok {
			i.Path, i.Own = below, true
		}
		out = append(out, i)
	}
	return out, nil
}

// packages returns the packages in order.
func (g Graph) packages() []string {
	var out []string
	for p := range g {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// matches reports whether a package is one that a pattern names: "a" is the package itself, "a/*" every package below
// it at any depth, "*" every package.
func matches(pattern, pkg string) bool {
	if pattern == "*" {
		return true
	}
	if above, ok := strings.CutSuffix(pattern, "/*"); ok {
		return strings.HasPrefix(pkg, above+"/")
	}
	return pattern == pkg
}

func anyMatches(patterns []string, pkg string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, pkg) })
}

// forTests reports whether a package exists for tests: its name ends in "test", or it lies below such a package.
func forTests(pkg string) bool {
	for part := range strings.SplitSeq(pkg, "/") {
		if strings.HasSuffix(part, "test") {
			return true
		}
	}
	return false
}
