package cli

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The report's page is read by a real browser: it is well-formed enough to be laid out, holds the figures and one
// fold-out an item, and its console stays empty.
func TestReportInABrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("needs chromium (make setup)")
	}
	dir := filepath.Join(t.TempDir(), "run")
	var out, errs bytes.Buffer
	args := []string{"chain", "-m", "sim:inert", "-d", "demo", "-n", "3", "--battery", "families", "-o", dir}
	if status := Main(args, strings.NewReader(""), &out, &errs, os.Getenv); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, &out, &errs)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
		"--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+filepath.Join(dir, "report", "report.html"))
	var page, log bytes.Buffer
	c.Stdout, c.Stderr = &page, &log
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	if n := strings.Count(page.String(), "<details"); n < 3 {
		t.Errorf("%d fold-outs for 3 items", n)
	}
	if n := strings.Count(page.String(), "<svg"); n < 2 {
		t.Errorf("%d figures", n)
	}
	if strings.Contains(log.String(), "CONSOLE") {
		t.Errorf("console: %s", &log)
	}
}
