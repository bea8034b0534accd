package cli

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/percuss/percuss/internal/supply"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/llamacpp"
	"github.com/percuss/percuss/model/openai"
	"github.com/percuss/percuss/model/recorded"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// machine is what a run may use of the machine; it never changes an answer's key.
type machine struct {
	lib         string
	threads     int
	parallel    int
	concurrency int
	firstByte   time.Duration
	idle        time.Duration
	patience    time.Duration
	rpm, tpm    int
	batch       batching
	memory      bytesFlag
	plain       bool
	layout      string // of the embedded engine: that of the run that is gone on with; empty: what holds here
}

func (on *machine) bind(f *pflag.FlagSet) {
	f.StringVar(&on.lib, "lib", "", "folder of the llama.cpp library (default: the installed one)")
	f.IntVar(&on.threads, "threads", 0, "threads of the embedded engine (default: one a core)")
	f.Var(&on.memory, "memory", "most memory for weights and cache of the embedded engine, such as 6GB (default: what is free)")
	f.BoolVar(&on.plain, "plain", false, "save no work: one request at a time, nothing shared, no drafts; slow, to compare with")
	f.IntVar(&on.parallel, "parallel", 0, "answers generated at once by the embedded engine (default: as many as save time, at most 32)")
	f.IntVar(&on.concurrency, "concurrency", 0, "most requests at once to one address of a server; fewer where more bring nothing, or it asks for it (default 32)")
	f.DurationVar(&on.firstByte, "first-byte", 0, "how long a server may take to begin its answer (default 10m)")
	f.DurationVar(&on.idle, "idle", 0, "how long a server may pause within an answer (default 2m)")
	f.IntVar(&on.rpm, "rpm", 0, "most requests a minute to each model's server, evenly (default: what the specification says under limits, else no bound)")
	f.IntVar(&on.tpm, "tpm", 0, "most tokens a minute to each model's server, of prompts and replies together (default as for --rpm)")
	f.DurationVar(&on.patience, "patience", 0, "how long a request to a server that fails is waited with and made again (default 5m)")
}

// check refuses limits that make no sense.
func (on machine) check() error {
	for name, n := range map[string]int{"threads": on.threads, "parallel": on.parallel, "concurrency": on.concurrency, "rpm": on.rpm, "tpm": on.tpm} {
		if n < 0 {
			return usage(fmt.Errorf("--%s %d: at least 1, or 0 for the default", name, n))
		}
	}
	for name, d := range map[string]time.Duration{"first-byte": on.firstByte, "idle": on.idle, "patience": on.patience} {
		if d < 0 {
			return usage(fmt.Errorf("--%s %s: a duration such as 30s, or 0 for the default", name, d))
		}
	}
	return nil
}

// within is the machine with a model's rate, where no flag says another.
func (on machine) within(rate spec.Rate) machine {
	on.rpm, on.tpm = cmp.Or(on.rpm, rate.RequestsPerMinute), cmp.Or(on.tpm, rate.TokensPerMinute)
	return on
}

// remote is how a server is asked.
func (on machine) remote() model.RemoteOptions {
	if on.plain {
		on.concurrency = 1
	}
	return model.RemoteOptions{Concurrency: on.concurrency, Budget: on.patience, RequestsPerMinute: on.rpm, TokensPerMinute: on.tpm}
}

// openModel opens one model of a run.
func (a *app) openModel(ctx context.Context, m spec.Model, world run.Items, on machine) (model.Model, error) {
	if err := on.check(); err != nil {
		return nil, err
	}
	arg, err := spec.ParseModel(m.Model)
	if err != nil {
		return nil, usage(err)
	}
	switch arg.Backend {
	case "sim":
		return openSimulated(arg, world)
	case "llama":
		return a.openEngine(ctx, arg, on)
	case "openai":
		return a.openServer(ctx, arg, on)
	case "anthropic":
		return a.openAnthropic(ctx, arg, on)
	case "recorded":
		return openRecorded(arg)
	}
	return nil, usage(noBackend(arg))
}

// noBackend says that a model's back-end is none of those that openModel knows.
func noBackend(arg spec.ModelArg) error {
	return fmt.Errorf("model %s:%s: there is no back-end %q: there are llama, openai, anthropic, recorded and sim", arg.Backend, arg.Name, arg.Backend)
}

// openSimulated makes a reasoner that knows the drawn items.
func openSimulated(arg spec.ModelArg, world run.Items) (model.Model, error) {
	name := arg.Name
	if len(arg.Params) > 0 {
		values := url.Values{}
		for k, v := range arg.Params {
			values.Set(k, v)
		}
		name += "?" + values.Encode()
	}
	opened, err := simulated.New(world.Questions, world.Cases, name)
	return opened, usage(err)
}

// openEngine loads a model into the embedded engine.
func (a *app) openEngine(ctx context.Context, arg spec.ModelArg, on machine) (model.Model, error) {
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
	layout, plain, err := layoutOf(arg, on)
	if err != nil {
		return nil, err
	}
	most, err := a.allot(cache, lib, path, arg.Name, on)
	if err != nil {
		return nil, usage(err)
	}
	if to := messagesTo(a.err, a.env); to.on.Terminal { // a large one takes a while, and nothing else is shown before it is open
		fmt.Fprintf(to, "loading %s\n", report.Visible(arg.Name))
	}
	opened, err := llamacpp.Open(ctx, llamacpp.Options{Lib: lib, Path: path, Threads: on.threads, Parallel: on.parallel, Layout: layout, Plain: plain, Memory: most,
		Tests: filepath.Join(cache.Root(), "layouts")})
	return opened, usage(err)
}

// openRecorded answers from an export, or from the log of another program.
func openRecorded(arg spec.ModelArg) (model.Model, error) {
	export, err := recorded.IsExport(arg.Name)
	if err != nil {
		return nil, usage(err)
	}
	known := map[bool][]string{true: {"model"}, false: {"model", "trigger", "requests"}}[export]
	for k := range arg.Params {
		if !slices.Contains(known, k) {
			return nil, usage(fmt.Errorf("model recorded:%s: recorded answers have no parameter %q, only %s=", arg.Name, k, strings.Join(known, "=, ")))
		}
	}
	if export {
		opened, err := recorded.Open(arg.Name, arg.Params["model"])
		return opened, usage(err)
	}
	opened, err := recorded.OpenLog(arg.Name, recorded.Choice{Model: arg.Params["model"], Trigger: arg.Params["trigger"], Requests: arg.Params["requests"]})
	return opened, usage(err)
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// openServer opens a model behind a server that speaks OpenAI's protocol.
func (a *app) openServer(ctx context.Context, arg spec.ModelArg, on machine) (model.Model, error) {
	o := openai.Options{URL: arg.URL, Others: arg.Others, Name: arg.Name, FirstByte: on.firstByte, Idle: on.idle,
		Remote: on.remote()}
	variable := "OPENAI_API_KEY"
	for k, v := range arg.Params {
		switch k {
		case "server":
			o.Server = v
		case "letters":
			o.Letters = v
		case "continue":
			o.Continue = v
		case "key_env":
			if variable = v; !variableName.MatchString(v) || a.env(v) == "" {
				return nil, usage(fmt.Errorf("model openai:%s: key_env= names no environment variable that is set: it is the variable's name, never the key itself", arg.Name))
			}
		default:
			return nil, usage(fmt.Errorf("model openai:%s has no parameter %q: there are server, letters, continue, key_env", arg.Name, k))
		}
	}
	o.Key, o.KeyFrom = a.env(variable), "the variable "+variable
	if _, host, ok := strings.Cut(arg.Name, "@"); o.URL == "" && ok && strings.ContainsAny(host, ":/") {
		return nil, usage(fmt.Errorf("model openai:%s: what follows the @ is read as part of the name: write @http:// or @https:// before the host", arg.Name))
	}
	if o.URL == "" {
		return nil, usage(fmt.Errorf("model openai:%s: no server is named: openai:%s@http://host:8000/v1", arg.Name, arg.Name))
	}
	opened, err := openai.Open(ctx, o)
	return opened, usage(err)
}
