package review

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss/evidence"
)

// keyed is a folder with a key file of the ids a, b and c.
func keyed(t testing.TB) (dir, key string) {
	t.Helper()
	dir = t.TempDir()
	s := Sample{Options: Options{Run: "r", Design: Buckets}}
	for _, id := range []string{"a", "b", "c"} {
		s.Keys = append(s.Keys, Key{ID: id, Model: "m", Set: "s", Item: "item-" + id, Target: "t", Units: []string{"u-" + id}, Bucket: "faithful"})
	}
	return dir, keyFile(t, dir, s)
}

// keyFile writes the key of a sample.
func keyFile(t testing.TB, dir string, s Sample) string {
	t.Helper()
	raw, err := s.key()
	if err != nil {
		t.Fatal(err)
	}
	return file(t, dir, KeyFile, string(raw))
}

func file(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// said is what was read, in short: a valid high; waiting; open.
func said(j Judged) string {
	var out []string
	for _, w := range j.Judgements {
		out = append(out, strings.TrimSpace(strings.TrimPrefix(w.Item, "item-")+" "+w.Verdict+" "+w.Confidence))
	}
	return fmt.Sprint(strings.Join(out, ", "), " awaiting ", j.Awaiting, " open ", j.Open, " by ", j.Reviewers)
}

func TestReadJudgements(t *testing.T) {
	const head = "id,judgement,confidence,reviewer\n"
	for _, c := range []struct{ name, text, want string }{
		{"one reviewer", head + "a,valid,high,p\nb,Invalid , LOW,p\nc,,,\n", "a valid high, b invalid low awaiting [] open 1 by [p]"},
		{"a majority", head + "a,valid,high,p\na,valid,low,q\na,invalid,high,r\n", "a valid low awaiting [] open 0 by [p q r]"},
		{"the middle confidence of the majority", head + "a,valid,high,p\na,valid,low,q\na,valid,high,r\na,invalid,low,s\n", "a valid high awaiting [] open 0 by [p q r s]"},
		{"a majority that gives no confidence", head + "a,valid,,p\na,valid,,q\na,invalid,high,r\n", "a valid awaiting [] open 0 by [p q r]"},
		{"a tie", head + "a,valid,high,p\na,invalid,high,q\nb,valid,high,p\n", "b valid high awaiting [a] open 0 by [p q]"},
		{"the largest part is no majority", head + "a,valid,high,p\na,valid,high,q\na,invalid,high,r\na,questionable,,s\n", " awaiting [a] open 0 by [p q r s]"},
		{"three words", head + "a,valid,high,p\na,invalid,high,q\na,questionable,high,r\n", " awaiting [a] open 0 by [p q r]"},
		{"adjudicated", head + "a,valid,high,p\na,invalid,high,q\na,questionable,medium,Adjudicated\n", "a questionable medium awaiting [] open 0 by [p q]"},
		{"adjudicated against the majority", head + "a,valid,high,p\na,valid,high,q\na,invalid,,adjudicated\n", "a invalid awaiting [] open 0 by [p q]"},
		{"who left it open does not count", head + "a,valid,high,p\na,,,q\n", "a valid high awaiting [] open 0 by [p]"},
		{"the guide, other columns, rows that are empty, semicolons", "case;ID;Judgement;Confidence;Rater\nx;guide;one of;one of;you\n;;;;\n\"a;b\nc\";a;valid;;p\n", "a valid awaiting [] open 0 by [p]"},
	} {
		dir, key := keyed(t)
		got, err := ReadJudgements([]string{file(t, dir, "x.csv", c.text)}, []string{key})
		if err != nil || said(got) != c.want {
			t.Errorf("%s: %s, %v\nwant %s", c.name, said(got), err, c.want)
		}
	}
}

func TestReadJudgementsRefuses(t *testing.T) {
	const head = "id,judgement,confidence,reviewer\n"
	for _, c := range []struct{ name, file, text, say string }{
		{"unknown id", "x.csv", head + "z,valid,high,\n", `line 2: id "z" is in no key file`},
		{"no id", "x.csv", head + ",valid,high,\n", `line 2: id ""`},
		{"unknown judgement", "x.csv", head + "\na,fine,high,\n", `line 3: judgement "fine": write one of valid, questionable, invalid`},
		{"unknown confidence", "x.csv", head + "a,valid,sure,\n", `line 2: confidence "sure": write one of high, medium, low`},
		{"confidence alone", "x.csv", head + "a,,high,\n", "line 2: a confidence without a judgement"},
		{"twice", "x.csv", head + "a,valid,high,p\nb,valid,,p\na,valid,high,p\n", "line 4: rater p has judged a already"},
		{"twice, in other capitals", "x.csv", head + "a,valid,high,Ann\na,invalid,high,ann\n", "line 3: rater ann has judged a already"},
		{"without a name", "x.csv", head + "a,,,\nb,valid,high,\n", `line 3: it does not say who the rater is: fill in the column "rater"`},
		{"adjudicated twice", "x.csv", head + "a,valid,high,adjudicated\na,invalid,high,ADJUDICATED\n", "line 3: rater adjudicated"},
		{"a column less", "x.csv", "id,judgement\na,valid\n", `no column "confidence"`},
		{"a field more", "x.csv", head + "a,valid,high,p,q\n", "line 2: 5 fields"},
		{"old encoding", "x.csv", head + "a,valid,high,Ren\xe9\n", "line 2: not valid UTF-8"},
		{"nothing", "x.csv", head, "holds no rows"},
		{"the guide alone", "x.csv", head + "guide,x,x,x\n", "holds no rows"},
		{"a workbook", "x.xlsx", "PK", "neither in .csv nor in .jsonl"},
		{"not JSON", "x.jsonl", "\n{\"id\":\n", "line 2: not one JSON object"},
		{"null", "x.jsonl", "null\n", "line 1: not one JSON object"},
		{"no field", "x.jsonl", `{"id":"a","judgement":"valid"}`, `line 1: no field "confidence"`},
		{"a number", "x.jsonl", `{"id":"a","judgement":1,"confidence":""}`, "line 1: judgement is 1"},
	} {
		dir, key := keyed(t)
		path := file(t, dir, c.file, c.text)
		_, err := ReadJudgements([]string{path}, []string{key})
		if err == nil || !strings.Contains(err.Error(), c.say) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.say)
		}
	}
	dir, key := keyed(t)
	for _, c := range []struct{ files, keys []string }{
		{[]string{filepath.Join(dir, "gone.csv")}, []string{key}}, {[]string{key}, []string{filepath.Join(dir, "gone-key.jsonl")}},
	} {
		if _, err := ReadJudgements(c.files, c.keys); err == nil || !strings.Contains(err.Error(), "gone") {
			t.Errorf("%v", err)
		}
	}
}

// Every reviewer fills in a copy of the file.
func TestJudgementsOfSeveralFiles(t *testing.T) {
	dir, key := keyed(t)
	const head = "id,judgement,confidence,rater\n"
	one, two := file(t, dir, "one.csv", head+"a,valid,high,one\nb,valid,high,one\n"), file(t, dir, "two.csv", head+"a,valid,low,two\nb,invalid,low,two\n")
	got, err := ReadJudgements([]string{one, two}, []string{key})
	if want := "a valid low awaiting [b] open 0 by [one two]"; err != nil || said(got) != want {
		t.Errorf("%s, %v", said(got), err)
	}
	last := file(t, dir, "last.jsonl", `{"id":"b","judgement":"questionable","confidence":"","reviewer":"adjudicated"}`)
	got, err = ReadJudgements([]string{one, two, last}, []string{key})
	if want := "a valid low, b questionable awaiting [] open 0 by [one two]"; err != nil || said(got) != want {
		t.Errorf("%s, %v", said(got), err)
	}
	if _, err = ReadJudgements([]string{one, one}, []string{key}); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("a file twice: %v", err)
	}
}

// An interaction that both designs drew has two ids; the mechanism's bucket comes first.
func TestJudgementsOfTwoDesigns(t *testing.T) {
	dir := t.TempDir()
	var files, keys []string
	for _, d := range Designs() {
		s := drawn(t, world(2, 20, 9), Options{Design: d, Seed: 2})
		of := filepath.Join(dir, string(d))
		if err := os.Mkdir(of, 0o755); err != nil {
			t.Fatal(err)
		}
		files, keys = append(files, file(t, of, "back.csv", sheet(s, func(string) (string, string) { return "valid", "high" }))), append(keys, keyFile(t, of, s))
	}
	got, err := ReadJudgements(files, keys)
	if err != nil {
		t.Fatal(err)
	}
	both, buckets := map[string][]string{}, 0
	for i, j := range got.Judgements {
		name := fmt.Sprint(j.Model, j.Item, j.Units)
		both[name] = append(both[name], j.Bucket)
		if fromQueue(j) == 0 {
			buckets++
			if i >= buckets {
				t.Fatalf("judgement %d of bucket %s stands behind those of the queue", i, j.Bucket)
			}
		}
	}
	twice := 0
	for name, in := range both {
		if len(in) == 2 {
			twice++
		}
		if len(in) > 2 {
			t.Errorf("%s is in %v", name, in)
		}
	}
	if buckets == 0 || twice == 0 {
		t.Errorf("%d of buckets, %d in both", buckets, twice)
	}
}

// sheet is a sheet with a judgement in every row, as a rater's spreadsheet saves it.
func sheet(s Sample, say func(id string) (verdict, confidence string)) string {
	var b strings.Builder
	b.WriteString("id;rater;judgement;confidence;comment\nguide;x;write one of: valid, questionable, invalid;;\n")
	for _, k := range s.Keys {
		verdict, confidence := say(k.ID)
		fmt.Fprintf(&b, "%s;Ann;%s;%s;\n", k.ID, verdict, confidence)
	}
	return b.String()
}

// From a run to judgements: what is drawn, filled in and read names the interactions that were drawn.
func TestRoundTrip(t *testing.T) {
	run := t.TempDir()
	of := filepath.Join(run, Folder, "buckets")
	if err := os.MkdirAll(of, 0o755); err != nil {
		t.Fatal(err)
	}
	s := drawn(t, world(2, 20, 9), Options{Design: Buckets, Seed: 2})
	keyFile(t, of, s)
	say := func(id string) (string, string) {
		return verdicts()[int(id[3])%3], confidences()[int(id[4])%3]
	}
	got, err := JudgementsOf(run, []string{file(t, t.TempDir(), "back.csv", sheet(s, say))})
	if err != nil {
		t.Fatal(err)
	}
	var want []evidence.Judgement
	for _, k := range s.Keys {
		v, c := say(k.ID)
		want = append(want, evidence.Judgement{Item: k.Item, Model: k.Model, Target: k.Target, Units: k.Units, Bucket: k.Bucket, Verdict: v, Confidence: c})
	}
	if !reflect.DeepEqual(got.Judgements, want) || len(want) < 50 || got.Open != 0 || got.Awaiting != nil {
		t.Errorf("%d judgements of %d, %d open", len(got.Judgements), len(want), got.Open)
	}
	// As it is given to a rater nothing is judged.
	blank := sheet(s, func(string) (string, string) { return "", "" })
	if got, err := JudgementsOf(run, []string{file(t, t.TempDir(), "blank.csv", blank)}); err != nil || got.Open != len(s.Keys) || got.Judgements != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestJudgementsNeedAKey(t *testing.T) {
	dir, key := keyed(t)
	text := "id,judgement,confidence,rater\na,valid,high,Ann\n"
	run := filepath.Join(t.TempDir(), "run [1]*")
	if err := os.MkdirAll(filepath.Join(run, Folder, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	alone := file(t, t.TempDir(), "y.csv", text)
	if _, err := JudgementsOf(run, []string{alone}); err == nil || !strings.Contains(err.Error(), "there is no key") || !strings.Contains(err.Error(), alone) {
		t.Errorf("no key: %v", err)
	}
	if got, err := JudgementsOf(run, []string{file(t, dir, "x.csv", text)}); err != nil || len(got.Judgements) != 1 {
		t.Errorf("a key beside the file: %v, %v", got, err)
	}
	if err := os.Rename(key, filepath.Join(run, Folder, "x", KeyFile)); err != nil {
		t.Fatal(err)
	}
	if got, err := JudgementsOf(run, []string{alone}); err != nil || len(got.Judgements) != 1 {
		t.Errorf("a key in the run: %v, %v", got, err)
	}
}

// Whatever the votes: a decided verdict has more than half of them, or the adjudicator gave it; the order of the rows
// does not matter.
func TestSettle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words, votes := map[string]word{}, map[string]int{}
		for i := range rapid.IntRange(0, 6).Draw(t, "reviewers") {
			w := word{verdict: rapid.SampledFrom(verdicts()).Draw(t, "verdict"), confidence: rapid.SampledFrom(append(confidences(), "")).Draw(t, "confidence")}
			words[fmt.Sprint("p", i)] = w
			votes[w.verdict]++
		}
		n := len(words)
		verdict, confidence, err := settle(words)
		switch {
		case n == 0 && err != errOpen:
			t.Fatal("nobody judged")
		case n > 0 && err == nil && 2*votes[verdict] <= n:
			t.Fatalf("%s with %d of %d", verdict, votes[verdict], n)
		case err == errSplit:
			for v, k := range votes {
				if 2*k > n {
					t.Fatalf("%s has %d of %d and does not hold", v, k, n)
				}
			}
		}
		if confidence != "" && !slices.ContainsFunc(confidences(), func(c string) bool { return c == confidence }) {
			t.Fatal(confidence)
		}
		words[Adjudicator] = word{verdict: "valid", confidence: "low"}
		if v, c, err := settle(words); v != "valid" || c != "low" || err != nil {
			t.Fatalf("adjudicated: %s %s %v", v, c, err)
		}
	})
}
