// Package cupcase reads CUPCase: published case reports, each with its diagnosis and similar ones to tell it from. It
// takes the columns of the original file and those of the variants that are in use.
package cupcase

import (
	"iter"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// Name is the set's name.
const Name = "cupcase"

// Loader reads one file.
type Loader struct {
	path  string
	split string
}

// Known returns the names of the file. The option split names the file's split ("test" where it is not given): the
// file itself does not say it.
func Known(o dataset.Options) (dataset.Known, error) {
	if err := o.Only(Name, "split"); err != nil {
		return dataset.Known{}, err
	}
	return dataset.Known{
		Set: Name, Folders: []string{Name},
		Files: []string{"Case_report_w_images_dis_VF.csv", "ablation_study_tokens.csv", "cupcase.csv", "cupcase_rtest_eval.csv", "cupcase_rtest_eval.first200.csv"},
		Obtain: "The authors' page github.com/nadavlab/CUPCase says where the case reports are published; save them as CSV with the columns " +
			"clean text, final diagnosis, distractor1 to distractor5.",
	}, nil
}

// New returns the loader of a file.
func New(path string, o dataset.Options) (*Loader, error) {
	if err := o.Only(Name, "split"); err != nil {
		return nil, err
	}
	split := o["split"]
	if split == "" {
		split = "test"
	}
	return &Loader{path: path, split: split}, nil
}

// Name implements dataset.CaseLoader.
func (l *Loader) Name() string { return Name }

// Cases implements dataset.CaseLoader. Sentences that name the diagnosis are left out (clinical.Units).
func (l *Loader) Cases() iter.Seq2[percuss.Case, error] {
	rows := source.Read(l.path, source.CSV(',', func([]string) bool { return true }))
	return dataset.DistinctCases(dataset.Cases(Name, l.split, rows, read))
}

// columns are the names that a column has had, in the order in which they are looked for.
var columns = struct{ id, text, gold []string }{
	id:   []string{"id", "case_presentation_index"},
	text: []string{"clean text", "clean_case_presentation", "clean_text", "case presentation", "case_presentation"},
	gold: []string{"final diagnosis", "correct_diagnosis", "final_diagnosis", "final_answer"},
}

// field returns the value of the first of the names that is a column.
func field(r source.Record, names ...string) (string, bool) {
	for _, name := range names {
		for i, column := range r.Header {
			if strings.EqualFold(column, name) {
				return r.Fields[i], true
			}
		}
	}
	return "", false
}
