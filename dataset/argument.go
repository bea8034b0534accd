package dataset

import (
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Argument is what a user writes to name a set: ID[:PATH][?option=value&...].
type Argument struct {
	Set     string  // the set's name, e.g. "medqa"
	Path    string  // a file or folder, as written; empty when none was given
	Options Options // never nil
}

var setName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// ParseArg reads a DATA argument, e.g. "medqa", "medqa:/data/test.jsonl?options=5". The path ends at the last
// question mark and is taken as written; options are decoded as a URL query is. Whether an option is known is for
// the set's loader to say.
func ParseArg(arg string) (Argument, error) {
	rest, query := arg, ""
	if i := strings.LastIndexByte(arg, '?'); i >= 0 {
		rest, query = arg[:i], arg[i+1:]
	}
	a := Argument{Options: Options{}}
	var colon bool
	a.Set, a.Path, colon = strings.Cut(rest, ":")
	switch {
	case !setName.MatchString(a.Set) && strings.ContainsAny(arg, `./\`):
		return Argument{}, fmt.Errorf("data %q: %q is no name of a data set; for a file of your own: -d custom:%s", arg, a.Set, arg)
	case !setName.MatchString(a.Set):
		return Argument{}, fmt.Errorf("data %q: %q is no name of a data set; write ID[:PATH][?option=value], e.g. medqa?options=5", arg, a.Set)
	case colon && a.Path == "":
		return Argument{}, fmt.Errorf("data %q: no path after the colon; leave the colon out, or name a file", arg)
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return Argument{}, fmt.Errorf("data %q: options: %w", arg, err)
	}
	for name, v := range values {
		if name == "" || len(v) != 1 || v[0] == "" {
			return Argument{}, fmt.Errorf("data %q: option %q needs one value, as in ?options=5", arg, name)
		}
		a.Options[name] = v[0]
	}
	return a, nil
}

// Only returns an error that names the first option, in the order of names, which is not among the known ones.
func (o Options) Only(set string, known ...string) error {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		if len(known) == 0 {
			return fmt.Errorf("data set %s has no option %q; it takes none", set, name)
		}
		return fmt.Errorf("data set %s has no option %q; it knows %s", set, name, strings.Join(known, ", "))
	}
	return nil
}

// Split returns the option split, which may be left out and must be one of splits.
func (o Options) Split(set string, splits ...string) (string, error) {
	split := o["split"]
	if split != "" && !slices.Contains(splits, split) {
		return "", fmt.Errorf("data set %s: split=%s; there are %s", set, split, strings.Join(splits, ", "))
	}
	return split, nil
}

// SplitOfFile is split, or where that is empty the one of splits after which the file is named; empty: neither says it.
func SplitOfFile(split, path string, splits ...string) string {
	if base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)); split == "" && slices.Contains(splits, base) {
		return base
	}
	return split
}
