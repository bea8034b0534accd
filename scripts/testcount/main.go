// Command testcount reads the events of `go test -json` on standard input,
// prints what plain `go test` prints, then names every skipped test with its
// reason, and ends with one line of counts:
//
//	N passed, N failed, N skipped
//
// It exits with 1 when anything failed, and with -no-skip also when anything
// was skipped.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	noSkip := flag.Bool("no-skip", false, "a skipped test is a failure of the run")
	flag.Parse()
	t := newTally(os.Stdout)
	if err := t.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testcount:", err)
		t.failed++
	}
	t.finish(*noSkip)
	if t.failed > 0 || (*noSkip && len(t.skips) > 0) {
		os.Exit(1)
	}
}
