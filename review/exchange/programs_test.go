package exchange

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/percuss/percuss/review/ratings"
)

// The forms in which Label Studio 1.x exports tasks as JSON: users as numbers and as objects, cancelled annotations, texts, drafts and predictions.
func TestLabelStudioExport(t *testing.T) {
	p := sample(t)
	text := `[{"id":3,"inner_id":1,"project":2,"data":{"percuss_item":"item-1","percuss_package":"` + p.ID + `","shown_1_before":"x"},"drafts":[{"id":1,"user":"eve@example.org","annotation":null,"result":[{"from_name":"shift","value":{"choices":["shifted"]}}]},{"id":2,"annotation":11,"result":[]},7],"predictions":[{"result":[{"from_name":"shift","value":{"choices":["shifted"]}}]}],
"annotations":[
 {"id":11,"completed_by":4,"was_cancelled":false,"lead_time":12.5,"created_at":"2026-02-01T10:00:00.123456Z","updated_at":"2026-02-02T10:00:00.654321Z","result":[
  {"id":"a","from_name":"shift","to_name":"shown_1_before","type":"choices","origin":"manual","value":{"choices":["shifted"]}},
  {"id":"b","from_name":"Kind","to_name":"shown_1_before","type":"choices","value":{"choices":["Second"]}},
  {"id":"c","from_name":"comment","type":"textarea","value":{"text":["one","two"]}},
  {"id":"d","from_name":"flagged","type":"choices","value":{"choices":["yes"]}}]},
 {"id":12,"completed_by":{"id":5,"email":"bob@example.org","first_name":"Bob","last_name":""},"was_cancelled":false,"created_at":"2026-02-01T10:00:00Z","result":[{"from_name":"hazard","value":{"choices":["harmful"]}},{"from_name":"flag","value":{"text":"odd"}}]},
 {"id":13,"completed_by":6,"was_cancelled":true,"result":[]},
 {"id":14,"completed_by":7,"was_cancelled":false,"result":[]}]}]`
	r := read(t, file(t, "project-2.json", text), p)
	if len(r.Answers) != 2 || !maps.Equal(r.Passed, map[string]int{"cancelled": 1, unanswered: 1, draft: 1}) {
		t.Fatalf("%d answers, %v", len(r.Answers), r.Passed)
	}
	a, b := r.Answers[0], r.Answers[1]
	if a.Rater != "4" || !maps.Equal(a.Labels, map[string]string{"shift": "shifted", "Kind": "b"}) || a.Comment != "one\ntwo" || !a.Flagged || a.Seconds != 12.5 || a.At.Day() != 2 || a.By != "project-2.json" {
		t.Errorf("%+v", a)
	}
	if b.Rater != "bob@example.org" || b.Labels["hazard"] != "harmful" || b.Flag != "odd" || !b.Flagged || b.At.Day() != 1 {
		t.Errorf("%+v", b)
	}
	if _, err := ReadFile(file(t, "project-2.json", text), "Ann", p, now); err == nil || !strings.Contains(err.Error(), "2 raters (\"4, bob@example.org\")") {
		t.Error(err)
	}
}

// The forms in which Argilla exports records: by question (2.x), flat (2.x), and by user (1.x).
func TestArgillaExports(t *testing.T) {
	p := sample(t)
	question := askNames(p)["Kind"]
	for name, c := range map[string]struct {
		text   string
		passed map[string]int
		notes  int
	}{
		"by question": {`[{"id":"item-1","fields":{},"metadata":{"package":"` + p.ID + `"},"suggestions":{},"vectors":{},"_server_id":"s","responses":{
			"shift":[{"value":"shifted","user_id":"u1"},{"value":"no_shift","user_id":"u2"}],"` + question + `":[{"value":"b","user_id":"u1"}],"comment":[{"value":"so","user_id":"u1"}]}}]`, map[string]int{}, 1},
		"flat": {`[{"id":"item-1","package":"` + p.ID + `","shift.responses":["shifted","no_shift","shifted"],"shift.responses.users":["u1","u2","u3"],"shift.responses.status":["submitted","submitted","draft"],
			"` + question + `.responses":["b"],"` + question + `.responses.users":["u1"],"` + question + `.responses.status":["submitted"],"hazard.responses":null,
			"comment.responses":["so"],"comment.responses.users":["u1"],"comment.responses.status":["submitted"]}]`, map[string]int{"draft": 1}, 0},
		"by user": {`[{"external_id":"item-1","id":"8d3f","metadata":{},"responses":[
			{"user_id":"u1","status":"submitted","values":{"shift":{"value":"shifted"},"` + question + `":{"value":"b"},"comment":{"value":"so"}}},
			{"user_id":"u2","status":"submitted","values":{"shift":{"value":"no_shift"}}},
			{"user_id":"u3","status":"discarded","values":{}},{"user_id":"u4","status":"draft","values":{"shift":{"value":"shifted"}}}]}]`, map[string]int{"draft": 1, "discarded": 1}, 0},
	} {
		r := read(t, file(t, "records.json", c.text), p)
		said := map[string]ratings.Entry{}
		for _, a := range r.Answers {
			said[a.Rater] = a.Entry
		}
		if len(r.Answers) != 2 || !maps.Equal(said["u1"].Labels, map[string]string{"shift": "shifted", "Kind": "b"}) || said["u1"].Comment != "so" || said["u2"].Labels["shift"] != "no_shift" {
			t.Errorf("%s: %+v", name, r.Answers)
		}
		if !maps.Equal(r.Passed, c.passed) || len(r.Notes) != c.notes {
			t.Errorf("%s: left out %v, notes %v", name, r.Passed, r.Notes)
		}
	}
}

// The configuration names each control once, shows only fields that every task has, and takes no sign of a text for markup or a field.
func TestLabelStudioConfiguration(t *testing.T) {
	p := sample(t)
	var config, tasks bytes.Buffer
	if err := errors.Join(writeConfiguration(&config, p), WriteBlank(&tasks, LabelStudio, p)); err != nil {
		t.Fatal(err)
	}
	var all []task
	if err := json.Unmarshal(tasks.Bytes(), &all); err != nil || len(all) != len(p.Items) {
		t.Fatalf("%d tasks, %v", len(all), err)
	}
	names, texts := map[string]int{}, 0
	for d := xml.NewDecoder(bytes.NewReader(config.Bytes())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		start, _ := token.(xml.StartElement)
		for _, a := range start.Attr {
			if a.Name.Local == "name" {
				names[a.Value]++
			}
			if start.Name.Local == "Text" && a.Name.Local == "value" {
				texts++
				for _, one := range all {
					if _, ok := one.Data[strings.TrimPrefix(a.Value, "$")]; !ok {
						t.Errorf("task %s has no %s", one.Data[dataItem], a.Value)
					}
				}
			} else if regexp.MustCompile(`\$\w`).MatchString(a.Value) {
				t.Errorf("%s of %s names a field: %s", a.Name.Local, start.Name.Local, a.Value)
			}
		}
	}
	for _, want := range []string{"shift", "Kind", "hazard", colComment, colFlag, colFlagged} {
		if names[want] != 1 {
			t.Errorf("%s stands there %d times", want, names[want])
		}
	}
	if len(names) != 6+texts || !strings.Contains(config.String(), `whenTagName="shift" whenChoiceValue="shifted"`) {
		t.Errorf("%v\n%s", names, config.String())
	}
}

// The names of Argilla's settings are such as its server takes, one question must be answered, and every record has the field that must be there.
func TestArgillaSettings(t *testing.T) {
	p := sample(t)
	var raw, records bytes.Buffer
	if err := errors.Join(writeSettings(&raw, p), WriteBlank(&records, Argilla, p)); err != nil {
		t.Fatal(err)
	}
	var s settings
	var all []record
	if err := errors.Join(json.Unmarshal(raw.Bytes(), &s), json.Unmarshal(records.Bytes(), &all)); err != nil || len(all) != len(p.Items) {
		t.Fatal(len(all), err)
	}
	required, names := 0, map[string]bool{}
	for _, q := range append(s.Questions, s.Fields...) {
		if !argillaName.MatchString(q.Name) || names[q.Name] || q.Title == "" {
			t.Errorf("the name %q", q.Name)
		}
		names[q.Name] = true
	}
	for _, q := range s.Questions {
		if q.Required {
			required++
		}
	}
	if required != 1 || !s.Fields[0].Required {
		t.Errorf("%d questions must be answered", required)
	}
	for _, r := range all {
		if _, ok := r.Fields[s.Fields[0].Name]; !ok {
			t.Errorf("record %s lacks %s", r.ID, s.Fields[0].Name)
		}
		for name := range r.Fields {
			if !names[name] {
				t.Errorf("record %s has a field %s", r.ID, name)
			}
		}
	}
}

// A Parquet file that unpacks to more than is read, and a file of too many rows, are refused.
func TestLimits(t *testing.T) {
	p := sample(t)
	path := filepath.Join(t.TempDir(), "bomb.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	out := parquet.NewGenericWriter[said](f, parquet.Compression(&parquet.Zstd))
	for range 200 {
		if _, err := out.Write([]said{{Item: "item-0", Rater: "Ann", Question: "shift", Label: "shifted", Comment: strings.Repeat("x", 9000)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(out.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	for want, most := range map[string]limits{"bytes unpacked: at most 1000": {1000, 1 << 20, 1000}, "more than 1000 bytes unpacked": {1000, 1000, 1 << 30}} {
		g := newGather(path, p, now)
		g.most = most
		if err := g.parquet(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	lines := strings.Repeat(`{"id":"guide"}`+"\n", 11)
	for name, read := range map[string]func(*gather) error{"a.csv": (*gather).table, "a.jsonl": (*gather).lines} {
		g := newGather(file(t, name, lines), p, now)
		if g.most.rows = 9; name == "a.csv" {
			g.path = file(t, name, "id,rater,shift\n"+strings.Repeat("guide,,\n", 11))
		}
		if err := read(g); err == nil || !strings.Contains(err.Error(), "more than 9") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
