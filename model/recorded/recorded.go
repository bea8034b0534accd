// Package recorded is a model that gives the answers of a file. Those of a file that `percuss store export` wrote are
// found by the request's key, so that only what was asked in the recorded run has an answer: an audit can be repeated,
// checked or changed where the model itself is not. A log of another program (package foreign) has one reply to each
// question as it stands; it is found by the question's words.
package recorded

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/store"
)

// NotRecorded is the kind of the fault of a request that the file does not have.
const NotRecorded = "not_recorded"

// Model answers from an open file. Only where each answer stands is kept in memory.
type Model struct {
	path   string
	file   *os.File
	can    percuss.Capabilities
	index  []place // by ascending key
	closed atomic.Bool
}

var _ model.Model = (*Model)(nil)

// place is where an answer stands in the file.
type place struct {
	key    [32]byte // binary, half the size
	offset int64
	size   int
}

func binary(k percuss.Key) (b [32]byte) {
	hex.Decode(b[:], []byte(k)) // a key is 64 hex digits, whoever made it
	return b
}

// Open reads the export once, checks every line, and keeps it open. which says whose answers are given where the file
// has several models': the id that the model had in its run, or its identity; it may be empty where there is one. A
// line that is damaged or missing is an error: a request would fail for it without need.
func Open(path, which string) (_ *Model, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("recorded answers: %w; make the file with `percuss store export DIR -o FILE`", err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("recorded answers: %w", errors.Join(err, f.Close()))
		}
	}()
	header, entries, err := store.ReadExport(f, path)
	if err != nil {
		return nil, err
	}
	m := &Model{path: path, file: f}
	if m.can, err = choose(header.Models, which); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		if e.Request.Model == m.can.Identity {
			m.index = append(m.index, place{binary(e.Key), e.Offset, e.Size})
		}
	}
	return m, nil
}

// IsExport reports whether a file begins as one that `percuss store export` wrote, of whatever version. Any other may be
// a foreign log.
func IsExport(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("recorded answers: %w; make the file with `percuss store export DIR -o FILE`", err)
	}
	defer f.Close()
	head := make([]byte, 64)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("recorded answers: %w", err)
	}
	schema, _, _ := strings.Cut(store.ExportSchema, "/")
	return bytes.Contains(head[:n], []byte(`"schema":"`+schema)), nil
}

// choose finds a model by id or identity. Two ids of one identity share all answers, so the first stands for both.
func choose(models map[string]percuss.Capabilities, which string) (percuss.Capabilities, error) {
	ids := slices.Sorted(maps.Keys(models))
	for _, id := range ids {
		can := models[id]
		if can.Identity == "" || !can.Text && !can.Letters {
			return can, fmt.Errorf("model %q has no identity, or gives neither text nor letters: export the run again", id)
		}
	}
	var found []string
	identities := map[string]bool{}
	for _, id := range ids {
		if which == "" || which == id || which == models[id].Identity {
			found = append(found, id)
			identities[models[id].Identity] = true
		}
	}
	switch {
	case len(identities) == 1:
		return models[found[0]], nil
	case len(ids) == 0:
		return percuss.Capabilities{}, errors.New("it names no model in its first line: export the run again")
	case which == "":
		return percuss.Capabilities{}, fmt.Errorf("it has the answers of several models, choose one with ?model=ID: %s", strings.Join(ids, ", "))
	}
	return percuss.Capabilities{}, fmt.Errorf("it has no model %q: there are %s", which, strings.Join(ids, ", "))
}

// Capabilities implements model.Model. They are those of the model that was recorded, and so is the identity: the keys
// are the same.
func (m *Model) Capabilities() percuss.Capabilities { return m.can }

// Workers implements model.Model.
func (m *Model) Workers() int { return 4 }

// Open implements model.Model.
func (m *Model) Open(ctx context.Context, subject string) (model.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if m.closed.Load() {
		return nil, &model.Fault{Kind: "engine", Fatal: true, Err: fmt.Errorf("the recorded answers of %s are closed", m.path)}
	}
	return session{m}, nil
}

// Close implements model.Model. It may be called again.
func (m *Model) Close() error {
	if m.closed.Swap(true) {
		return nil
	}
	return m.file.Close()
}

type session struct{ m *Model }

// Answer implements model.Session.
func (s session) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	for i, r := range requests {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, err := s.m.answer(r)
		done(i, a, err)
		if model.IsFatal(err) {
			return err
		}
	}
	return nil
}

// Close implements model.Session.
func (s session) Close() error { return nil }

// answer reads one answer. The file is read again, so the key is checked again.
func (m *Model) answer(r percuss.Request) (percuss.Answer, error) {
	k := r.Key()
	i, ok := slices.BinarySearchFunc(m.index, binary(k), func(p place, b [32]byte) int { return bytes.Compare(p.key[:], b[:]) })
	if !ok {
		return percuss.Answer{}, &model.Fault{Kind: NotRecorded, Spent: true, Err: fmt.Errorf("what is asked, %s, is not in %s: "+
			"it answers what its own run asked, so data, seed, prompts, battery and limits must be that run's (key %s)", describe(r), m.path, k)}
	}
	line := make([]byte, m.index[i].size)
	_, err := m.file.ReadAt(line, m.index[i].offset)
	if err == nil || errors.Is(err, io.EOF) {
		e, wrong := store.ParseExportLine(line)
		if wrong == nil && e.Key != k {
			wrong = fmt.Errorf("the line is that of %s", e.Key)
		}
		if wrong == nil {
			return e.Answer, nil
		}
		err = wrong
	}
	return percuss.Answer{}, &model.Fault{Kind: "changed", Fatal: true,
		Err: fmt.Errorf("%s has changed since it was opened, the answer to %s is not where it was: start again (%w)", m.path, k, err)}
}
