package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/percuss/percuss/internal/supply"
	"github.com/percuss/percuss/model/llamacpp"
	"github.com/percuss/percuss/spec"
)

// planMemory fills in what the models of the embedded engine will take, as far as their files are on this machine, and
// returns how many bytes they would have: 0 where that is not known without opening one. What is wrong with a file or
// the library is said when it is opened.
func (a *app) planMemory(ctx context.Context, rows []planned, s spec.Specification) (free int64, err error) {
	for i, m := range s.Models {
		arg, err := spec.ParseModel(m.Model)
		if err != nil || arg.Backend != "llama" {
			continue
		}
		cache, err := supply.Open(a.env, a.err)
		if err != nil {
			return 0, err
		}
		if lib, err := cache.FindEngine(ctx, "", a.env("PERCUSS_LIB")); err == nil && cache.EngineDevice(lib) == "cpu" {
			free = freeMemory(systemFiles()) // a graphics card has memory of its own
		}
		path, err := cache.FindModel(ctx, arg.Name)
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if err != nil {
			continue
		}
		if plan, err := llamacpp.PlanMemory(path, 0); err == nil {
			rows[i].Memory = &plan
		}
	}
	return free, nil
}

// writeMemory says what the models of the embedded engine take; one is open at a time. free is how many bytes there are
// for it, 0 where that is not known.
func writeMemory(w io.Writer, rows []planned, free int64) {
	for _, r := range rows {
		if r.Memory == nil {
			continue
		}
		line := r.Model + ": " + planWords(*r.Memory)
		if free > 0 {
			line += fmt.Sprintf("; this machine has %s free", byteWords(free))
		}
		folded(w, "  ", "%s", line)
	}
}
