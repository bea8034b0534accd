// Package llamacpp runs a GGUF model inside this process, through the shared library of llama.cpp and without cgo.
//
// All requests of a call are answered together. Their prompts are joined to a tree of token prefixes of which every
// node is computed once; then all open ends are generated in one batch. What a session has computed stays in the
// engine's cache, and a later call finds it by the tokens of its own prompts: what is reused never changes what is
// asked. With float weights the answers equal those of asking alone; with quantised weights the company of a request
// in a batch moves log-probabilities a little (Capabilities.Exact says which it is).
//
// Greedy texts are drafted: what a subject's earlier texts, or the question itself, say after the same words is computed
// together with the next token, and kept as far as the model says the same. A text is the one of plain greedy decoding;
// on quantised weights the shape of a decode moves it, as company does. On a CPU a finished text is kept outside the
// cache until its letters are asked for.
//
// A call in which every request asks for letters at the beginning of the turn, such as all prompts of a case, is
// computed apart, as a tree on its own. In the layout Exact each of its answers is bit for bit the one that the request
// gets in a call of its own, whatever the weights; a short test of the model when it is opened says whether that holds.
// Otherwise, or where Options.Layout says so, the tree is computed in the layout Shared, like everything else.
//
// A request whose prompt and token limit together exceed the context is answered context_exceeded; without a limit it
// may use what the context leaves. One that the chat template refuses, or that asks for parameters that the engine
// does not know, is refused. Control tokens are read in the template's own text only: where a message or a beginning
// spells one, it is ordinary characters, because such text may come from a model. (A vocabulary of the SentencePiece
// kind then sees one more space inside the spelling.)
package llamacpp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// Options says which model to open and how. Lib and Path are needed.
type Options struct {
	Lib      string // directory of the engine's shared libraries
	Path     string // the GGUF file
	Context  int    // most tokens of prompt and answer together; 0, or more than it was trained with: the training context
	Threads  int    // 0: one for each physical core
	Parallel int    // requests generated at once, 1 to 128; 0: as many as save time, at most 32
	// Layout is how prompts of one call share computation: Exact, Shared, or "" for Exact where a short test at the start
	// finds that it holds.
	Layout string
	// Tests is a folder of this machine's in which the outcome of that test is remembered, under all that it depends on.
	// What lies there may be deleted at any time. Empty: every opening makes the test.
	Tests string
	// Plain turns off all that saves work: one request at a time, each from the first token of its prompt, one token a
	// decode. It is what everything else is held against; Layout must be empty then.
	Plain bool
	// Memory is the most that weights and caches may take, in bytes; 0: no limit. See PlanMemory.
	Memory int64
	Log    io.Writer // receives the engine's log; nil: none. There is one log for the whole process
}

const (
	defaultParallel = 32
	maxParallel     = 128 // the library knows 256 sequences, and half of them keep earlier work
)

// usualCells is how many tokens the cache holds, all requests together, unless one request alone needs more. It
// bounds how many requests are answered at once, and so is the same in every run: it depends on the model only.
const (
	usualCells = 8192
	leastCells = 1024
	cacheBytes = 2 << 30 // a model with large cells gets fewer of them
)

// Model is an open model. It serves one session at a time.
type Model struct {
	engine *engine
	apart  *engine // computes trees of prompts in the exact layout, without a context where none was needed
	unit   int     // of those trees; 0: the layout is shared
	room   int     // cells of all streams together
	vocab  *vocabulary
	chat   *chat
	cache  *cache
	caps   percuss.Capabilities
	budget int                      // cells that requests may use together
	reuse  bool                     // the cache can be cut and shared; not so for recurrent models
	plain  bool                     // nothing that saves work is done
	forms  map[string][]llama.Token // of labels asked before

	turn   chan struct{} // holds a token while no session is open
	mu     sync.Mutex    // guards counts
	counts model.Counts
}

var (
	_ model.Model   = (*Model)(nil)
	_ model.Counter = (*Model)(nil)
)

// Open loads the model. Errors are *model.Fault, fatal, and say what to do.
func Open(ctx context.Context, o Options) (*Model, error) {
	m, err := open(ctx, o)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fatal("engine", err)
	}
	return m, nil
}

func open(ctx context.Context, o Options) (*Model, error) {
	if o.Parallel < 0 || o.Parallel > maxParallel {
		return nil, fmt.Errorf("%d parallel sequences; choose 1 to %d", o.Parallel, maxParallel)
	}
	if o.Context < 0 || o.Threads < 0 {
		return nil, errors.New("context and threads must not be negative")
	}
	path := o.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	h, err := readHeader(path)
	if err != nil {
		return nil, err
	}
	if h.Splits > 1 {
		return nil, fmt.Errorf("%s is one of %d files; merge them with `llama-gguf-split --merge`", path, h.Splits)
	}
	if _, err := h.memory(path, o.Memory); err != nil {
		return nil, err
	}
	version, err := loadLibrary(o.Lib, o.Log)
	if err != nil {
		return nil, err
	}
	sum, err := fileHash(path)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e, err := loadModel(path, h, o)
	if err != nil {
		return nil, err
	}
	m, err := newModel(e, h, o, sum, version)
	if err != nil {
		e.close()
	}
	return m, err
}

// newModel sets up what stands between requests and the loaded weights.
func newModel(e *engine, h *header, o Options, sum, version string) (m *Model, err error) {
	m = &Model{engine: e, vocab: newVocabulary(e.model, library.tokenize), plain: o.Plain, forms: map[string][]llama.Token{}, turn: make(chan struct{}, 1)}
	if m.chat, err = newChat(h.Template, m.vocab.text(m.vocab.bos), m.vocab.text(llama.VocabEOS(m.vocab.handle))); err != nil {
		return nil, err
	}
	if m.reuse = !o.Plain && !llama.ModelIsRecurrent(e.model) && !llama.ModelIsHybrid(e.model); !m.reuse {
		// A state that summarises all tokens can be neither cut nor shared: one request at a time, from the start.
		e.parallel = 1
	}
	m.apart = &engine{model: e.model, vocab: e.vocab, chunk: e.chunk, threads: e.threads, exact: e.exact}
	if err := m.settle(o.Layout, tested(o.Tests, sum, e)); err != nil {
		return nil, err
	}
	m.caps = m.capabilities(h, identity(sum, m.chat), version, o.Context)
	m.budget, m.room = cellsFor(h.Size, h.cellBytes(e.cellElement()), o.Memory)
	if err := m.resize(m.budget); err != nil {
		return nil, err
	}
	m.turn <- struct{}{}
	return m, nil
}

func (m *Model) capabilities(h *header, id, version string, limit int) percuss.Capabilities {
	weights, exact := h.mainWeights()
	trained := int(llama.ModelNCtxTrain(m.engine.model))
	if limit == 0 || trained > 0 && limit > trained {
		limit = trained
	}
	if limit <= 0 {
		limit = usualCells
	}
	return percuss.Capabilities{
		Identity: id, Text: true, Letters: true, Continue: true, Seeded: true,
		SystemRole: m.chat.system && m.chat.kind != kindNone, ContextTokens: limit, Exact: exact, Template: m.chat.kind,
		Engine: "llama.cpp " + version + " (" + backends() + ")", Weights: weights, Layout: m.layout(),
	}
}

// resize gives the engine a context of at least so many cells. Everything cached is lost.
func (m *Model) resize(cells int) error {
	const unit = 256 // the library pads to it
	m.cache = nil
	if err := m.engine.open((cells + unit - 1) / unit * unit); err != nil {
		return err
	}
	m.cache = newCache(m.engine, m.engine.parallel*slotsPer)
	if m.reuse && !accelerated() { // an accelerator computes a text again in less time than it copies it
		m.cache.space = m.room
	}
	return nil
}

// Capabilities implements model.Model.
func (m *Model) Capabilities() percuss.Capabilities { return m.caps }

// InCompany implements model.Companion. With float weights the order of a sum moves the last digits of a
// log-probability; the same calls since Open have the same company, the same drafts and so the same digits. With
// quantised weights an interrupted subject is asked for what is missing only: then other texts are there to draft from,
// decodes have other shapes, and answers differ as they do in other company, texts among them.
func (m *Model) InCompany() bool { return m.Capabilities().Exact }

// Workers implements model.Model: sessions take turns.
func (m *Model) Workers() int { return 1 }

// Open implements model.Model. It waits until no other session is open.
func (m *Model) Open(ctx context.Context, subject string) (model.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case _, ok := <-m.turn:
		if !ok {
			return nil, &model.Fault{Kind: "engine", Fatal: true, Err: errors.New("the model is closed")}
		}
		s := &session{m: m}
		if m.reuse {
			s.texts = &texts{}
		}
		return s, nil
	}
}

// Close implements model.Model. A second call does nothing.
func (m *Model) Close() error {
	select {
	case _, ok := <-m.turn:
		if ok {
			close(m.turn)
			m.apart.closeContext()
			m.engine.close()
		}
		return nil
	default:
		return errors.New("the model cannot be closed while a session is open")
	}
}

// Counts implements model.Counter.
func (m *Model) Counts() model.Counts {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts
}

// count moves what a round counted into the model's counts.
func (m *Model) count(c *model.Counts) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts = m.counts.Plus(*c)
	*c = model.Counts{}
}

// answer begins the answer to a request.
func (m *Model) answer(r *percuss.Request, outcome percuss.Outcome, detail string) *percuss.Answer {
	a := &percuss.Answer{Outcome: outcome, Detail: detail, Reported: m.caps.Engine}
	if r.Begin != "" {
		a.Continued = percuss.Continues
	}
	return a
}
