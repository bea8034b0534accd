package cases

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/stat/lattice"
)

// est is an estimate of a share of n.
func est(v float64, n int) percuss.Estimate {
	half := 1 / math.Sqrt(float64(n))
	return percuss.Estimate{Value: percuss.Num(v), Lo: percuss.Num(max(0, v-half)), Hi: percuss.Num(min(1, v+half)), Level: 0.95, N: n}
}

// rateOf is a share with its counts.
func rateOf(num, den int) percuss.Estimate {
	e := est(float64(num)/float64(den), den)
	e.Num, e.Den = percuss.Num(float64(num)), percuss.Num(float64(den))
	return e
}

// amount is an estimate that is no share.
func amount(v, half float64, n int) percuss.Estimate {
	return percuss.Estimate{Value: percuss.Num(v), Lo: percuss.Num(v - half), Hi: percuss.Num(v + half), Level: 0.95, N: n}
}

// profile has the labels of the shipped rules.
func profile(threshold float64) evidence.Profile {
	p := evidence.Profile{Threshold: threshold, Targets: 40, Salient: 400, Strength: 520.5, PerCase: amount(10, 1.5, 40),
		Suspicious: est(0.31, 40), SuspCount: est(0.27, 40),
		SuspCase: amount(2.7, 0.6, 40), Overuse: est(0.02, 40), OveruseCut: percuss.Num(2.41),
		SameSets: evidence.Coin{Count: percuss.Num(0.25), Strength: percuss.Num(0.26), ByCount: est(0.52, 40), ByStrength: est(0.55, 40)}}
	for _, m := range []struct {
		name        string
		suspicious  bool
		share, null float64
	}{{"negated or absent evidence misuse", true, 0.12, 0.23}, {"irrelevant evidence misuse", true, 0.1, 0.02}, {"competitor evidence misuse", true, 0.05, 0},
		{"differential conflict/cancellation", false, 0.4, 0.43}, {"target redundancy", false, 0.03, 0.01}, {"faithful target evidence", false, 0.2, 0.24},
		{"background/history influence", false, 0.06, 0.07}, {"weak/redundant or ambiguous", false, 0.04, 0}} {
		p.Mechanisms = append(p.Mechanisms, evidence.Mechanism{Name: m.name, Suspicious: m.suspicious, Count: int(400 * m.share),
			Strength: 520.5 * m.share, Share: est(m.share, 40),
			Weight: est(m.share, 40), Mean: amount(1.3, 0.2, 40), Null: percuss.Num(m.null),
			SameSets: evidence.Coin{Count: percuss.Num(m.share + 0.011), Strength: percuss.Num(m.share + 0.012), ByCount: est(0.7, 40), ByStrength: est(0.2, 40)}})
	}
	for _, m := range []struct {
		name  string
		share float64
	}{{"faithful/plausible", 0.24}, {"conflict", 0.43}, {"background", 0.06}, {"negated", 0.12}, {"other suspicious", 0.15}} {
		p.Coarse = append(p.Coarse, evidence.Mechanism{Name: m.name, Count: int(400 * m.share), Share: est(m.share, 40),
			Weight: est(m.share, 40), Mean: amount(1.3, 0.2, 40)})
	}
	p.Rules = p.Mechanisms[:2]
	return p
}

// cell is a cell with every table filled.
func cell(model, set string) evidence.Cell {
	unjudged := percuss.Absent("no judgements were read: percuss review create draws a sample")
	c := evidence.Cell{Model: model, Set: set, Cases: 42, Scored: 40, States: []evidence.Count{{Name: "scored", N: 40}, {Name: "censored", N: 2}},
		Reasons: []evidence.Count{{Name: "the gold's letter was not among those returned", N: 2}}, Accuracy: rateOf(25, 42), AlwaysA: rateOf(6, 42),
		Letters: []evidence.Count{{Name: "A", N: 6}, {Name: "B", N: 20}, {Name: "C", N: 16}}, Mass: est(0.93, 42), Empty: amount(-1.2, 0.3,
			40), Full: amount(0.7, 0.3, 40),
		Gold: profile(0.5), Everyone: profile(0.5), Above: percuss.Absent("only orders 1 to 3 were asked"),
		Cautions: []string{"The share of conflict equals its null."}}
	clear := profile(0.5)
	clear.Name = "salient and above the floor of its order"
	c.AboveFloor = &clear
	for _, t := range []float64{0.25, 0.5, 1, 2} {
		c.Thresholds = append(c.Thresholds, profile(t))
	}
	for o := 1; o <= 3; o++ {
		share := []float64{0.5, 0.3, 0.2}[o-1]
		c.Orders = append(c.Orders, evidence.OrderShare{Order: o, Count: 100 * o, Share: est(share, 40), Weight: est(share, 40),
			Mean: amount(1/float64(o), 0.1, 40)})
		c.Ablation = append(c.Ablation, evidence.AblationRow{Order: o, Budget: []float64{9, 37, 93}[o-1], Strength: est(float64(o)/3, 40),
			Suspicious: est(float64(o)/3, 40), Invalid: unjudged})
		c.Floor = append(c.Floor, evidence.FloorRow{Source: "order", Order: o - 1, SD: percuss.Num(0.2 * float64(o)),
			Floor: percuss.Num(0.392 * float64(o)), DoF: 36, Under: 9 * (o - 1), Of: 50 * (o - 1)})
	}
	c.Strength = slices.Clone(c.Orders)
	for i := range c.Strength {
		c.Strength[i].Share = percuss.Estimate{Value: percuss.Num(0.2), Num: percuss.Num(80), Den: percuss.Num(400), N: 40}
		c.Strength[i].Noise = evidence.NoiseShare{Alone: percuss.Num(0.307), Most: percuss.Num(0.041)}
	}
	why := percuss.Absent("it is the reference")
	c.Stability = []evidence.StabilityRow{{Name: "clinical-summary", Cases: 8, Accuracy: est(0.6, 8), Difference: why, Agreement: why,
		Correlation: why, Overlap: why, Suspicious: est(0.3, 8), PerCase: amount(2, 1, 8)},
		{Name: "questionnaire", Kind: evidence.ByWording, Cases: 8, Accuracy: est(0.5, 8), Difference: amount(-0.1, 0.2, 8),
			Agreement: est(0.75, 8), Correlation: est(0.82, 8), Centred: amount(0.31, 0.2, 8), Overlap: est(0.45, 8), Chance: est(0.06, 8), Suspicious: est(0.25, 8), PerCase: amount(2, 1, 8)},
		{Name: "neutralize", Kind: evidence.ByHiding, Cases: 16, Accuracy: est(0.6, 16), Difference: amount(0, 0.1, 16), Agreement: est(0.9,
			16), Correlation: est(0.7, 16), Overlap: est(0.35, 16), Suspicious: est(0.4, 16), PerCase: amount(3, 1, 16)}}
	c.Selectors = []evidence.SelectorRow{{Selector: evidence.Balanced, Cases: 8, Salient: 80, Coarse: profile(0.5).Coarse, Overlap: why, Suspicious: est(0.3, 8)},
		{Selector: evidence.TargetSalient, Cases: 8, Salient: 90, Coarse: profile(0.5).Coarse, Overlap: est(0.6, 8), Suspicious: est(0.1, 8)}}
	kept := []int{90, 60, 33, 20, 12}
	for i, name := range []string{"raw automatic", "could be checked", "prompt-stable", "order-stable", "survives neutralization"} {
		asked := kept[max(i-1, 0)]
		c.Cascade = append(c.Cascade, evidence.CascadeRow{Step: name, Asked: asked, Kept: kept[i], Rate: rateOf(kept[i], asked),
			Precision: unjudged, Questionable: unjudged, False: unjudged})
	}
	c.Cascade = append(c.Cascade, evidence.CascadeRow{Step: "control: prompt-stable", Control: true, Asked: 20, Kept: 12,
		Rate: rateOf(12, 20), Judged: 9, Precision: rateOf(1, 9), Questionable: rateOf(3, 9), False: rateOf(5, 9)})
	c.Discovery = []evidence.Discovery{{Source: "order", Rate: 0.05, Tested: 3720, Listed: 120, Both: 100, Only: 300,
		P: percuss.Num(0.0016), Orders: []evidence.Count{{Name: "1", N: 90}, {Name: "2", N: 30}}}}
	for i, s := range []evidence.Stratum{evidence.High, evidence.Low} {
		strong := []float64{0.6, 0.15}[i]
		c.Strata = append(c.Strata, evidence.StratumRow{Stratum: s, Families: 30, Cases: 20, Variants: 100, Strong: est(strong, 20),
			Rank: est(strong/2, 20), TDown: est(strong/2, 20), TUp: est(strong/4, 20), CUp: est(strong/8, 20), CDown: est(strong/8, 20),
			Stable: est(1-strong, 20), Target: amount(-0.6, 0.2, 20), Rival: amount(0.1, 0.1, 20), Margin: amount(-0.7, 0.3, 20)})
	}
	c.Examples = []evidence.Example{{Item: "ddxplus:7", Gold: "Pulmonary embolism", Stratum: evidence.High, Outcome: "target_down",
		Change:      oneCase(1).Record.Changes[0],
		Interaction: &evidence.Interaction{Set: 6, Value: 1.75, Rule: "1", Label: "negated or absent evidence misuse", Suspicious: true},
		Units:       []string{"Fever: no", "Smoker: yes"}}}
	c.Review = []evidence.ReviewRow{{Bucket: "conflict", Judged: 40, Valid: 25, Questionable: 10, Invalid: 5, High: 20, Medium: 15, Low: 5,
		InvalidRate: rateOf(5, 40)},
		{Bucket: "total", Judged: 40, Valid: 25, Questionable: 10, Invalid: 5, High: 20, Medium: 15, Low: 5, InvalidRate: rateOf(5, 40)}}
	return c
}

// small is a report made by hand: a structured set and a narrative one.
func small() Report {
	narrative := cell("m1", "cupcase")
	narrative.Narrative, narrative.Prose, narrative.Cautions, narrative.AboveFloor = true, 42, nil, nil
	unknown := percuss.Absent("in a narrative nothing is known of what a sentence is evidence for")
	for _, p := range append([]*evidence.Profile{&narrative.Gold, &narrative.Everyone}, pointers(narrative.Thresholds)...) {
		p.Suspicious, p.SuspCount, p.SuspCase, p.Overuse, p.OveruseCut = unknown, unknown, unknown, unknown, percuss.Number{}
		p.SameSets = evidence.Coin{ByCount: unknown, ByStrength: unknown}
	}
	r := Report{Audit: "evidence", Spec: json.RawMessage(`{"seed":7}`), Versions: map[string]string{"percuss": "v0"},
		Models: []report.Model{{ID: "m1", Identity: "gguf:1", Layout: "exact"}},
		Data:   []report.Data{{Set: "ddxplus", Rows: 50, Bad: 1, Drawn: 42, BadRows: []string{"line 3: no gold"}}},
		Findings: evidence.Findings{Salient: 0.5, Labels: evidence.DefaultLabels(), Cells: []evidence.Cell{cell("m1", "ddxplus"),
			narrative}, Level: 0.95, Bootstrap: 1000, Decisions: []percuss.Decision{{ID: "E1", Text: "candidates are shuffled"}}}}
	r.Findings.Panel = panelOf(r.Findings.Cells)
	tally := report.NewTally()
	for _, c := range someCases(3) {
		tally.Add(report.Item{Subject: c.Subject, Trials: c.Trials, Answers: c.Answers})
	}
	r.Calls = tally.Calls()
	r.Complete()
	return r
}

func pointers(all []evidence.Profile) (out []*evidence.Profile) {
	for i := range all {
		out = append(out, &all[i])
	}
	return out
}

var unitTexts = []string{"Swollen leg: left calf, 4 cm thicker than the right", "Fever: no", "Smoker: yes, 20 cigarettes a day",
	"Chest pain on breathing in: yes", "Recent operation: hip fracture repaired 12 days ago", "Blood coughed up: streaks since this morning"}

// oneCase is the n-th case: six findings, a gold, two rivals, everything asked.
func oneCase(n int) Case {
	id := fmt.Sprintf("ddxplus:%d", n)
	of := percuss.Case{ID: id, Set: "ddxplus", Facts: []string{"Age: 46 years", "Sex: female"}, Candidates: []string{"Pulmonary embolism",
		"Pneumonia", "Panic attack"}, Gold: "Pulmonary embolism",
		Source:  percuss.Source{File: "patients.csv", Line: n + 1, Split: "validation"},
		LeftOut: []percuss.LeftOut{{Text: "A scan showed emboli.", Why: "names the gold"}}}
	r := evidence.Record{Subject: percuss.SubjectID{Model: "m1", Set: "ddxplus", Item: id}, Gold: of.Gold, Candidates: []string{"Pneumonia",
		"Pulmonary embolism", "Panic attack"}, Order: 3, CheckOrder: 3}
	roles := [][]evidence.Flag{{evidence.Symptom, evidence.TargetSpecific}, {evidence.Absent, evidence.Other}, {evidence.Antecedent},
		{evidence.Symptom, evidence.Other, evidence.LowSpecificity}, {evidence.Antecedent}, {evidence.Other, evidence.OtherOnly}}
	for i, text := range unitTexts {
		u := percuss.Unit{ID: fmt.Sprintf("E_%d", i), Family: fmt.Sprintf("F_%d", i), Text: text, Absent: i == 1}
		of.Units = append(of.Units, u)
		r.Units = append(r.Units, evidence.UnitRecord{ID: u.ID, Family: u.Family, Text: u.Text, Flags: roles[i],
			Role: evidence.RoleOf(roles[i]), Shapley: percuss.Num(0.4 - 0.1*float64(i))})
	}
	of.Units = append(of.Units, percuss.Unit{ID: "E_9", Text: "Cough: dry"})
	r.Base = base()
	r.Base.Pairs = []evidence.Pair{{Set: 0b110, Units: []string{"E_1", "E_2"}, SII: percuss.Num(1.31), KSII: percuss.Num(-0.27)}}
	r.Others = []evidence.Competitor{{Name: "Pneumonia", Measured: evidence.Measured{State: evidence.Scored, Letter: "A",
		Margin: percuss.Num(-0.8), Interactions: r.Base.Interactions[:2]}}}
	other := r.Base
	other.Setting.Wording = "questionnaire"
	r.Variants = []evidence.Variant{{Measured: other}}
	r.Compared = []evidence.Comparison{{Kind: evidence.ByWording, Of: other.Setting, With: r.Base.Setting, Agree: percuss.Num(1),
		Correlation: percuss.Num(0.88), Centred: percuss.Num(0.37), Overlap: percuss.Num(0.54), Chance: percuss.Num(0.07)}}
	r.Cascade = []evidence.Survival{{Set: 0b110, Value: 1.75, Rule: "1", Suspicious: true, Prompt: evidence.Holds, Order: evidence.Holds,
		Neutralize: evidence.Holds, Family: evidence.Holds},
		{Set: 0b1, Value: 2.1, Rule: "6", Prompt: evidence.Holds, Order: evidence.Fails, Neutralize: evidence.NotAsked, Family: evidence.NotAsked}}
	r.Families = []evidence.Family{{ID: "F_1", Texts: []string{"Fever: no"}, Strata: []evidence.Stratum{evidence.High}, Absent: true}}
	r.Changes = []evidence.Change{
		{Family: "F_1", Edit: evidence.Flip, State: evidence.Scored, Before: []string{"Fever: no"}, After: []string{"Fever: yes"},
			Competitor: "Pneumonia", Target: percuss.Num(-0.9), Rival: percuss.Num(0.6), Margin: percuss.Num(-1.5), RankBefore: 1, RankAfter: 2},
		{Family: "F_1", Edit: evidence.Remove, State: evidence.Scored, Before: []string{"Fever: no"}, Competitor: "Pneumonia",
			Target: percuss.Num(-0.1), Rival: percuss.Num(0.02), Margin: percuss.Num(-0.12), RankBefore: 1, RankAfter: 1},
		{Family: "F_1", Edit: evidence.Unspecify, State: evidence.Waiting, Why: "no answer yet", Before: []string{"Fever: no"}}}
	r.Unasked = []string{"order 2: there are only 6 orders of 3 candidates"}
	return asked(of, r)
}

// base is the margin of the gold with a few combinations.
func base() evidence.Measured {
	m := evidence.Measured{Setting: evidence.Setting{Wording: "clinical-summary", Hide: evidence.Drop}, State: evidence.Scored, Letter: "B",
		Prediction: "Pulmonary embolism", Correct: true, Answered: true,
		Margin: percuss.Num(0.8), Empty: percuss.Num(-1.1)}
	labels := evidence.DefaultLabels()
	names := map[string]evidence.Rule{}
	for _, r := range labels.Rules {
		names[r.ID] = r
	}
	for _, x := range []struct {
		set   lattice.Set
		value float64
		rule  string
	}{{0b1, 2.1, "6"}, {0b110, 1.75, "1"}, {0b1001, -1.2, "4a"}, {0b10100, 0.9, "7"}, {0b100000, 0.8, "3"}, {0b101001, -0.7, "4a"}, {0b1000,
		0.6, "6"}, {0b11, 0.3, "1"}} {
		m.Interactions = append(m.Interactions, evidence.Interaction{Set: x.set, Value: x.value, Rule: x.rule, Label: names[x.rule].Label,
			Suspicious: names[x.rule].Suspicious})
	}
	return m
}

// asked gives a case its trials and answers.
func asked(of percuss.Case, r evidence.Record) Case {
	answers := percuss.AnswerMap{}
	c := Case{Subject: percuss.Subject{SubjectID: r.Subject, Case: &of}, Record: r, Answers: answers}
	for _, shown := range []lattice.Set{0, lattice.Full(len(r.Units))} {
		request := &percuss.Request{Model: "m", Messages: []percuss.Message{{Role: percuss.User,
			Content: fmt.Sprintf("%s: which diagnosis? shown %d", of.ID, shown)}}, Want: percuss.Want{Letters: []string{"A", "B", "C"}}}
		raw, err := json.Marshal(map[string]any{"kind": "subset", "in": r.Base.Setting.String(), "shown": shown})
		if err != nil {
			panic(err)
		}
		c.Trials = append(c.Trials, percuss.Trial{ID: fmt.Sprint(shown), Fired: true, Request: request, Labels: raw})
		answers[request.Key()] = percuss.Answer{Outcome: percuss.OK, Letters: []percuss.LetterScore{{Letter: "A",
			LogProb: percuss.Num(-1.6)}, {Letter: "B", LogProb: percuss.Num(-0.5)}, {Letter: "C", LogProb: percuss.Num(-4), Censored: true}}}
	}
	return c
}

// someCases are n cases, of which the second is wrong and the third not scored.
func someCases(n int) []Case {
	var out []Case
	for i := range n {
		c := oneCase(i + 1)
		switch i % 3 {
		case 1:
			c.Record.Base.Prediction, c.Record.Base.Correct = "Pneumonia", false
			c.Record.Base.Interactions = slices.Clone(c.Record.Base.Interactions[2:4])
			c.Record.Cascade = nil
		case 2:
			c.Record.Base = evidence.Measured{Setting: c.Record.Base.Setting, State: evidence.Censored, Why: "the gold's letter was not among those returned"}
			c.Record.Changes, c.Record.Cascade, c.Record.Others = nil, nil, nil
		}
		out = append(out, c)
	}
	return out
}

// panelOf sets cells side by side, with figures that nobody worked out.
func panelOf(cells []evidence.Cell) *evidence.Panel {
	p := &evidence.Panel{Accuracy: est(0.61, 42)}
	models, sets := map[string]int{}, map[string]int{}
	for _, c := range cells {
		models[c.Model]++
		if sets[c.Set]++; sets[c.Set] == 1 {
			shares := []evidence.PanelShare{{Name: "faithful/plausible", Share: est(0.25, 42)}, {Name: "conflict", Share: est(0.44, 42)}}
			p.Sets = append(p.Sets, evidence.PanelSet{Set: c.Set, Accuracy: est(0.62, 42), Suspicious: est(0.32, 42), Shares: shares})
		}
		if models[c.Model] == 1 {
			p.Models = append(p.Models, evidence.PanelModel{Model: c.Model, Accuracy: est(0.63, 42)})
		}
	}
	for i := range p.Models {
		p.Models[i].Sets = models[p.Models[i].Model]
	}
	for i := range p.Sets {
		p.Sets[i].Of = sets[p.Sets[i].Set]
	}
	return p
}
