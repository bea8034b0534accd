package cli

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// openCases opens the set of cases that an argument names, and finds its files.
func (a *app) openCases(data string) (dataset.CaseLoader, error) {
	s, arg, err := findSet(data)
	if err != nil {
		return nil, err
	}
	if s.cases == nil {
		return nil, usage(fmt.Errorf("data set %s holds questions: use `percuss chain -d %s`; the evidence audit needs a set of cases such as %s",
			s.name, data, strings.Join(namesOf(func(s dataSet) bool { return s.cases != nil }), ", ")))
	}
	paths, err := a.findFiles(s, arg)
	if err != nil {
		return nil, err
	}
	loader, err := s.cases(paths, arg.Options)
	return loader, usage(err)
}

// namesOf lists the sets of which something holds.
func namesOf(holds func(dataSet) bool) []string {
	var names []string
	for _, s := range dataSets() {
		if holds(s) {
			names = append(names, s.name)
		}
	}
	return names
}

// loadCases reads and draws the cases of a run.
func (a *app) loadCases(s spec.Specification) ([]percuss.Case, []run.DataInfo, error) {
	return loadSets(s, a.loadCaseSet)
}

// loadSets reads and draws the items of all sets of a run. Items of one name would be mixed up, so that a set stands
// once.
func loadSets[I any](s spec.Specification, load func(spec.Data, uint64) ([]I, run.DataInfo, error)) ([]I, []run.DataInfo, error) {
	var all []I
	var infos []run.DataInfo
	for _, d := range s.Data {
		items, info, err := load(d, s.Seed)
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(infos, func(i run.DataInfo) bool { return i.Set == info.Set }) {
			return nil, nil, usage(fmt.Errorf("data set %q is named twice", info.Set))
		}
		all, infos = append(all, items...), append(infos, info)
	}
	return all, infos, nil
}

// loadCaseSet reads and draws the cases of one set.
func (a *app) loadCaseSet(d spec.Data, seed uint64) ([]percuss.Case, run.DataInfo, error) {
	loader, err := a.openCases(d.Data)
	if err != nil {
		return nil, run.DataInfo{}, err
	}
	noted := &notedCases{CaseLoader: loader}
	drawn, usable, bad, err := dataset.SampleCases(noted, seed, d.N)
	if err != nil {
		return nil, run.DataInfo{}, usage(err)
	}
	if usable == 0 {
		return nil, run.DataInfo{}, usage(noneUsable(d.Data, "case", bad))
	}
	info := infoOf(loader.Name(), noted.files, usable, len(drawn), bad)
	for _, c := range drawn {
		count(&info.Remarks, c.Flags...)
		for _, l := range c.LeftOut {
			count(&info.LeftOut, kindOf(l.Why))
		}
	}
	return drawn, info, nil
}

// count adds one for each name to a map, which is made when it is first needed.
func count(m *map[string]int, names ...string) {
	for _, name := range names {
		if *m == nil {
			*m = map[string]int{}
		}
		(*m)[name]++
	}
}

// notedCases notes the files that cases come from, also of those that are not drawn.
type notedCases struct {
	dataset.CaseLoader
	files filesRead
}

func (n *notedCases) Cases() iter.Seq2[percuss.Case, error] {
	n.files = filesRead{}
	return func(yield func(percuss.Case, error) bool) {
		for c, err := range n.CaseLoader.Cases() {
			if err == nil {
				n.files.add(c.Source)
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// noneUsable says that nothing of a set can be used, and why the first row cannot.
func noneUsable(data, what string, bad []*dataset.BadRow) error {
	err := fmt.Errorf("data set %s: no usable %s, %s", data, what, report.Plural(len(bad), "bad one"))
	if len(bad) > 0 {
		err = fmt.Errorf("%w; the first: %w", err, bad[0])
	}
	return err
}

// infoOf says what was read of a set.
func infoOf(set string, files filesRead, usable, drawn int, bad []*dataset.BadRow) run.DataInfo {
	info := run.DataInfo{Set: set, Split: strings.Join(files.splits, ", "), Rows: usable, Bad: len(bad), Drawn: drawn}
	info.File, info.SHA256 = files.sum()
	for _, b := range bad[:min(len(bad), 100)] {
		info.BadRows = append(info.BadRows, b.Error())
	}
	return info
}
