package openai

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss/model"
)

// newClients makes a client for each address of the model, the one that names it first. They share one pool of
// connections.
func newClients(o Options) ([]*client, error) {
	var clients []*client
	for i, url := range slices.Concat([]string{o.URL}, o.Others) {
		c, err := newClient(o, url)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(clients, func(had *client) bool { return had.addr.base == c.addr.base }) {
			return nil, fmt.Errorf("the address %s is named twice: name each once", c.addr.base)
		}
		if i > 0 {
			c.wire.http = clients[0].wire.http
		}
		clients = append(clients, c)
	}
	return clients, nil
}

// surveyAll asks all addresses what they are, and returns the first that answers. One that does not, or is not ready, is
// taken for a server of the same kind, as long as there is one that does; one that answers otherwise, e.g. that it lacks the model, is a
// mistake, and so are servers of different kinds. The identity is that of the first address.
func surveyAll(ctx context.Context, clients []*client, o Options) (*client, error) {
	var up []*client
	var away error
	for _, c := range clients {
		err := c.survey(ctx, o)
		var f *model.Fault
		var wait *notReady
		switch {
		case err == nil:
			up = append(up, c)
		case len(clients) > 1 && (errors.As(err, &wait) || errors.As(err, &f) && !f.Fatal):
			away = err
		default:
			return nil, err
		}
	}
	if len(up) == 0 {
		return nil, away
	}
	first := up[0]
	can := first.can
	can.Identity = identity(o.Name, clients[0].addr)
	engines := []string{can.Engine}
	for _, c := range up[1:] {
		if c.row.name != first.row.name {
			return nil, fmt.Errorf("%s is %s and %s is %s: the addresses of one model are servers of one kind, for their answers differ; ask each in a run of its own",
				first.addr.base, first.row.title, c.addr.base, c.row.title)
		}
		if n := c.can.ContextTokens; n > 0 && (can.ContextTokens == 0 || n < can.ContextTokens) {
			can.ContextTokens = n
		}
		if !slices.Contains(engines, c.can.Engine) {
			engines = append(engines, c.can.Engine)
		}
	}
	can.Engine = strings.Join(engines, " and ") // a report shows it: versions may differ in what they answer
	for _, c := range clients {
		if !slices.Contains(up, c) {
			c.row, c.shape, c.wire.single = first.row, first.shape, first.wire.single
		}
		c.can = can
	}
	return first, nil
}

// identity names a model in keys.
func identity(name string, at address) string { return "openai:" + name + "@" + at.base }
