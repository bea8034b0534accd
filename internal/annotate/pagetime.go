package annotate

import (
	"fmt"
	"math"
	"strings"

	"github.com/percuss/percuss/review/blind"
)

// How long a review may take is guessed from its words: a text is read at 180 words a minute, which is slower than prose
// (Brysbaert 2019: 238), and a question takes ten seconds.
const (
	wordsPerMinute     = 180
	minutesPerQuestion = 1. / 6
)

// Takes is how long all items may take, in words: "15 minutes", "2½ hours".
func (v page) Takes() string {
	minutes := 0.
	for _, s := range v.Items {
		minutes += s.minutes()
	}
	switch {
	case minutes <= 5:
		return "5 minutes"
	case minutes <= 60:
		return fmt.Sprintf("%.0f minutes", 5*math.Ceil(minutes/5))
	}
	half := int(math.Ceil(minutes / 30))
	return fmt.Sprintf("%d%s hours", half/2, []string{"", "½"}[half%2])
}

// minutes is how long one item may take. A change that is marked is one text; what is asked after an answer only is left out.
func (s shown) minutes() float64 {
	words := 0
	for _, p := range s.Parts {
		words += count(p.Head) + count(p.Text)
		switch {
		case p.Show == blind.ShowChange && p.Apart():
			words += count(p.Before) + count(p.After)
		case p.Show == blind.ShowChange:
			words += max(count(p.Before), count(p.After))
		}
		for _, r := range p.Rows {
			words += count(r.Text) + count(r.Note)
		}
	}
	asked := 0
	for _, q := range s.Questions {
		if q.When == nil && !q.Optional {
			asked++
		}
	}
	return float64(words)/wordsPerMinute + float64(asked)*minutesPerQuestion
}

func count(text string) int { return len(strings.Fields(text)) }
