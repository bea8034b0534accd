package run

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/demo"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/memory"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a small run on the built-in items with a simulated reasoner.
type bench struct {
	audit    *chain.Audit
	model    model.Model
	subjects []percuss.Subject
}

func newBench(t *testing.T, reasoner string) bench {
	t.Helper()
	questions, _, err := dataset.Collect(demo.New())
	if err != nil {
		t.Fatal(err)
	}
	questions = dataset.Draw(questions, 1, 4)
	m, err := simulated.New(questions, nil, reasoner)
	if err != nil {
		t.Fatal(err)
	}
	b, err := battery.Parse("families")
	if err != nil {
		t.Fatal(err)
	}
	manifest := Manifest{Spec: spec.Specification{Models: []spec.Model{{ID: "s", Prompts: []string{"neutral"}}}},
		Capabilities: map[string]percuss.Capabilities{"s": m.Capabilities()}}
	a := chain.New(chain.Options{Seed: 1, Battery: b, Prompts: prompt.Default(), Answer: chain.TextLetters, MaxTokens: 256,
		Direct: true, Can: manifest.Capabilities, Bootstrap: 50})
	return bench{audit: a, model: m, subjects: Subjects(manifest, Items{Questions: questions})}
}

func (b bench) loop(s store.Store, m model.Model) *Loop {
	return &Loop{Audit: b.audit, Store: s, Subjects: b.subjects, Attempts: 2, Now: time.Now,
		Models: func(context.Context, string) (model.Model, error) { return m, nil }}
}

func (b bench) records(t *testing.T, s store.Reader, frozen bool) []percuss.Record {
	t.Helper()
	var out []percuss.Record
	for v, err := range Views(context.Background(), b.audit, s, b.subjects, frozen) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v.Record)
	}
	return out
}

var numbers = cmp.Comparer(func(a, b percuss.Number) bool { return a == b })

func TestRunThenAskNothing(t *testing.T) {
	b := newBench(t, "faithful")
	s := memory.New()
	first, err := b.loop(s, b.model).Run(context.Background())
	if err != nil || first.Done != 4 || first.Answered < 40 || first.Failed != 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := b.loop(s, nil).Run(context.Background())
	if err != nil || again.Answered != 0 || again.Done != 4 {
		t.Errorf("a finished run asked again: %+v, %v", again, err)
	}
	if again.Trials != first.Trials {
		t.Errorf("%d trials, then %d", first.Trials, again.Trials)
	}
	if d := cmp.Diff(b.records(t, s, false), b.records(t, s, true), numbers); d != "" {
		t.Errorf("the ledger gives other records: %s", d)
	}
}

// flaky fails the first attempt of every third request.
type flaky struct {
	model.Model
	n    *atomic.Int64
	kind string
	dead bool
}

func (f flaky) Open(ctx context.Context, subject string) (model.Session, error) {
	s, err := f.Model.Open(ctx, subject)
	return flakySession{s, f}, err
}

type flakySession struct {
	model.Session
	f flaky
}

func (s flakySession) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	return s.Session.Answer(ctx, requests, func(i int, a percuss.Answer, err error) {
		if s.f.n.Add(1)%3 == 0 || s.f.dead {
			done(i, percuss.Answer{}, &model.Fault{Kind: s.f.kind, Err: errors.New("planted")})
			return
		}
		done(i, a, err)
	})
}

func TestFaultsAreTriedAgainAndCounted(t *testing.T) {
	b := newBench(t, "faithful")
	calm, rough := memory.New(), memory.New()
	if _, err := b.loop(calm, b.model).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	l := b.loop(rough, flaky{Model: b.model, n: new(atomic.Int64), kind: "dropped"})
	l.Attempts = 20
	if r, err := l.Run(context.Background()); err != nil || r.Failed != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	kinds, err := rough.Attempts(context.Background())
	if err != nil || kinds["dropped"] == 0 {
		t.Errorf("attempts %v, %v", kinds, err)
	}
	if d := cmp.Diff(b.records(t, calm, false), b.records(t, rough, false), numbers); d != "" {
		t.Errorf("faults changed the records: %s", d)
	}
}

func TestWhatFailsIsMissingAndAskedAgain(t *testing.T) {
	b := newBench(t, "faithful")
	s := memory.New()
	r, err := b.loop(s, flaky{Model: b.model, n: new(atomic.Int64), kind: "dropped", dead: true}).Run(context.Background())
	if err != nil || r.Failed == 0 || r.Answered != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, rec := range b.records(t, s, false) {
		if base := rec.(chain.Record).Base; base.State != chain.NoCall {
			t.Errorf("baseline %+v", base)
		}
	}
	if r, err := b.loop(s, b.model).Run(context.Background()); err != nil || r.Failed != 0 || r.Answered < 40 {
		t.Errorf("on resume %+v, %v", r, err)
	}
}

func TestInterruptedRunGoesOn(t *testing.T) {
	b := newBench(t, "faithful")
	whole, cut := memory.New(), memory.New()
	if _, err := b.loop(whole, b.model).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	for stop := 5; ; stop += 11 {
		ctx, cancel := context.WithCancel(context.Background())
		l := b.loop(cut, b.model)
		l.Progress = func(p Progress) {
			if p.Answered >= stop {
				cancel()
			}
		}
		_, err := l.Run(ctx)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(b.records(t, whole, false), b.records(t, cut, false), numbers); d != "" {
		t.Errorf("the interruption changed the records: %s", d)
	}
}

func TestLockNamesTheHolder(t *testing.T) {
	dir := t.TempDir()
	unlock, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(dir); err == nil || !strings.Contains(err.Error(), "process ") {
		t.Errorf("second lock: %v", err)
	}
	unlock()
	again, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadManifest(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no run: %v", err)
	}
	want := Manifest{Format: Format, Versions: map[string]string{"percuss": "x"}, Begun: time.Unix(1, 0).UTC()}
	if err := WriteManifest(dir, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadManifest(dir)
	if err != nil || got.Versions["percuss"] != "x" || !got.Begun.Equal(want.Begun) {
		t.Errorf("%+v, %v", got, err)
	}
	for text, word := range map[string]string{`{"format":"percuss.run/9"}`: "newer", `{"for`: "damaged"} {
		if err := os.WriteFile(filepath.Join(dir, ManifestFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadManifest(dir); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWriteFileKeepsTheOldOneOnFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	planted := errors.New("planted")
	if err := WriteFile(path, func(io.Writer) error { return planted }); !errors.Is(err, planted) {
		t.Errorf("error %v", err)
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	if raw, _ := os.ReadFile(path); string(raw) != "old" || len(entries) != 1 {
		t.Errorf("holds %q beside %d files", raw, len(entries)-1)
	}
}

// The keys of a small run: whoever changes a prompt, an edit, a splitter or the encoding sees here that stored answers
// no longer match, and raises the version that belongs to it.
func TestKeysOfASmallRunAreFrozen(t *testing.T) {
	b := newBench(t, "faithful")
	s := memory.New()
	if _, err := b.loop(s, b.model).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	rows := 0
	for _, subject := range b.subjects {
		ledger, err := s.Ledger(context.Background(), subject.SubjectID)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range ledger {
			rows++
			fmt.Fprintf(h, "%s %s %s\n", subject.Item, row.Trial, row.Key)
		}
	}
	const want = "60 rows, 8e72531de0290d59"
	if got := fmt.Sprintf("%d rows, %x", rows, h.Sum(nil)[:8]); got != want {
		t.Errorf("the keys are %s, once %s", got, want)
	}
}
