package versus

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// lead is the answer in words, for as many groups as are read one by one.
func (p *pairs) lead(of map[*group][]result) []string {
	const most = 4
	var out []string
	for i, g := range p.groups {
		if i == most {
			return append(out, fmt.Sprintf("And %d more groups, in the tables.", len(p.groups)-most))
		}
		out = append(out, p.sentences(g, of[g])...)
	}
	return out
}

// sentences are those of one group.
func (p *pairs) sentences(g *group, of []result) []string {
	name := ""
	if len(p.groups) > 1 {
		name = g.Name() + ": "
	}
	if g.others == 0 && of[mRight].before.N > 0 {
		out := []string{fmt.Sprintf("%sAll %d answers that both runs have are the same; %s %% of them are right.", name, of[mRight].before.N, percuss.Num(100*of[mRight].before.Value.Or(0)).Format(1))}
		return append(out, p.further(g, of, name)...)
	}
	out := []string{name + said("Of the answers %s are right before and %s after", of[mRight], 100, " %", " points", 1) +
		fmt.Sprintf(" %d came right and %d went wrong; %d are another answer.", g.kinds[Fixed], g.kinds[Broke], g.others)}
	return append(out, p.further(g, of, name)...)
}

// further are the sentences after that about right answers.
func (p *pairs) further(g *group, of []result, name string) []string {
	var out []string
	if lost, gained := g.kinds[Lost], g.kinds[Gained]; lost+gained > 0 {
		out = append(out, fmt.Sprintf("%sAnswers lost: %d; gained: %d.", name, lost, gained))
	}
	if p.audit == ofEvidence {
		return append(out, name+said("The right diagnosis leads by %s before and %s after", of[mMargin], 1, " nats", " nats", 2))
	}
	if of[mMoves].difference.Value.OK() {
		out = append(out, name+said("Edits move %s of the answers before and %s after", of[mMoves], 100, " %", " points", 1))
	}
	return out
}

// said is a sentence about a measure, with what the interval allows to be said.
func said(format string, r result, factor float64, unit, apart string, decimals int) string {
	print := func(n percuss.Number) string {
		v, ok := n.Get()
		if !ok {
			return "an unknown share"
		}
		return strings.Replace(percuss.Num(factor*v).Format(decimals), "-", "−", 1)
	}
	d := r.difference
	if !d.Value.OK() {
		return "Nothing was measured in both runs."
	}
	s := fmt.Sprintf(format, print(r.before.Value)+unit, print(r.after.Value)+unit) + fmt.Sprintf(", a difference of %s%s", print(d.Value), apart)
	lo, had := d.Lo.Get()
	hi, has := d.Hi.Get()
	if !had || !has {
		return s + fmt.Sprintf(" over %d items, too few for an interval.", d.N)
	}
	s += fmt.Sprintf(" (%s to %s, %d items)", print(d.Lo), print(d.Hi), d.N)
	if lo <= 0 && hi >= 0 {
		return s + ", which is no more than chance may bring."
	}
	return s + "."
}
