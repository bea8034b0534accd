package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// command runs a command line in this process.
func command(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = Main(args, strings.NewReader(""), &o, &e, os.Getenv)
	return status, o.String(), e.String()
}

func reportOf(t *testing.T, dir string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "report", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
