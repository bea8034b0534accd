package versus

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// mostTold is how many groups are told of in words.
const mostTold = 4

// lead is the answer in words, a paragraph a group.
func (p *pairs) lead(of map[*group][]result) []string {
	var out []string
	if len(p.others) > 0 {
		out = append(out, otherEdits(p.others))
	}
	for i, g := range p.groups {
		if i == mostTold {
			return append(out, fmt.Sprintf("And %d more groups, in the tables.", len(p.groups)-mostTold))
		}
		name := ""
		if len(p.groups) > 1 {
			name = g.Name() + ": "
		}
		sentences := append(answered(g, of[g][mRight]), p.further(g, of[g])...)
		if len(p.groups) == 1 {
			out = append(out, sentences...)
			continue
		}
		out = append(out, name+strings.Join(sentences, " "))
	}
	return out
}

// answered says how the answers without an edit compare.
func answered(g *group, right result) []string {
	var out []string
	n := right.before.N
	switch {
	case n == 0:
		out = append(out, "No item has an answer in both runs.")
	case n == 1 && g.others == 0:
		out = append(out, fmt.Sprintf("The one answer that both runs have is the same and %s.", map[bool]string{true: "right", false: "wrong"}[right.before.Value.Or(0) > 0]))
	case g.others == 0:
		out = append(out, fmt.Sprintf("All %s answers that both runs have are the same; %s of them are right.", percuss.Grouped(n), share(right.before.Value)))
	default:
		out = append(out, fmt.Sprintf("Of the answers %s are right before and %s after, a difference of %s", share(right.before.Value), share(right.after.Value), points(right.difference))+
			fmt.Sprintf(" Came right: %s; went wrong: %s; another answer in all: %s of %s.", percuss.Grouped(g.kinds[Fixed]), percuss.Grouped(g.kinds[Broke]), percuss.Grouped(g.others), percuss.Grouped(n)))
	}
	if lost, gained := g.kinds[Lost], g.kinds[Gained]; lost+gained > 0 {
		out = append(out, fmt.Sprintf("Answers lost: %s; gained: %s.", percuss.Grouped(lost), percuss.Grouped(gained)))
	}
	return out
}

// further says how edits compare, beside what moves without any; of cases, how margins do.
func (p *pairs) further(g *group, of []result) []string {
	if p.audit == ofEvidence {
		m := of[mMargin]
		if m.before.N == 0 {
			return []string{"No case is scored in both runs."}
		}
		return []string{fmt.Sprintf("The margin of the right diagnosis is %s nats on average before and %s after, a difference of %s",
			signed(m.before.Value, 2), signed(m.after.Value, 2), hedged(m.difference, 1, " nats", 2))}
	}
	var out []string
	if m := of[mMoves]; m.before.N > 0 {
		out = append(out, fmt.Sprintf("Edits move %s of the answers before and %s after, a difference of %s", share(m.before.Value), share(m.after.Value), points(m.difference)))
	}
	for i, m := range p.measures {
		if r := of[i]; m.control && m.id == string(chain.Sham) && r.before.N > 0 {
			out = append(out, fmt.Sprintf("Asked again without an edit, %s of the answers move before and %s after (%s).", share(r.before.Value), share(r.after.Value), items(r.before.N)))
		}
	}
	return out
}

// points is a difference of shares in percentage points, with what may be said of it.
func points(d percuss.Estimate) string { return hedged(d, 100, " points", 1) }

// hedged is a difference, with its interval and what that allows to be said; it ends the sentence.
func hedged(d percuss.Estimate, factor float64, unit string, decimals int) string {
	print := func(n percuss.Number) string {
		v, ok := n.Get()
		if !ok {
			return "–"
		}
		return signed(percuss.Num(factor*v), decimals)
	}
	lo, had := d.Lo.Get()
	hi, has := d.Hi.Get()
	s := print(d.Value) + unit
	switch {
	case !had || !has:
		return s + " over " + items(d.N) + ", too few for an interval."
	case lo == hi:
		return s + " over " + items(d.N) + ", the same in every resample: too few to say how sure that is."
	}
	s += fmt.Sprintf(" (%s to %s, %s)", print(d.Lo), print(d.Hi), items(d.N))
	if lo <= 0 && hi >= 0 {
		return s + ", which is no more than chance may bring."
	}
	return s + "."
}

func share(n percuss.Number) string {
	v, ok := n.Get()
	if !ok {
		return "an unknown share"
	}
	return percuss.Num(100*v).Format(1) + " %"
}

func signed(n percuss.Number, decimals int) string {
	return strings.Replace(n.Format(decimals), "-", "−", 1)
}

func items(n int) string {
	if n == 1 {
		return "1 item"
	}
	return percuss.Grouped(n) + " items"
}
