package llamacpp

import (
	"errors"
	"io"
	"strings"
	"sync"
	"unsafe"

	"github.com/hybridgroup/yzma/pkg/llama"
	"github.com/jupiterrider/ffi"
)

// engineLog receives what the library prints: it goes to a writer if there is one, and the last warnings and errors
// are kept, so that a failure can say what the library said. The library has one log for the whole process.
var engineLog logSink

type logSink struct {
	mu    sync.Mutex
	out   io.Writer
	last  []string // warnings and errors, newest last
	level llama.LogLevel
}

// keepLines is how many lines of warnings and errors are remembered.
const keepLines = 8

// to sets where the log goes from now on; nil discards it.
func (l *logSink) to(w io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = w
}

// install makes the library call l for every piece of log. The callback lives as long as the process.
func (l *logSink) install(w io.Writer) error {
	l.to(w)
	var code unsafe.Pointer
	closure := ffi.ClosureAlloc(unsafe.Sizeof(ffi.Closure{}), &code)
	if closure == nil {
		return errors.New("no memory for the engine's log callback")
	}
	logCif = new(ffi.Cif)
	if s := ffi.PrepCif(logCif, ffi.DefaultAbi, 3, &ffi.TypeVoid, logArgs...); s != ffi.OK {
		return errors.New("the engine's log callback: " + s.String())
	}
	fn := ffi.NewCallback(func(_ *ffi.Cif, _ unsafe.Pointer, args *unsafe.Pointer, _ unsafe.Pointer) uintptr {
		a := unsafe.Slice(args, 3)
		l.add(llama.LogLevel(*(*int32)(a[0])), cString(*(**byte)(a[1])))
		return 0
	})
	if s := ffi.PrepClosureLoc(closure, logCif, fn, nil, code); s != ffi.OK {
		return errors.New("the engine's log callback: " + s.String())
	}
	llama.LogSet(uintptr(code))
	return nil
}

// The library keeps pointers to these.
var (
	logCif  *ffi.Cif
	logArgs = []*ffi.Type{&ffi.TypeSint32, &ffi.TypePointer, &ffi.TypePointer}
)

// add records one piece of log; a piece at level "continue" belongs to the line before.
func (l *logSink) add(level llama.LogLevel, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if level == llama.LogLevelContinue {
		level = l.level
	}
	l.level = level
	if line := strings.TrimSpace(text); line != "" && (level == llama.LogLevelWarn || level == llama.LogLevelError) {
		l.last = append(l.last, line)
		if len(l.last) > keepLines {
			l.last = l.last[1:]
		}
	}
	if l.out != nil {
		io.WriteString(l.out, text)
	}
}

// reset forgets the remembered lines.
func (l *logSink) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = nil
}

// said returns what the library warned of since the last reset, as a clause for an error, or "".
func (l *logSink) said() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.last) == 0 {
		return ""
	}
	return "; the engine says: " + strings.Join(l.last[max(0, len(l.last)-3):], " | ")
}
