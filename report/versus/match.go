package versus

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// pairs is a comparison in the making.
type pairs struct {
	groups []*group
	at     map[percuss.SubjectID]int // places of the first run's subjects in it
	pairs  map[percuss.SubjectID]pair
	of     map[percuss.SubjectID]percuss.SubjectID // the partners, by the second run's id

	onlyA, onlyB, differ int
	others               []OtherEdit
	other                map[uint32]bool // the operators of others

	names    names
	audit    audit
	measures []measure
	items    []Moved
}

// pair is a subject of the first run that has a partner.
type pair struct {
	group *group
	was   brief
}

// group is a Group with what is counted in it.
type group struct {
	Group
	kinds  map[Kind]int
	others int // answers that are another although both are wrong or without a key
	rows   [][]float64
	counts []count
}

// pairing finds what the two runs have in common.
func pairing(a, b Run, as map[string]string) (*pairs, error) {
	if len(a.Subjects) > 0 && len(b.Subjects) > 0 && (a.Subjects[0].Case == nil) != (b.Subjects[0].Case == nil) {
		return nil, fmt.Errorf("one of %s and %s asks questions, the other cases: compare runs of one audit", a.Name, b.Name)
	}
	model, err := matched("model", a, b, as, func(s percuss.Subject) string { return s.Model })
	if err != nil {
		return nil, err
	}
	prompt, err := matched("prompt", a, b, nil, func(s percuss.Subject) string { return s.Variant })
	if err != nil {
		return nil, err
	}
	p := &pairs{at: map[percuss.SubjectID]int{}, pairs: map[percuss.SubjectID]pair{}, of: map[percuss.SubjectID]percuss.SubjectID{}, names: names{at: map[string]uint32{}}}
	groups := p.partners(a, b, model, prompt)
	p.rest(b, groups)
	if len(p.pairs) == 0 {
		return nil, fmt.Errorf("no item of %s (%s) is one of %s (%s): compare runs of the same items", a.Name, setsOf(a), b.Name, setsOf(b))
	}
	p.groups = slices.DeleteFunc(p.groups, func(g *group) bool { return g.Both == 0 })
	return p, nil
}

// partners finds the partner of each subject of the first run.
func (p *pairs) partners(a, b Run, model, prompt map[string]string) map[Group]*group {
	after := map[percuss.SubjectID]percuss.Subject{}
	for _, s := range b.Subjects {
		after[s.SubjectID] = s
	}
	groups := map[Group]*group{}
	for i, s := range a.Subjects {
		p.at[s.SubjectID] = i
		m, known := model[s.Model]
		v, asked := prompt[s.Variant]
		if !known || !asked {
			p.onlyA++
			continue
		}
		g := p.group(groups, Group{Set: s.Set, BeforeModel: s.Model, AfterModel: m, BeforePrompt: s.Variant, AfterPrompt: v})
		with, ok := after[percuss.SubjectID{Variant: v, Model: m, Set: s.Set, Item: s.Item}]
		switch {
		case !ok:
			p.onlyA++
			g.OnlyA++
		case !sameItem(s, with):
			p.differ++
			g.Differ++
		default:
			g.Both++
			p.pairs[s.SubjectID] = pair{group: g}
			p.of[with.SubjectID] = s.SubjectID
		}
	}
	return groups
}

// group returns the group of its names.
func (p *pairs) group(known map[Group]*group, of Group) *group {
	g, ok := known[of]
	if !ok {
		g = &group{Group: of, kinds: map[Kind]int{}}
		known[of] = g
		p.groups = append(p.groups, g)
	}
	return g
}

// rest counts the second run's subjects that have no partner.
func (p *pairs) rest(b Run, groups map[Group]*group) {
	type side struct{ set, model, prompt string }
	of := map[side]*group{}
	for _, g := range groups {
		of[side{g.Set, g.AfterModel, g.AfterPrompt}] = g
	}
	for _, s := range b.Subjects {
		if _, ok := p.of[s.SubjectID]; ok {
			continue
		}
		p.onlyB++
		if g := of[side{s.Set, s.Model, s.Variant}]; g != nil {
			g.OnlyB++
		}
	}
	p.onlyB -= p.differ // they have a partner, if no equal one
	for _, g := range groups {
		g.OnlyB -= g.Differ
	}
}

// matched says which name of the second run stands for each of the first one.
func matched(what string, a, b Run, as map[string]string, of func(percuss.Subject) string) (map[string]string, error) {
	before, after := namesOf(a, of), namesOf(b, of)
	out := map[string]string{}
	for from, to := range as {
		if !slices.Contains(before, from) {
			return nil, fmt.Errorf("%s has no %s %q: it has %s", a.Name, what, from, strings.Join(before, ", "))
		}
		if !slices.Contains(after, to) {
			return nil, fmt.Errorf("%s has no %s %q: it has %s", b.Name, what, to, strings.Join(after, ", "))
		}
		for other, taken := range out {
			if taken == to {
				return nil, fmt.Errorf("%s and %s of %s are both to be %q of %s: a %s has one partner", other, from, a.Name, to, b.Name, what)
			}
		}
		out[from] = to
	}
	taken := func(name string) bool {
		for _, to := range out {
			if to == name {
				return true
			}
		}
		return false
	}
	for _, name := range before {
		if _, told := out[name]; !told && slices.Contains(after, name) && !taken(name) {
			out[name] = name
		}
	}
	switch {
	case len(out) > 0:
	case len(before) == 1 && len(after) == 1:
		out[before[0]] = after[0]
	case len(before) == 0 || len(after) == 0:
		return nil, errors.New("a run has no items: there is nothing to compare")
	case what == "model":
		return nil, fmt.Errorf("no model of %s (%s) is one of %s (%s): say which is which, with --as %s=%s", a.Name, strings.Join(before, ", "), b.Name, strings.Join(after, ", "), before[0], after[0])
	default:
		return nil, fmt.Errorf("no %s of %s (%s) is one of %s (%s): compare runs that share one, or that have one each", what, a.Name, strings.Join(before, ", "), b.Name, strings.Join(after, ", "))
	}
	return out, nil
}

// namesOf are the different names among a run's subjects, in their order.
func namesOf(r Run, of func(percuss.Subject) string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range r.Subjects {
		if name := of(s); !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

func setsOf(r Run) string {
	return strings.Join(namesOf(r, func(s percuss.Subject) string { return s.Set }), ", ")
}

// sameItem says whether two subjects were asked the same, and have the same key. Where a row stands in its file does not
// matter.
func sameItem(a, b percuss.Subject) bool {
	if (a.Case == nil) != (b.Case == nil) {
		return false
	}
	if a.Case != nil {
		x, y := *a.Case, *b.Case
		return x.Gold == y.Gold && slices.Equal(x.Facts, y.Facts) && slices.Equal(x.Candidates, y.Candidates) &&
			slices.EqualFunc(x.Units, y.Units, func(u, v percuss.Unit) bool { return u.ID == v.ID && u.Text == v.Text })
	}
	x, y := a.Question, b.Question
	return x.Stem == y.Stem && x.Gold == y.Gold && x.Kind == y.Kind && slices.Equal(x.Context, y.Context) && slices.Equal(x.Options, y.Options)
}
