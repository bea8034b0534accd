package storetest

import (
	"os"
	"testing"
)

// Fill writes a file until nothing more fits, then cuts it so that some bytes are free.
func Fill(t *testing.T, path string, free int64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(info.Size() - free); err != nil {
		t.Fatal(err)
	}
}
