package judge

import (
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// Step is what a judge sees of one step of a chain: neither whose it is, nor what was answered.
type Step struct {
	// Item is the question's id. It seeds the order of examples and labels, so that all steps of an item have one
	// beginning, and is not shown.
	Item     string
	Question string   // passages, stem and options
	Gold     string   // the right answer in words; empty: it is not shown
	Before   []string // the steps before it, in the words in which it is shown
	Text     string   // the step
	Draw     int      // 0, or the number of a repetition, which has its own order of examples and labels
}

// StepLabel is what a judge says of a step.
type StepLabel string

// The labels. A reply outside the grammar is StepMalformed, never an abstention.
const (
	StepCorrect   StepLabel = "correct"
	StepError     StepLabel = "error"
	StepAbstain   StepLabel = "abstain"
	StepMalformed StepLabel = "malformed"
)

// line is how a reply states a label, of an error without its kind.
func (l StepLabel) line() string {
	switch l {
	case StepCorrect:
		return "VERDICT: CORRECT"
	case StepError:
		return "VERDICT: ERROR"
	case StepAbstain:
		return "VERDICT: NOTHING TO CHECK"
	}
	return ""
}

// StepVerdict is a label, and of an error its kind: one of StepKinds; empty where the reply names none of them.
type StepVerdict struct {
	Label StepLabel
	Kind  string
}

// StepKinds are the kinds of an error, in the order in which the first that fits is named.
func StepKinds() []string {
	return []string{"factual", "contradicts_case", "unsupported", "arithmetic"}
}

// line is how a reply states the verdict.
func (v StepVerdict) line() string {
	if v.Label == StepError && v.Kind != "" {
		return v.Label.line() + " (" + strings.ReplaceAll(v.Kind, "_", " ") + ")"
	}
	return v.Label.line()
}

// Ask is the request that puts a step to a judge of the given identity: greedy, and short. The order of labels, kinds and
// examples is drawn for each item and judge, so that a judge that favours a place does not lean one way over all items. It
// names no model: an equal step of another model is the same request. The zero StepRubric asks as DefaultSteps does.
func (r StepRubric) Ask(s Step, identity string, seed uint64) percuss.Request {
	return r.orDefault().ask(s, identity, seed)
}

// ask is Ask of a rubric that is there.
func (r StepRubric) ask(s Step, identity string, seed uint64) percuss.Request {
	own := r.turnOf(s, identity, seed)
	all := own.scene(s)
	system := own.system
	if !own.fixed {
		system = render(r.system, all)
	}
	return percuss.Request{Model: identity, Sampling: percuss.Greedy(r.text.MaxTokens), Messages: []percuss.Message{
		{Role: percuss.System, Content: system}, {Role: percuss.User, Content: render(r.user, all)}}}
}

// Repair is the one request that follows a malformed reply, as Rubric.Repair is.
func (r StepRubric) Repair(s Step, identity string, seed uint64, malformed percuss.Answer) percuss.Request {
	r = r.orDefault()
	return repaired(r.Ask(s, identity, seed), render(r.remind, r.turnOf(s, identity, seed).scene(s)), malformed)
}

// Paraphrase is the request for a step in other words: greedy.
func (r StepRubric) Paraphrase(step, identity string) percuss.Request {
	return r.orDefault().paraphrase(step, identity)
}

// paraphrase is Paraphrase of a rubric that is there.
func (r StepRubric) paraphrase(step, identity string) percuss.Request {
	all := stepScene{Step: shownStep{Step: oneLine(step)}}
	return percuss.Request{Model: identity, Sampling: percuss.Greedy(r.text.Paraphrase.MaxTokens), Messages: []percuss.Message{
		{Role: percuss.System, Content: render(r.other, all)}, {Role: percuss.User, Content: render(r.put, all)}}}
}

// Paraphrased is the wording that a reply to Paraphrase holds; false where it holds none, or was cut.
func (r StepRubric) Paraphrased(a percuss.Answer) (string, bool) {
	if a.Outcome != percuss.OK {
		return "", false
	}
	text, closed := afterReasoning(a.Text)
	return text, closed && text != ""
}

// Read reads a judge's reply. The grammar is one line, one of the labels, of an error with its kind in brackets, which
// white space, marks of bold type and a full stop may surround and a block of reasoning may precede. An error whose kind is
// missing or unknown is an error without a kind. Everything else is malformed: other words beside the line, several lines,
// a reply cut before its verdict, and every outcome without text.
func (r StepRubric) Read(a percuss.Answer) StepVerdict {
	malformed := StepVerdict{Label: StepMalformed}
	if !a.Outcome.HasText() {
		return malformed
	}
	text, closed := afterReasoning(a.Text)
	if !closed {
		return malformed
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, "**", ""))
	if strings.ContainsAny(text, lineEnds) {
		return malformed
	}
	text = strings.TrimSuffix(strings.Join(strings.Fields(text), " "), ".")
	for _, l := range []StepLabel{StepCorrect, StepAbstain} {
		if text == l.line() {
			return StepVerdict{Label: l}
		}
	}
	kind, ok := strings.CutPrefix(text, StepError.line())
	if !ok || kind != "" && !bracketed(kind) {
		return malformed
	}
	kind = strings.ReplaceAll(strings.ToLower(strings.Trim(kind, " ()")), " ", "_")
	if !slices.Contains(StepKinds(), kind) {
		kind = ""
	}
	return StepVerdict{StepError, kind}
}

// bracketed reports whether a text is one pair of brackets with something in it, behind a space.
func bracketed(s string) bool {
	inner, ok := strings.CutPrefix(s, " (")
	inner, closed := strings.CutSuffix(inner, ")")
	return ok && closed && inner != "" && !strings.ContainsAny(inner, "()")
}

// stepScene is everything that the templates of steps may show.
type stepScene struct {
	Step     shownStep
	Examples []shownStep
	Labels   []named
	Kinds    []named
	Forms    []string
}

// shownStep is a step or an example as the rubric shows it.
type shownStep struct{ Question, Gold, Before, Step, Verdict string }

// scene lays out a step with examples and labels in the order drawn for its item.
func (r StepRubric) scene(s Step, identity string, seed uint64) stepScene {
	return r.drawn(s, identity, seed).scene(s)
}

// showStep lays a step out: the question with a mark before each of its lines, every step on one line behind a mark. Nothing
// in a question or a chain can then pass for the end of the case or for an instruction of the rubric.
func showStep(s Step) shownStep {
	out := shownStep{Question: quoted(s.Question), Step: "> " + oneLine(s.Text), Before: "(none)"}
	if s.Gold != "" {
		out.Gold = oneLine(s.Gold)
	}
	if len(s.Before) > 0 {
		lines := make([]string, len(s.Before))
		for i, b := range s.Before {
			lines[i] = "> " + oneLine(b)
		}
		out.Before = strings.Join(lines, "\n")
	}
	return out
}

// oneLine is a passage on one line.
func oneLine(s string) string {
	if s = strings.Join(strings.Fields(s), " "); s == "" {
		return "(nothing)"
	}
	return s
}

// quoted is a text with a mark before each of its lines.
func quoted(s string) string {
	lines := strings.FieldsFunc(strings.TrimSpace(s), func(r rune) bool { return strings.ContainsRune(lineEnds, r) })
	if len(lines) == 0 {
		lines = []string{"(nothing)"}
	}
	return "> " + strings.Join(lines, "\n> ")
}

// lineEnds are the characters that end a line.
const lineEnds = "\n\r\v\f\u0085\u2028\u2029"
