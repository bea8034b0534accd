package exchange

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"

	"github.com/percuss/percuss/review/ratings"
)

// Whatever a file holds, reading it ends with answers that the book takes, or with an error.
func FuzzReadFile(f *testing.F) {
	p := sample(f)
	entries := []ratings.Entry{{ID: "e", Rater: "Ann", Item: "item-1", Labels: map[string]string{"shift": "shifted", "Kind": "a", "hazard": "harmful"}, Comment: "=1", Flag: "odd", Flagged: true, Seconds: 1, At: now}}
	endings := map[Format]string{CSV: ".csv", JSONL: ".jsonl", Parquet: ".parquet", LabelStudio: ".json", Argilla: ".json"}
	for format, ending := range endings {
		var b bytes.Buffer
		if err := WriteAnswers(&b, format, p, entries); err != nil {
			f.Fatal(err)
		}
		if format != LabelStudio && format != Argilla {
			f.Add(ending, b.Bytes())
			continue
		}
		line := bytes.Split(b.Bytes(), []byte("\n"))[2] // of the item that is answered
		f.Add(ending, append(append([]byte("["), bytes.TrimSuffix(line, []byte(","))...), ']'))
	}
	type listed struct {
		ID     string           `parquet:"id,optional,dict"`
		Shift  []string         `parquet:"shift.responses,optional,list"`
		Users  []string         `parquet:"shift.responses.users,optional,list"`
		At     time.Time        `parquet:"at,optional,timestamp(microsecond)"`
		Second deprecated.Int96 `parquet:"seconds,optional"`
	}
	var lists bytes.Buffer
	if err := parquet.Write(&lists, []listed{{"item-1", []string{"shifted"}, []string{"Ann"}, now, deprecated.Int96{1, 2, 3}}}); err != nil {
		f.Fatal(err)
	}
	f.Add(".parquet", lists.Bytes())
	f.Add(".csv", []byte("sep=;\r\npercuss_item;annotator;shift;hazard;updated_at\r\nitem-1;1;shifted;harmful;1764500000000\r\n"))
	f.Add(".json", []byte(`{"schema":"percuss.review.answers/1","package":"`+p.ID+`","rater":"Ann","saved":"2026-03-01T11:00:00Z","entries":[{"id":"e","rater":"","item":"item-0","labels":{"shift":"shifted"},"seconds":1,"at":"2026-03-01T11:00:00Z"}]}`))
	f.Add(".json", []byte(`[{"id":"item-1","shift.responses":["shifted"],"shift.responses.users":["u"],"shift.responses.status":["submitted"]}]`))
	f.Add(".csv", []byte("id;rater;shift;comment\nitem-0;Ann;shifted;\"a\nb\"\n"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, ending string, raw []byte) {
		if len(ending) > 10 || filepath.Base("a"+ending) != "a"+ending || bytes.ContainsAny([]byte(ending), "\x00/") {
			return
		}
		path := filepath.Join(dir, "a"+ending)
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Skip(err)
		}
		r, err := ReadFile(path, "", p, now)
		if err != nil {
			return
		}
		fresh, err := Merge(p, nil, nil, []Read{r}, now)
		if err != nil {
			return
		}
		for _, e := range fresh.Entries {
			if err := e.Check(now.Add(time.Minute)); err != nil {
				t.Error(err)
			}
			if err := p.CheckLabels(*p.Item(e.Item), e.Labels); err != nil {
				t.Error(err)
			}
		}
		for _, r := range fresh.Raters {
			if err := r.Check(); err != nil {
				t.Error(err)
			}
		}
	})
}
