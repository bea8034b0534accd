// Package dataset is the port to question sets. A loader is a sub-package named after its set; it reads the files as
// their authors published them.
package dataset

import (
	"fmt"
	"iter"

	"github.com/percuss/percuss"
)

// BadRow is a row that could not be used. The other rows are.
type BadRow struct {
	File    string
	Line    int
	Why     string // what is wrong and, where there is one, the remedy
	Repeats string // the id, where it stands on an earlier row
}

func (b *BadRow) Error() string { return fmt.Sprintf("%s:%d: %s", b.File, b.Line, b.Why) }

// Loader reads one set.
type Loader interface {
	// Name is the set's name as it stands in Question.Set.
	Name() string
	// Questions yields the rows in file order. A row that cannot be used comes as a *BadRow and reading goes on;
	// any other error ends the sequence.
	Questions() iter.Seq2[percuss.Question, error]
}

// Options are what stands behind the question mark of a DATA argument, e.g. options=5.
type Options map[string]string
