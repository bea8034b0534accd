package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/model/openai/openaitest"
)

// A run goes on at a further address of its model: the keys are those of the first, and what is answered is not asked
// again. Without the first address it is another model.
func TestFurtherAddress(t *testing.T) {
	a, b := openaitest.Start(t, "vllm"), openaitest.Start(t, "vllm")
	answering(a)
	answering(b)
	dir := filepath.Join(t.TempDir(), "run")
	with := func(model, items string) []string {
		return []string{"chain", "-m", model, "-d", "demo", "-n", items, "--battery", "families", "-o", dir}
	}
	must(t, with(served(a, ""), "2")...)
	before, asked := answers(t, dir), len(a.Requests())
	must(t, with(served(a, "")+","+b.URL, "6")...)
	more := len(a.Requests()) - asked + len(b.Requests())
	if after := answers(t, dir); more != after-before || len(b.Requests()) == 0 {
		t.Errorf("%d answers, then %d, by %d requests, of which the further address had %d", before, after, more, len(b.Requests()))
	}
	status, _, said := command(t, with(served(b, ""), "6")...)
	if status != exitUsage || !strings.Contains(said, "model") {
		t.Errorf("at another address alone: status %d, %s", status, said)
	}
	status, _, said = command(t, "chain", "-m", "anthropic:x@http://a,http://b", "-d", "demo", "-n", "2", "-o", filepath.Join(t.TempDir(), "run"))
	if status != exitUsage || !strings.Contains(said, "name one") {
		t.Errorf("two addresses of Anthropic's: status %d, %s", status, said)
	}
}
