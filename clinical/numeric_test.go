package clinical

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// stating is a reply and the number that it states: "" for none, "?" for an ambiguous one.
type stating struct{ reply, want, how string }

func checkNumber(t *testing.T, c stating, truncated bool) {
	t.Helper()
	got := ReadNumber(c.reply, truncated)
	checkEnd(t, c.reply, got)
	status := Parsed
	switch c.want {
	case "":
		status = Unparseable
	case "?":
		status, c.want = Ambiguous, ""
	}
	if got.Status != status || got.Label != c.want || c.how != "" && got.How != c.how {
		t.Errorf("%q (truncated: %v)\n got %q, %s, %q\nwant %q, %s, %q", c.reply, truncated, got.Label, got.Status, got.How, c.want, status, c.how)
	}
}

func TestReadNumber(t *testing.T) {
	for _, c := range []stating{
		{"Step 1: 16 - 7 = 9.\n\nAnswer: 18", "18", asLine},
		{"**Answer:** $1,234.50", "1234.5", asLine},
		{"Answer: 18.", "18", asLine},
		{"Answer: **18** dollars per day.", "18", asLine},
		{"Final Answer: 5.0", "5", asLine},
		{"Answer: 5%", "5", ""},
		{"Answer: -3", "-3", ""},
		{"Answer: −3 degrees", "-3", ""},
		{"Answer: -$40", "-40", ""},
		{"Answer: 1/2", "0.5", ""},
		{"Answer: 2 1/2 cups", "2.5", ""},
		{"Answer: 1/3 of the cake", "1/3", ""},
		{"Answer: 2 million", "2000000", ""},
		{"Answer: 18cm", "18", ""},
		{"Answer:\n\n18 eggs", "18", asBare},
		{"### Final Answer:\n**$18**", "18", ""},
		{"<answer>18</answer>", "18", asLine},
		{"Answer = 18", "18", ""},
		{"Answer 18", "18", ""},
		{"She has 9 eggs.\nA: 18", "18", asLine},
		{"She has 9 eggs.\n#### 130,000", "130000", asLine},
		{"#### 1. Compute the eggs\n16 - 7 is 9.\n\n#### 2. Sum\n9 * 2 is as above.", "", ""},
		{"The answer is 18.", "18", asPhrase},
		{"Therefore, the final answer is $18 a day.", "18", asPhrase},
		{"The answer to 5 + 3 is 8.", "8", asPhrase},
		{"The answer is that Janet makes $18 every day.", "18", asPhrase},
		{"The answer is 16 - 7 = 9 eggs.", "9", ""},
		{"Answer: x = 18", "18", ""},
		{"Answer: 9 * 2 = $<<9*2=18>>18", "18", ""},
		{"So \\boxed{18}", "18", asBoxed},
		{"So $x = \\boxed{\\$1{,}800}$.", "1800", asBoxed},
		{"\\[ \\boxed{\\frac{3}{4}} \\]", "0.75", asBoxed},
		{"Answer: \\boxed{18\\text{ dollars}}", "18", asBoxed},
		{"The sum is \\boxed{3} + 2", "", ""},
		{"Some text.\n\n18", "18", asBare},
		{"Some text.\n\n**$18 per day.**", "18", asBare},
		{"Some text ends with 18 eggs", "", ""},
		{"9 * 2 = 18", "", ""},
		{"", "", ""},
		{"Answer:", "", ""},
		{"Answer: unknown", "", ""},
		{"The answer is 18. No: the answer cannot be determined.", "", ""},
		{"The answer is not 18.", "", ""},
		{"The wrong answer is 18.", "", ""},
		{"I do not think the answer is 18. The answer is 20.", "20", ""},
		{"If she sold all, the answer is 32.\nAnswer: 18", "18", ""},
		{"The answer is 12.\nWait, there are more.\nAnswer: 18", "18", ""},
		{"Answer: 18\n\nQuestion: How many legs?\nAnswer: 4", "18", ""},
		{"A: 18\nQ: How many legs?\nA: 4", "18", ""},
		{"<think>The answer is 12.</think>\nAnswer: 18", "18", ""},
		{"<think>The answer is 12.</think>", "12", ""},
		{"<think>The answer is 12. And", "", ""},
		{"I'm sorry, but I can't help with that.", "", ""},
		{"Answer: 18 or 20", "?", ""},
		{"Answer: 18 or maybe 20", "?", ""},
		{"Answer: 18, or 20", "?", ""},
		{"Answer: 10-20", "?", ""},
		{"Answer: 18 to 20 eggs", "?", ""},
		{"Answer: 2 hours and 30 minutes", "?", ""},
		{"The answer is that she sells 9 eggs for $2.", "?", ""},
		{"Answer: 18. Answer: 20", "?", ""},
		{"\\boxed{3}, that is \\boxed{4}", "?", ""},
		{"Answer: 18 or 18.0", "18", ""},
		{"Answer: 18 (9 eggs for $2 each)", "18", ""},
		{"Answer: 18, because 9 * 2 = 18", "18", ""},
		{"Answer: 18 because 20 - 2 = 18", "18", ""},
		{"Answer: 18 eggs in 7 days", "18", ""},
		{"Answer: 8:30", "", ""},
		{"Answer: 1'000", "", ""},
		{"Answer: 1e6", "", ""},
		{"Answer: 3 × 10^5", "", ""},
		{"Answer: 1 000", "?", ""},
		{"The answer is 5 hours 30 minutes.", "?", ""},
		{"The answer is $18, not $20.", "18", asPhrase},
		{"Answer: ≈ 18", "18", ""},
		{"Answer: 75% of 20 = 15", "15", ""},
		{"Answer: 1,23", "", ""},
		{"Answer: 12/0", "", ""},
		{"Answer: 1.2.3", "", ""},
		{"Answer: 2^5", "", ""},
		{"Answer: B12", "", ""},
	} {
		checkNumber(t, c, false)
	}
}

func TestReadCutNumber(t *testing.T) {
	for _, c := range []stating{
		{"She has 9.\nAnswer: 18\nThis is because", "18", asLine},
		{"She has 9.\nAnswer: 18", "", ""}, // 180 may have been meant
		{"She has 9.\nAnswer: 18.", "", ""},
		{"#### 18", "", ""},
		{"She has 9.\n\n18", "", ""},
		{"\\boxed{18} since", "18", asBoxed},
		{"The answer is 18. Then", "18", asPhrase},
		{"The answer is 18. But wait, the", "", ""},
		{"The answer might be 18. Then", "", ""},
		{"Answer: 18 or", "", ""},
		{"<think>Answer: 12\nThen", "", ""},
		{"<think>long</think>\nThe answer is 18, as", "18", ""},
	} {
		checkNumber(t, c, true)
	}
}

func TestChainEndOfNumber(t *testing.T) {
	for reply, want := range map[string]string{
		"Step 1: 16.\nStep 2: 9.\n\nAnswer: 18":   "Step 1: 16.\nStep 2: 9.\n\n",
		"She has 9.\n#### 18":                     "She has 9.\n",
		"She has 9. The answer is 18.":            "She has 9. ",
		"She has 9.\n\n**Final Answer**\n\n$18$":  "She has 9.\n\n",
		"<think>9 * 2</think>\n\n18":              "<think>9 * 2</think>\n\n",
		"She has 9.\n\\[\n\\boxed{18}\n\\]":       "She has 9.\n",
		"She has 9.":                              "She has 9.",
		"She has 9.\nAnswer: 18 or 20, who knows": "She has 9.\n",
	} {
		if got := reply[:ReadNumber(reply, false).ChainEnd]; got != want {
			t.Errorf("%q: chain %q, want %q", reply, got, want)
		}
	}
}

func TestCanonicalNumber(t *testing.T) {
	for text, want := range map[string]string{
		"18": "18", " 1,234 ": "1234", "$5": "5", "5.0": "5", "5.50": "5.5", "5%": "5", "-0": "0", "007": "7", ".5": "0.5",
		"18 square feet.": "18", "1/3": "1/3", "4/6": "2/3", "6/3": "2", "1,000,000": "1000000", "10 USD": "10", "+3": "3",
		"": "", "eighteen": "", "18 and 20": "", "1,23": "", "18. She": "", "x": "", "$": "", "1/": "", "12 Then she goes": "",
		"123456789012345678901234567890123456789012345": "",
	} {
		got, ok := CanonicalNumber(text)
		if got != want || ok != (want != "") {
			t.Errorf("CanonicalNumber(%q) = %q, %v, want %q", text, got, ok, want)
		}
	}
}

// A number in any of its forms is read back as one, and a canonical form is its own.
func TestNumbersInAnyForm(t *testing.T) {
	forms := []string{"Answer: %s", "The answer is $%s.", "so\n#### %s", "x\nA: %s", "\\boxed{%s}", "**Answer:** %s units", "text\n\n%s"}
	rapid.Check(t, func(t *rapid.T) {
		n, places := rapid.IntRange(-10_000_000, 10_000_000).Draw(t, "n"), rapid.IntRange(0, 3).Draw(t, "places")
		text := fmt.Sprintf("%d", n)
		if places > 0 {
			text += fmt.Sprintf(".%0*d", places, rapid.IntRange(0, 9).Draw(t, "decimals"))
		}
		want, ok := CanonicalNumber(text)
		if again, fine := CanonicalNumber(want); !ok || !fine || again != want {
			t.Fatalf("%q is %q, and that is %q", text, want, again)
		}
		reply := fmt.Sprintf(rapid.SampledFrom(forms).Draw(t, "form"), text)
		if got := ReadNumber(reply, false); got.Label != want || got.Status != Parsed {
			t.Fatalf("%q: %+v, want %s", reply, got, want)
		}
	})
}

// No text makes the reader panic, read a malformed number, or put the chain's end outside the reply.
func TestReadNumberOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"Answer", ":", " ", "\n", "18", "1,", "$", "-", "#### ", "A: ", "\\boxed{", "}",
			"=", "/", "0", ".", "is", "or", "<think>", "</think>", "not", "é", "%", "\\frac{1}{", "Q:", "million", "\xff"}), 0, 14).Draw(t, "parts")
		reply := ""
		for _, p := range parts {
			reply += p
		}
		got := ReadNumber(reply, rapid.Bool().Draw(t, "truncated"))
		checkEnd(t, reply, got)
		if again, ok := CanonicalNumber(got.Label); got.Status == Parsed && (!ok || again != got.Label) {
			t.Fatalf("%q: %q is no canonical number", reply, got.Label)
		}
	})
}
