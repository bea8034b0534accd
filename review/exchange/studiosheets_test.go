package exchange

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/percuss/percuss/review/ratings"
)

// The sheets of Label Studio 1.23 (CSV, TSV and JSON-MIN) say what its JSON says, so whichever comes second brings nothing: the id is the task's number,
// the item stands elsewhere, and what a task was not asked is left out.
func TestLabelStudioSheets(t *testing.T) {
	p := sample(t)
	whole := `[{"id":7,"data":{"percuss_item":"item-1","percuss_package":"` + p.ID + `","asks":"shift"},"annotations":[
 {"id":1,"completed_by":1,"was_cancelled":false,"lead_time":12.5,"created_at":"2026-02-01T10:00:00.123456Z","updated_at":"2026-02-02T10:00:00.654321Z","result":[
  {"from_name":"shift","type":"choices","value":{"choices":["shifted"]}},{"from_name":"comment","type":"textarea","value":{"text":["one\ntwo"]}},{"from_name":"flagged","type":"choices","value":{"choices":["yes"]}}]},
 {"id":2,"completed_by":2,"was_cancelled":false,"lead_time":5,"created_at":"2026-02-01T11:00:00Z","updated_at":"2026-02-01T11:00:00Z","result":[{"from_name":"hazard","type":"choices","value":{"choices":["harmful"]}}]}]}]`
	min := `[{"asks":"shift","percuss_item":"item-1","percuss_package":"` + p.ID + `","shown_1_before":"x","id":7,"shift":"shifted","comment":"one\ntwo","flagged":"yes","annotator":1,"annotation_id":1,"created_at":"2026-02-01T10:00:00.123456Z","updated_at":"2026-02-02T10:00:00.654321Z","lead_time":12.5},
{"percuss_item":"item-1","percuss_package":"` + p.ID + `","id":7,"hazard":"harmful","annotator":2,"annotation_id":2,"created_at":"2026-02-01T11:00:00Z","updated_at":"2026-02-01T11:00:00Z","lead_time":5.0}]`
	table := `"annotation_id","annotator","asks","comment","created_at","flagged","hazard","id","lead_time","percuss_item","percuss_package","shift","shown_1_before","updated_at"
1,"1","shift","one
two","2026-02-01T10:00:00.123456Z","yes","",7,12.5,"item-1","` + p.ID + `","shifted","x","2026-02-02T10:00:00.654321Z"
2,"2","shift","","2026-02-01T11:00:00Z","","harmful",7,5.0,"item-1","` + p.ID + `","","x","2026-02-01T11:00:00Z"
`
	first := read(t, file(t, "project-1.json", whole), p)
	book, err := Merge(p, nil, nil, []Read{first}, now)
	if err != nil || len(book.Entries) != 2 || len(book.Raters) != 2 {
		t.Fatal(book, err)
	}
	for name, text := range map[string]string{"min.json": min, "a.csv": table, "a.tsv": strings.ReplaceAll(table, ",", "\t")} {
		r := read(t, file(t, name, text), p)
		if len(r.Answers) != 2 || r.Answers[0].Seconds != 12.5 || r.Answers[0].At.Day() != 2 || !r.Answers[0].Flagged || len(r.Notes) != 0 {
			t.Fatalf("%s: %+v", name, r)
		}
		if again, err := Merge(p, book.Raters, book.Entries, []Read{r}, now); err != nil || again.Same != 2 || len(again.Entries) != 0 {
			t.Errorf("%s: %+v, %v", name, again, err)
		}
	}
	table = strings.Replace(table, p.ID, "0123456789abcdef", 1)
	if _, err := ReadFile(file(t, "a.csv", table), "", p, now); err == nil || !strings.Contains(err.Error(), "line 2: it answers package \"0123456789abcdef\"") {
		t.Error(err)
	}
}

// A file that holds nothing of a review is no file without answers; what it holds besides is told.
func TestNothingIsPassedInSilence(t *testing.T) {
	p := sample(t)
	for name, text := range map[string]string{"a.csv": "", "b.csv": "id,rater,shift\n", "c.csv": "My review,,\nid,rater,shift\nitem-0,Ann,shifted\n", "d.csv": "id,rater,shift\nguide,,\n,,\n", "e.jsonl": "\n", "f.json": "[]", "g.json": "{}",
		"h.json": `{"rater":{"0":"Ann"},"item":{"0":"item-0"}}`, "i.jsonl": `{"rater":"Ann","shift":"shifted"}`, "j.csv": "name,age\nx,5\n"} {
		if r, err := ReadFile(file(t, name, text), "", p, now); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "item") {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	for name, text := range map[string]string{"a.csv": "id,rater,shift,hazzard,notes,,Unnamed: 0,to answer\nitem-1,Ann,shifted,harmful,x,,0,y\n",
		"a.jsonl": `{"id":"item-1","rater":"Ann","shift":"shifted","hazzard":"harmful","notes":"x","index":0,"shown_1_before":"y"}` + "\n" + `{"id":"item-3","rater":"Ann","shift":"shifted","hazzard":"harmful"}`} {
		r := read(t, file(t, name, text), p)
		if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], `"hazzard, notes"`) {
			t.Errorf("%s: %q", name, r.Notes)
		}
	}
	for name, text := range map[string]string{"tasks.json": `[{"data":{"percuss_item":"item-1"}},{"id":2,"data":{"percuss_item":"item-2"},"annotations":[]}]`, "records.json": `[{"id":"item-1","fields":{},"responses":{}},{"id":"item-2","fields":{},"responses":[]}]`} {
		if r := read(t, file(t, name, text), p); len(r.Answers) != 0 || !maps.Equal(r.Passed, map[string]int{unanswered: 2}) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Label Studio and Argilla show every question of every item: what is answered without being asked is left out and counted, and an item says in words
// what it asks. A sheet, whose guide says what to leave empty, is refused.
func TestProgramsShowAll(t *testing.T) {
	p := sample(t)
	kind := askNames(p)["Kind"]
	choice := func(name, label string) string {
		return `{"from_name":"` + name + `","type":"choices","value":{"choices":["` + label + `"]}}`
	}
	for name, text := range map[string]string{
		"tasks.json": `[{"data":{"percuss_item":"item-0"},"annotations":[{"completed_by":"Ann","result":[` + choice("shift", "no_shift") + `,` + choice("Kind", "a") + `,` + choice("hazard", "harmful") + `]},
			{"completed_by":"Bob","result":[` + choice("hazard", "harmful") + `]}]}]`,
		"min.json": `[{"percuss_item":"item-0","annotator":"Ann","shift":"no_shift","Kind":"a","hazard":"harmful"},{"percuss_item":"item-0","annotator":"Bob","hazard":"harmful"}]`,
		"min.csv":  "percuss_item,annotator,shift,Kind,hazard\nitem-0,Ann,no_shift,a,harmful\nitem-0,Bob,,,harmful\n",
		"records.json": `[{"id":"item-0","responses":[{"user_id":"Ann","status":"submitted","values":{"shift":{"value":"no_shift"},"` + kind + `":{"value":"a"},"hazard":{"value":"harmful"}}},
			{"user_id":"Bob","status":"submitted","values":{"hazard":{"value":"harmful"}}}]}]`,
	} {
		r := read(t, file(t, name, text), p)
		if len(r.Answers) != 1 || !maps.Equal(r.Answers[0].Labels, map[string]string{"shift": "no_shift"}) || !maps.Equal(r.Passed, map[string]int{unasked: 3, unanswered: 1}) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for _, f := range []Format{LabelStudio, Argilla} {
		var b bytes.Buffer
		if err := WriteBlank(&b, f, p); err != nil || !strings.Contains(b.String(), `"asks":"* Does it cost $5 more?\n* Which?"`) {
			t.Errorf("%s: %v\n%.500s", f, err, b.String())
		}
	}
}

// Raters whom a file calls by numbers get their names; a name that no file has is an error, and a number that stays is told.
func TestName(t *testing.T) {
	p := sample(t)
	of := func() []Read {
		var reads []Read
		for i, raters := range [][2]string{{"1", "2"}, {"1", "8D3F0000-0000-4000-8000-00000000000a"}} {
			reads = append(reads, read(t, file(t, fmt.Sprintf("%d.csv", i), "id,rater,shift\nitem-0,"+raters[0]+",shifted\nitem-2,"+raters[1]+",no_shift\n"), p))
		}
		return reads
	}
	reads := of()
	if err := Name(reads, map[string]string{"1": "Ann", "8d3f0000-0000-4000-8000-00000000000a": "Bob"}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range reads {
		for _, a := range r.Answers {
			got = append(got, a.Rater)
		}
	}
	if fmt.Sprint(got) != "[Ann 2 Ann Bob]" || len(reads[0].Notes) != 1 || !strings.Contains(reads[0].Notes[0], "(2): --rater 2=NAME") || len(reads[1].Notes) != 0 {
		t.Errorf("%v, %q, %q", got, reads[0].Notes, reads[1].Notes)
	}
	for _, c := range []struct {
		names map[string]string
		want  string
	}{{map[string]string{"3": "Ann"}, `no file has a rater "3": there are "1, 2, 8D3F`}, {map[string]string{"1": strings.Repeat("x", ratings.MostName+1)}, "a rater's name of"}} {
		if err := Name(of(), c.names); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.names, err)
		}
	}
}
