package cli

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/percuss/percuss/internal/screen"
)

// messages is the stream of a command's messages. On a terminal, lines that are rewritten may stand below them: what is
// written takes these off first, so that nobody who writes has to know of them.
type messages struct {
	mu    sync.Mutex
	on    screen.Screen
	below int  // rewritten lines; the cursor stands at the end of the last one
	open  bool // what was written last did not end its line
}

// messagesTo is w where that is such a stream already.
func messagesTo(w io.Writer, env func(string) string) *messages {
	if m, ok := w.(*messages); ok {
		return m
	}
	return &messages{on: screen.Of(w, env)}
}

// Write implements io.Writer.
func (m *messages) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.below > 0 {
		if _, err := io.WriteString(m.on.W, top(m.below)+"\x1b[J"); err != nil {
			return 0, err
		}
		m.below = 0
	}
	m.open = len(b) > 0 && b[len(b)-1] != '\n'
	return m.on.W.Write(b)
}

// top moves the cursor to the beginning of the first of n lines, from within the last one.
func top(n int) string {
	if n < 2 {
		return "\r"
	}
	return fmt.Sprintf("\r\x1b[%dA", n-1)
}

// rewrite replaces the lines below. Each is cut at the width that the terminal has now: one that wrapped would leave a rest
// behind. It is written at once, so that nothing flickers.
func (m *messages) rewrite(lines []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b bytes.Buffer
	switch {
	case m.below > 0:
		b.WriteString(top(m.below))
	case m.open:
		b.WriteByte('\n')
		m.open = false
	}
	width, _ := m.on.Size()
	for i, s := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(screen.Cut(s, width-1) + "\x1b[K")
	}
	b.WriteString("\x1b[J")
	m.below = len(lines)
	m.on.W.Write(b.Bytes())
}

// leave lets the rewritten lines stand as they are.
func (m *messages) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.below > 0 {
		io.WriteString(m.on.W, "\n")
		m.below = 0
	}
}
