package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/demo"
	"github.com/percuss/percuss/dataset/medqa"
	"github.com/percuss/percuss/internal/supply"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/llamacpp"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// machine is what a run may use of the machine; it never changes an answer's key.
type machine struct {
	lib      string
	threads  int
	parallel int
}

// openModel opens one model of a run.
func (a *app) openModel(ctx context.Context, m spec.Model, world []percuss.Question, on machine) (model.Model, error) {
	arg, err := spec.ParseModel(m.Model)
	if err != nil {
		return nil, usage(err)
	}
	switch arg.Backend {
	case "sim":
		s := arg.Name
		if len(arg.Params) > 0 {
			values := url.Values{}
			for k, v := range arg.Params {
				values.Set(k, v)
			}
			s += "?" + values.Encode()
		}
		sim, err := simulated.New(world, s)
		return sim, usage(err)
	case "llama":
		cache, err := supply.Open(a.env, a.err)
		if err != nil {
			return nil, err
		}
		lib, err := cache.FindEngine(ctx, on.lib, a.env("PERCUSS_LIB"))
		if err != nil {
			return nil, usage(err)
		}
		path, err := cache.FindModel(ctx, arg.Name)
		if err != nil {
			return nil, usage(err)
		}
		opened, err := llamacpp.Open(ctx, llamacpp.Options{Lib: lib, Path: path, Threads: on.threads, Parallel: on.parallel})
		if err != nil {
			return nil, usage(err)
		}
		return opened, nil
	}
	return nil, usage(fmt.Errorf("model %q: there is no back-end %q: there are llama and sim", m.Model, arg.Backend))
}

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

// buildAudit makes the audit of a specification, and its fingerprints.
func buildAudit(s spec.Specification, can map[string]percuss.Capabilities) (*chain.Audit, map[string]string, error) {
	c := s.Chain
	if c == nil {
		return nil, nil, usage(errors.New("the specification names no audit"))
	}
	prompts := prompt.Default()
	if c.PromptFile != "" {
		f, err := os.Open(c.PromptFile)
		if err != nil {
			return nil, nil, usage(err)
		}
		defer f.Close()
		if prompts, err = prompt.Load(f, filepath.Base(c.PromptFile)); err != nil {
			return nil, nil, usage(err)
		}
	}
	var b battery.Battery
	var err error
	if c.BatteryFile == "" {
		b, err = battery.Parse(c.Battery)
	} else {
		var f *os.File
		if f, err = os.Open(c.BatteryFile); err == nil {
			defer f.Close()
			b, err = battery.Load(f, c.Battery)
		}
	}
	if err != nil {
		return nil, nil, usage(err)
	}
	for _, condition := range c.Prompts {
		if !slices.Contains(prompts.Conditions(), condition) {
			return nil, nil, usage(fmt.Errorf("--prompt %q: there are %s", condition, strings.Join(prompts.Conditions(), ", ")))
		}
	}
	tiers := map[string]string{}
	for _, m := range s.Models {
		tiers[m.ID] = m.Tier
	}
	audit := chain.New(chain.Options{Seed: s.Seed, Battery: b, Prompts: prompts, Answer: chain.AnswerMode(c.Answer),
		MaxTokens: c.MaxTokens, Direct: c.Direct, Can: can, Tiers: tiers})
	return audit, map[string]string{"battery": b.Fingerprint, "prompts": prompts.Fingerprint, "splitter": chain.Splitter}, nil
}

// checkCapabilities refuses an audit that a back-end cannot serve, before anything is asked.
func checkCapabilities(id string, can percuss.Capabilities, c *spec.Chain) error {
	if !can.Text {
		return usage(fmt.Errorf("model %s generates no text, which the chain audit needs", id))
	}
	if c.Answer != "text" && (!can.Letters || !can.Continue) {
		return usage(fmt.Errorf("model %s gives no log-probabilities after a given chain, which --answer %s needs: use --answer text", id, c.Answer))
	}
	return nil
}

// versions of what makes a run.
func versions() map[string]string {
	return map[string]string{"percuss": Version, "go": runtime.Version()}
}
