package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/percuss/percuss"
)

// usage is what a program took.
type usage struct {
	wall   time.Duration
	cpu    time.Duration // user and system time, of the programs that it waited for too
	memory int64         // bytes that its largest process held at most; 0: not known on this system
}

// command is a program to be run once and measured.
type command struct {
	program string
	args    []string
	env     []string // beside this process's own
	folder  string   // where it runs; "": here
}

// lastWords is how much of a failed program's output an error repeats, in bytes.
const lastWords = 800

// run runs a command to its end and returns what it printed on its standard output. Both outputs are kept in log.
func (c command) run(ctx context.Context, log string) (string, usage, error) {
	var out bytes.Buffer
	errs, err := os.Create(log)
	if err != nil {
		return "", usage{}, err
	}
	defer errs.Close()
	p := exec.CommandContext(ctx, c.program, c.args...)
	p.Dir, p.Env, p.Stdout, p.Stderr = c.folder, append(os.Environ(), c.env...), &out, errs
	p.WaitDelay = 10 * time.Second
	began := time.Now()
	err = p.Run()
	u := usage{wall: time.Since(began)}
	if p.ProcessState != nil {
		u.cpu, u.memory = p.ProcessState.UserTime()+p.ProcessState.SystemTime(), peak(p.ProcessState)
	}
	if _, writeErr := errs.Write(out.Bytes()); err == nil {
		err = writeErr
	}
	if err != nil {
		said, _ := os.ReadFile(log)
		return "", u, fmt.Errorf("%s: %w; it said at last:\n%s", filepath.Base(c.program), err, bytes.TrimSpace(said[max(0, len(said)-lastWords):]))
	}
	return out.String(), u, nil
}

// sample is one run of one side of a comparison.
type sample struct {
	usage
	figure percuss.Number // what the row measures beside the time, e.g. requests a second
}

func wall(s sample) percuss.Number   { return percuss.Num(s.wall.Seconds()) }
func figure(s sample) percuss.Number { return s.figure }

// side is one of the programs that a row compares. folder is an empty one, of this run alone.
type side struct {
	name string
	once func(ctx context.Context, folder string) (sample, error)
}

// interleave runs every side as often as the bench says, one after another and each second round backwards, so that
// whatever else the machine does meets all alike. It returns the samples of each side in the order of the rounds.
func (b *bench) interleave(ctx context.Context, row string, sides []side) ([][]sample, error) {
	out := make([][]sample, len(sides))
	folders, err := b.fresh(row)
	if err != nil {
		return nil, err
	}
	for round := range b.runs {
		for k := range sides {
			if round%2 == 1 {
				k = len(sides) - 1 - k
			}
			s := sides[k]
			folder := filepath.Join(folders, fmt.Sprint(round), strings.NewReplacer(" ", "-", ",", "").Replace(s.name))
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return nil, err
			}
			got, err := s.once(ctx, folder)
			if err != nil {
				return nil, fmt.Errorf("row %s, run %d of %s: %w", row, round+1, s.name, err)
			}
			b.tell("%s, run %d of %d, %s: %.2f s, CPU %.2f s", row, round+1, b.runs, s.name, got.wall.Seconds(), got.cpu.Seconds())
			out[k] = append(out[k], got)
		}
	}
	return out, b.tidy(row, folders)
}

// fresh makes a folder for the runs of a row. Those of an earlier time stay until this row is measured: to make a file
// costs several times as much where many were deleted a moment before.
func (b *bench) fresh(row string) (string, error) {
	if err := os.MkdirAll(filepath.Join(b.work, row), 0o755); err != nil {
		return "", err
	}
	return os.MkdirTemp(filepath.Join(b.work, row), "runs-")
}

// tidy removes the folders of a row but for one.
func (b *bench) tidy(row, but string) error {
	old, err := os.ReadDir(filepath.Join(b.work, row))
	for _, e := range old {
		if path := filepath.Join(b.work, row, e.Name()); path != but {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	return err
}
