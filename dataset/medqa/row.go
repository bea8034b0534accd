package medqa

import (
	"encoding/json"
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
)

// question reads a row; want is the number of options it must have, 0 for any. meta_info (the examination step) is
// not kept: no audit uses it, and it has a typing error in one copy.
func question(line []byte, want int) (percuss.Question, error) {
	var row dataset.Lettered
	if err := json.Unmarshal(line, &row); err != nil {
		return percuss.Question{}, fmt.Errorf("not a JSON object of a MedQA row: %w", err)
	}
	raw, err := row.Raw()
	if err != nil {
		return percuss.Question{}, err
	}
	if n := len(raw.Options); want != 0 && n != want {
		return percuss.Question{}, fmt.Errorf("%d options where options=%d was asked for", n, want)
	}
	return raw.Question(Name)
}
