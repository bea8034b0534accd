package step_test

import (
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

func child() percuss.Question {
	return percuss.Question{Stem: "A 6-year-old girl of 20 kg has had pain in her left knee for 3 days. She is to get 15 mg/kg of a drug. Which dose is right?",
		Options: []percuss.Option{{Label: "A", Text: "300 mg"}, {Label: "B", Text: "450 mg"}}}
}

func TestCheckSums(t *testing.T) {
	for text, want := range map[string][2]int{
		"20 kg × 15 mg/kg = 300 mg":                        {1, 0},
		"20 * 15 = 350":                                    {1, 1},
		"20 times 15 is 300, and 300 divided by 3 is 150.": {2, 1},
		"10 + 2 * 3 = 16":                                  {1, 0},
		"(no) 2 * 3 = 6 * 4 = 24":                          {2, 0},
		"BMI = 80/1.8^2 = 24.7":                            {1, 0},
		"80 / 1.75² ≈ 26":                                  {1, 0},
		"20% of 50 is 12":                                  {1, 1},
		"1,200 - 200 = 1,000":                              {1, 0},
		"5 - 8 = -3":                                       {1, 0},
		"100/3 = 33.3":                                     {1, 0},
		"100/3 = 33.4":                                     {1, 1},
		"The ratio 120/80 is normal.":                      {0, 0},
		"Blood pressure 120/80 = high":                     {0, 0},
		"1 / 0 = 5":                                        {0, 0},
		"From 10-12 years it is rare.":                     {0, 0},
		"25 + 2 * 10 = 25 + 20 = 45":                       {2, 0},
		"25 + 2 * 10 = 25 + 25":                            {1, 1},
		"125/200 = 5/8. 3/4 x 1/4 = 3/16":                  {2, 0},
		"25 ± 1.96 * 0.5 ≈ 24.02 to 25.98":                 {0, 0},
		"25 + 1.96 * 10 = 20 to 30":                        {0, 0},
		"(2 + 3) * 4 = 20 and sqrt(3 + 1) = 2":             {0, 0},
		"$20 \\times 15 = 300$":                            {1, 0},
	} {
		got := step.Check(percuss.Question{}, nil, text)
		if got.Sums != want[0] || got.WrongSums != want[1] {
			t.Errorf("%q: %d calculations, %d wrong, want %v", text, got.Sums, got.WrongSums, want)
		}
	}
}

func TestCheckNumbers(t *testing.T) {
	for _, c := range []struct {
		text      string
		before    []string
		all, news int
	}{
		{"Step 2: She weighs 20 kg and gets 300 mg.", nil, 2, 0},
		{"2. The drug is given every 6 hours for 14 days.", nil, 2, 1},
		{"20 * 15 = 301", nil, 3, 0}, // a wrong sum, not a number from nowhere
		{"The limit is 75 mg/kg.", []string{"At most 75 mg/kg a day."}, 1, 0},
		{"The limit is 75 mg/kg.", nil, 1, 1},
		{"Vitamin B12 and CD4 cells are normal.", nil, 0, 0},
		{"3.5 mmol/l is low.", nil, 1, 1},
		{"Three reasons, 2 of them weak.", nil, 1, 0},
	} {
		got := step.Check(child(), c.before, c.text)
		if got.Numbers != c.all || got.NewNumbers != c.news {
			t.Errorf("%q: %d numbers, %d new, want %d and %d", c.text, got.Numbers, got.NewNumbers, c.all, c.news)
		}
	}
}

func TestCheckContradictions(t *testing.T) {
	for text, want := range map[string][2]int{
		"The patient is a 6-year-old girl.":             {2, 0},
		"The 8-year-old has a swollen knee.":            {1, 1},
		"A 6-month-old would get less.":                 {1, 1},
		"He needs 300 mg.":                              {1, 1},
		"In boys it is commoner; men are seldom ill.":   {0, 0},
		"The right knee is swollen.":                    {1, 1},
		"The left knee is swollen.":                     {1, 0},
		"The right answer is A. The right hip is well.": {0, 0},
		"Her left knee hurts, and this girl is aged 6.": {3, 0},
		"The dose is right for the patient.":            {0, 0},
	} {
		got := step.Check(child(), nil, text)
		if got.Stated != want[0] || got.Contradicts != want[1] {
			t.Errorf("%q: %d mentions, %d others, want %v", text, got.Stated, got.Contradicts, want)
		}
	}
	both := percuss.Question{Stem: "A man comes with his wife. Both knees hurt: the left knee and the right knee."}
	if got := step.Check(both, nil, "She says that he is ill. The right knee is 40 years old."); got.Stated != 0 {
		t.Errorf("%d mentions are compared with a question that has both sexes, both sides and no age", got.Stated)
	}
}
