package recorded_test

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store/memory"
	"github.com/percuss/percuss/store/storetest"
)

// BenchmarkRecorded reads a file of 2000 answers with chains of usual length, and answers from it.
func BenchmarkRecorded(b *testing.B) {
	s := memory.New()
	for i := range 2000 {
		e := storetest.Entry(3*i + 1)
		e.Answer.Text = strings.Repeat("Step 1: the pain radiates to the left arm.\n", 40)
		storetest.Put(b, s, e)
	}
	path := export(b, s, map[string]percuss.Capabilities{"test": pair["one"]})
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			open(b, path, "")
		}
	})
	m := open(b, path, "")
	session, err := m.Open(b.Context(), "subject")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("answer", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			r := storetest.Entry(3*(i%2000) + 1).Request
			err := session.Answer(b.Context(), []percuss.Request{r}, func(_ int, _ percuss.Answer, err error) {
				if err != nil {
					b.Fatal(err)
				}
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
