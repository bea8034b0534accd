package cli

import (
	"fmt"

	"github.com/percuss/percuss/model/llamacpp"
	"github.com/percuss/percuss/spec"
)

// layoutOf is how the embedded engine is to share work between the requests of a call: as the model argument says, else
// as the run was begun or --plain says. plain: not at all, and then no layout is returned.
func layoutOf(arg spec.ModelArg, on machine) (layout string, plain bool, err error) {
	layout, plain = on.layout, on.layout == llamacpp.Alone || on.plain && on.layout == ""
	if on.plain && !plain {
		return "", false, usage(fmt.Errorf("--plain: the run was begun with the layout %s of llama:%s: go on without --plain, or begin another folder", on.layout, arg.Name))
	}
	for k, v := range arg.Params {
		switch {
		case k == "layout" && (v == llamacpp.Exact || v == llamacpp.Shared):
			layout = v
		case k == "plain" && v == "true":
			plain = true
		default:
			return "", false, usage(fmt.Errorf("model llama:%s has no parameter %s=%s: there is layout=%s or layout=%s, and plain=true",
				arg.Name, k, v, llamacpp.Exact, llamacpp.Shared))
		}
	}
	if _, named := arg.Params["layout"]; plain && named {
		return "", false, usage(fmt.Errorf("model llama:%s: plain=true shares nothing between requests, so there is no layout to choose: leave one of them out", arg.Name))
	}
	if plain {
		layout = ""
	}
	return layout, plain, nil
}
