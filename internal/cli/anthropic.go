package cli

import (
	"context"
	"fmt"

	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/anthropic"
	"github.com/percuss/percuss/spec"
)

// openAnthropic opens a model behind Anthropic's messages interface, or a server that speaks it.
func (a *app) openAnthropic(ctx context.Context, arg spec.ModelArg, on machine) (model.Model, error) {
	o := anthropic.Options{URL: arg.URL, Name: arg.Name, Patience: on.firstByte,
		Remote: on.remote()}
	if len(arg.Others) > 0 {
		return nil, usage(fmt.Errorf("model anthropic:%s: several addresses are for servers of OpenAI's protocol: name one", arg.Name))
	}
	variable := "ANTHROPIC_API_KEY"
	for k, v := range arg.Params {
		switch k {
		case "continue":
			o.Continue = v
		case "key_env":
			if variable = v; !variableName.MatchString(v) || a.env(v) == "" {
				return nil, usage(fmt.Errorf("model anthropic:%s: key_env= names no environment variable that is set: it is the variable's name, never the key itself", arg.Name))
			}
		default:
			return nil, usage(fmt.Errorf("model anthropic:%s has no parameter %q: there are continue, key_env", arg.Name, k))
		}
	}
	o.Key, o.KeyFrom = a.env(variable), "the variable "+variable
	opened, err := anthropic.Open(ctx, o)
	return opened, usage(err)
}
