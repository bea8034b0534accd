package clinical

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"pgregory.net/rapid"
)

// gptRow is a row of the lievin_gpt3 files.
type gptRow struct {
	Question    string  `json:"question_text"`
	Gold        *string `json:"gold"`
	Completions []struct {
		Marked     bool   `json:"marked_correct"`
		Completion string `json:"completion"`
	} `json:"completions"`
}

// TestCompletions reads 4,500 completions of a model that ends with "among A through D, the answer is ...".
func TestCompletions(t *testing.T) {
	for file, want := range map[string]struct{ parsed, ambiguous int }{
		"medmcqa_validation_150q_x6prompts": {841, 37},
		"pubmedqa_test_100q_x6prompts":      {600, 0},
		"usmle_validation_100q_x30prompts":  {2929, 43},
	} {
		parsed, ambiguous, all := 0, 0, 0
		for i, row := range readLines[gptRow](t, dataFile(t, "cot_outputs", "lievin_gpt3", file+".jsonl")) {
			options := listedOptions(row.Question)
			for j, c := range row.Completions {
				all++
				read := ReadAnswer(c.Completion, options, false)
				checkEnd(t, c.Completion, read)
				switch read.Status {
				case Parsed:
					parsed++
					if row.Gold != nil && (read.Label == *row.Gold) != c.Marked {
						t.Errorf("%s %d/%d: read %s, gold %s, marked correct: %v", file, i, j, read.Label, *row.Gold, c.Marked)
					}
				case Ambiguous:
					ambiguous++
				}
			}
		}
		t.Logf("%s: parsed %d, ambiguous %d of %d", file, parsed, ambiguous, all)
		if parsed < want.parsed || ambiguous > want.ambiguous {
			t.Errorf("%s: parsed %d, ambiguous %d; want at least %d and at most %d", file, parsed, ambiguous, want.parsed, want.ambiguous)
		}
	}
}

// listedOptions takes the options from a question that ends with them, one a line: "A) yes".
func listedOptions(question string) []percuss.Option {
	var options []percuss.Option
	for _, line := range strings.Split(question, "\n") {
		if len(line) > 3 && line[1] == ')' {
			options = append(options, percuss.Option{Label: line[:1], Text: strings.TrimSpace(line[2:])})
		}
	}
	return options
}

// thoughtRow is a row of the thoughtsource files.
type thoughtRow struct {
	Choices   []string `json:"choices"`
	Answer    []string `json:"answer"`
	Generated []struct {
		Cot     string `json:"cot"`
		Answers []struct {
			Answer  string `json:"answer"`
			Correct *bool  `json:"correct_answer"`
		} `json:"answers"`
	} `json:"generated_cot"`
}

// TestGeneratedChains reads chains that were asked for their answer in a second call: a reading of the chain agrees
// with the second call's answer, and a reading of that with the record of whether it is right.
func TestGeneratedChains(t *testing.T) {
	want := map[string]struct{ chains, answers int }{"gpt-3.5/med_qa": {179, 186}, "gpt-3.5/medmc_qa": {176, 166},
		"gpt-3.5/strategy_qa": {165, 17}, "text-da/med_qa": {46, 53}}
	differ := 0
	for _, file := range []string{"gpt-3.5-turbo_and_gpt-4.zhou-01.med_qa+medmc_qa+strategy_qa.json", "text-davinci-003.kojima-01.med_qa.incorrect57.json"} {
		for set, splits := range readJSON[map[string]map[string][]thoughtRow](t, dataFile(t, "cot_outputs", "thoughtsource", file)) {
			chains, answers, all := 0, 0, 0
			for _, rows := range splits {
				for _, row := range rows {
					c, a, n, d := readThoughts(t, row)
					chains, answers, all, differ = chains+c, answers+a, all+n, differ+d
				}
			}
			name := file[:7] + "/" + set
			t.Logf("%s: parsed %d chains and %d answers of %d", name, chains, answers, all)
			if w := want[name]; chains < w.chains || answers < w.answers {
				t.Errorf("%s: parsed %d chains and %d answers, want at least %d and %d", name, chains, answers, w.chains, w.answers)
			}
		}
	}
	// One chain names interleukin-10 where the second call answers leukotriene: the model contradicts itself.
	if differ > 1 {
		t.Errorf("%d chains are read otherwise than the answer of the second call", differ)
	}
}

func readThoughts(t *testing.T, row thoughtRow) (chains, answers, all, differ int) {
	options := lettered(row.Choices...)
	for _, g := range row.Generated {
		all++
		chain := ReadAnswer(g.Cot, options, false)
		checkEnd(t, g.Cot, chain)
		if chain.Status == Parsed {
			chains++
		}
		for _, a := range g.Answers {
			read := ReadAnswer(a.Answer, options, false)
			if read.Status != Parsed {
				continue
			}
			answers++
			right := len(row.Answer) > 0 && values(options).textOf(read.Label) == row.Answer[0]
			if a.Correct != nil && right != *a.Correct {
				t.Errorf("%q: read %s, recorded as correct: %v", a.Answer, read.Label, *a.Correct)
			}
			if chain.Status == Parsed && chain.Label != read.Label {
				differ++
			}
		}
	}
	return chains, answers, all, differ
}

// checkEnd checks what holds for every reading.
func checkEnd(t interface{ Fatalf(string, ...any) }, reply string, r Reading) {
	switch {
	case r.ChainEnd < 0 || r.ChainEnd > len(reply):
		t.Fatalf("chain end %d is outside of the %d bytes of %q", r.ChainEnd, len(reply), reply)
	case (r.Status == Parsed) != (r.Label != "") || (r.Status == Unparseable) != (r.How == ""):
		t.Fatalf("label, status and form disagree: %+v of %q", r, reply)
	case r.Refused && r.Status != Unparseable:
		t.Fatalf("refused, and yet an answer: %+v of %q", r, reply)
	case r.Status == Unparseable && r.ChainEnd != len(reply):
		t.Fatalf("no answer, but the chain ends at %d of %d: %q", r.ChainEnd, len(reply), reply)
	case r.Status != Unparseable && r.ChainEnd == len(reply):
		t.Fatalf("the answer is left in the chain: %q", reply)
	}
}

// TestAnyText reads arbitrary mixtures of what replies are made of.
func TestAnyText(t *testing.T) {
	pieces := []string{"Answer", ":", " ", "\n", "\n\n", "A", "B", "(C)", "D)", "I", "**", "\\boxed{", "}", "$", "is", " or ", ",", ".", "?",
		"<think>", "</think>", "the correct answer is ", "not ", "Human:", "Q:", "yes", "Réponse", "：", "答案", "\xff", "é", "<", "</", "\\",
		"Step 1:", "a", "b", "because ", "option ", "most likely ", "(", "none of the above", "answer>", "-", "1."}
	options := append(lettered("yes", "no", "Measles, a rash", "(D) 4", "B cells"), percuss.Option{Label: "I", Text: ""})
	rapid.Check(t, func(t *rapid.T) {
		reply := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), "")
		if rapid.Bool().Draw(t, "wild") {
			reply += rapid.String().Draw(t, "more")
		}
		r := ReadAnswer(reply, options, rapid.Bool().Draw(t, "truncated"))
		checkEnd(t, reply, r)
		if r.Label != "" && !strings.ContainsAny(r.Label, "ABCDEI") {
			t.Fatalf("label %q", r.Label)
		}
	})
}
