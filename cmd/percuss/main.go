// Command percuss audits whether a medical language model uses the evidence it is given.
package main

import (
	"os"

	"github.com/percuss/percuss/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)) }
