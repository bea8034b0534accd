package cli

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/demo"
	"github.com/percuss/percuss/dataset/medqa"
	"github.com/percuss/percuss/internal/supply"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// loadData reads and draws the items of a run.
func (a *app) loadData(s spec.Specification) ([]percuss.Question, []run.DataInfo, error) {
	var all []percuss.Question
	var infos []run.DataInfo
	for _, d := range s.Data {
		questions, info, err := a.loadSet(d, s.Seed)
		if err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(infos, func(i run.DataInfo) bool { return i.Set == info.Set }) {
			return nil, nil, usage(fmt.Errorf("data set %q is named twice", info.Set))
		}
		all, infos = append(all, questions...), append(infos, info)
	}
	return all, infos, nil
}

// loadSet reads and draws one set.
func (a *app) loadSet(d spec.Data, seed uint64) ([]percuss.Question, run.DataInfo, error) {
	arg, err := dataset.ParseArg(d.Data)
	if err != nil {
		return nil, run.DataInfo{}, usage(err)
	}
	var loader dataset.Loader
	switch arg.Set {
	case demo.Name:
		if err := arg.Options.Only(demo.Name); err != nil {
			return nil, run.DataInfo{}, usage(err)
		}
		loader = demo.New()
	case medqa.Name:
		known, err := medqa.Known(arg.Options)
		if err != nil {
			return nil, run.DataInfo{}, usage(err)
		}
		cache, err := supply.Open(a.env, a.err)
		if err != nil {
			return nil, run.DataInfo{}, err
		}
		path, err := dataset.Find(known, arg.Path, a.env, cache.Root())
		if err != nil {
			return nil, run.DataInfo{}, usage(err)
		}
		if loader, err = medqa.New(path, arg.Options); err != nil {
			return nil, run.DataInfo{}, usage(err)
		}
	default:
		return nil, run.DataInfo{}, usage(fmt.Errorf("data set %q is not known: there are demo and medqa", arg.Set))
	}
	questions, bad, err := dataset.Collect(loader)
	if err != nil {
		return nil, run.DataInfo{}, usage(err)
	}
	if len(questions) == 0 {
		return nil, run.DataInfo{}, usage(fmt.Errorf("data set %s: no usable row, %d bad ones", d.Data, len(bad)))
	}
	drawn := dataset.Draw(questions, seed, d.N)
	info := run.DataInfo{Set: loader.Name(), File: questions[0].Source.File, SHA256: questions[0].Source.SHA256,
		Rows: len(questions), Bad: len(bad), Drawn: len(drawn)}
	for _, b := range bad[:min(len(bad), 100)] {
		info.BadRows = append(info.BadRows, b.Error())
	}
	return drawn, info, nil
}
