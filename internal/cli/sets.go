package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/cupcase"
	"github.com/percuss/percuss/dataset/custom"
	"github.com/percuss/percuss/dataset/ddxplus"
	"github.com/percuss/percuss/dataset/demo"
	"github.com/percuss/percuss/dataset/gsm8k"
	"github.com/percuss/percuss/dataset/logs"
	"github.com/percuss/percuss/dataset/medcase"
	"github.com/percuss/percuss/dataset/medmcqa"
	"github.com/percuss/percuss/dataset/medqa"
	"github.com/percuss/percuss/dataset/mmlu"
	"github.com/percuss/percuss/dataset/pubmedqa"
	"github.com/percuss/percuss/dataset/strategyqa"
	"github.com/percuss/percuss/internal/supply"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// dataSet is a set that a DATA argument can name: of questions, or of cases.
type dataSet struct {
	name, title string
	// known says which files the set is read from, one entry for each; nil: no file is looked for.
	known func(dataset.Options) ([]dataset.Known, error)
	// open returns the loader; paths are those of the known files, in their order, or the path that the user named.
	open func(paths []string, o dataset.Options) (dataset.Loader, error)
	// cases returns the loader of a set of cases, as open does that of questions. One of the two may be nil.
	cases func(paths []string, o dataset.Options) (dataset.CaseLoader, error)
}

// dataSets are all sets, in the order in which they are listed.
func dataSets() []dataSet {
	return []dataSet{
		{demo.Name, "built-in vignettes and patients to try an audit with", nil, opener(openDemo), caseOpener(openDemo)},
		{medqa.Name, "MedQA, USMLE questions", oneFile(medqa.Known), opener(medqa.New), nil},
		{medmcqa.Name, "MedMCQA, Indian entrance examinations", oneFile(medmcqa.Known), opener(medmcqa.New), nil},
		{pubmedqa.Name, "PubMedQA, questions on abstracts, labelled by experts", oneFile(pubmedqa.Known), opener(pubmedqa.New), nil},
		{mmlu.Name, "MMLU, its six medical subjects", mmlu.Known, func(paths []string, o dataset.Options) (dataset.Loader, error) {
			return asLoader(mmlu.New(paths, o))
		}, nil},
		{gsm8k.Name, "GSM8K, school arithmetic: to compare with medicine", oneFile(gsm8k.Known), opener(gsm8k.New), nil},
		{strategyqa.Name, "StrategyQA, general knowledge, yes or no: to compare with medicine", oneFile(strategyqa.Known), opener(strategyqa.New), nil},
		{custom.Name, "a file of your own: custom:FILE (JSON lines, JSON, CSV, Parquet)", nil, opener(custom.New), caseOpener(custom.NewCases)},
		{logs.Name, "the questions that a log of another program carries: log:FILE", nil, opener(logs.New), nil},
		{ddxplus.Name, "DDXPlus, simulated patients with coded findings", oneFile(ddxplus.Known), nil, caseOpener(ddxplus.New)},
		{cupcase.Name, "CUPCase, case reports with distractors", oneFile(cupcase.Known), nil, caseOpener(cupcase.New)},
		{medcase.Name, "MedCaseReasoning, case reports with the diagnoses considered", oneFile(medcase.Known), nil, caseOpener(medcase.New)},
	}
}

func oneFile(known func(dataset.Options) (dataset.Known, error)) func(dataset.Options) ([]dataset.Known, error) {
	return func(o dataset.Options) ([]dataset.Known, error) {
		k, err := known(o)
		return []dataset.Known{k}, err
	}
}

// opener opens a set that is read from one file; the path is empty where none was named or looked for.
func opener[L dataset.Loader](open func(string, dataset.Options) (L, error)) func([]string, dataset.Options) (dataset.Loader, error) {
	return func(paths []string, o dataset.Options) (dataset.Loader, error) {
		return asLoader(open(firstOf(paths), o))
	}
}

// caseOpener opens a set of cases that is read from one file.
func caseOpener[L dataset.CaseLoader](open func(string, dataset.Options) (L, error)) func([]string, dataset.Options) (dataset.CaseLoader, error) {
	return func(paths []string, o dataset.Options) (dataset.CaseLoader, error) {
		l, err := open(firstOf(paths), o)
		if err != nil { // a nil loader must not become one that is not nil
			return nil, err
		}
		return l, nil
	}
}

func firstOf(paths []string) string {
	if len(paths) == 0 {
		return ""
	}
	return paths[0]
}

// asLoader keeps a nil loader from becoming one that is not nil.
func asLoader[L dataset.Loader](l L, err error) (dataset.Loader, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}

func openDemo(path string, o dataset.Options) (*demo.Loader, error) {
	if err := o.Only(demo.Name); err != nil {
		return nil, err
	}
	if path != "" {
		return nil, fmt.Errorf("data set %s is built in; leave the path out", demo.Name)
	}
	return demo.New(), nil
}

// findSet finds the set that an argument names.
func findSet(data string) (dataSet, dataset.Argument, error) {
	arg, err := dataset.ParseArg(data)
	if err != nil {
		return dataSet{}, arg, usage(err)
	}
	var names []string
	for _, s := range dataSets() {
		if s.name == arg.Set {
			return s, arg, nil
		}
		names = append(names, s.name)
	}
	return dataSet{}, arg, usage(fmt.Errorf("data set %q is not known: there are %s", arg.Set, strings.Join(names, ", ")))
}

// openSet opens the set of questions that an argument names, and finds its files.
func (a *app) openSet(data string) (dataset.Loader, error) {
	s, arg, err := findSet(data)
	if err != nil {
		return nil, err
	}
	if s.open == nil {
		return nil, usage(fmt.Errorf("data set %s holds cases: use `percuss evidence -d %s`; the chain audit needs a set of questions such as %s",
			s.name, data, strings.Join(namesOf(func(s dataSet) bool { return s.open != nil }), ", ")))
	}
	paths, err := a.findFiles(s, arg)
	if err != nil {
		return nil, err
	}
	loader, err := s.open(paths, arg.Options)
	return loader, usage(err)
}

// findFiles returns the paths of a set's files.
func (a *app) findFiles(s dataSet, arg dataset.Argument) ([]string, error) {
	if s.known == nil {
		if arg.Path == "" {
			return nil, nil
		}
		return []string{arg.Path}, nil
	}
	known, err := s.known(arg.Options)
	if err != nil {
		return nil, usage(err)
	}
	cache, err := supply.Open(a.env, a.err)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, k := range known {
		path, err := dataset.Find(k, arg.Path, a.env, cache.Root())
		if err != nil {
			return nil, usage(err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// loadData reads and draws the items of a run.
func (a *app) loadData(s spec.Specification) ([]percuss.Question, []run.DataInfo, error) {
	return loadSets(s, a.loadSet)
}

// loadSet reads and draws one set.
func (a *app) loadSet(d spec.Data, seed uint64) ([]percuss.Question, run.DataInfo, error) {
	loader, err := a.openSet(d.Data)
	if err != nil {
		return nil, run.DataInfo{}, err
	}
	questions, bad, err := dataset.Collect(loader)
	if err != nil {
		return nil, run.DataInfo{}, usage(err)
	}
	if len(questions) == 0 {
		return nil, run.DataInfo{}, usage(noneUsable(d.Data, "row", bad))
	}
	var files filesRead
	for _, q := range questions {
		files.add(q.Source)
	}
	drawn := dataset.Draw(questions, seed, d.N)
	info := infoOf(loader.Name(), files, len(questions), len(drawn), bad)
	for _, q := range drawn {
		count(&info.Remarks, q.Flags...)
	}
	return drawn, info, nil
}

// sources names the files that questions came from, and their hash; that of several is the hash of their hashes.
func sources(questions []percuss.Question) (files, sha256hex string) {
	var from filesRead
	for _, q := range questions {
		from.add(q.Source)
	}
	return from.sum()
}

// filesRead are the files that items came from, and the splits that their loaders name, in order.
type filesRead struct{ names, hashes, splits []string }

func (f *filesRead) add(s percuss.Source) {
	if n := len(f.names); n == 0 || f.names[n-1] != s.File {
		f.names, f.hashes = append(f.names, s.File), append(f.hashes, s.SHA256)
	}
	if s.Split != "" && !slices.Contains(f.splits, s.Split) {
		f.splits = append(f.splits, s.Split)
	}
}

func (f *filesRead) sum() (files, sha256hex string) {
	if len(f.hashes) == 1 {
		return f.names[0], f.hashes[0]
	}
	sum := sha256.Sum256([]byte(strings.Join(f.hashes, "\n")))
	return strings.Join(f.names, ", "), hex.EncodeToString(sum[:])
}
