package openai

import (
	"bufio"
	"bytes"
	"io"
)

// longestLine bounds one line of a stream, in bytes, so that a broken server cannot fill the memory.
const longestLine = 64 << 20

// events reads a stream of server-sent events. Lines have any length and end in LF or CRLF; comments and fields other
// than data and event are skipped.
type events struct {
	r    *bufio.Reader
	data []byte // memory of the event before
	long []byte // memory of a line that is longer than r's
}

// next returns the name and the data of the next event that has data, joined by line breaks. The error is io.EOF at
// the end; what came before an end without a blank line is returned first. The data holds until the next call.
func (e *events) next() (name string, data []byte, err error) {
	seen := false
	e.data = e.data[:0]
	for {
		line, err := e.line()
		if err != nil && len(line) == 0 {
			if seen && err == io.EOF {
				return name, e.data, nil
			}
			return "", nil, err
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch {
		case len(line) == 0:
			if seen {
				return name, e.data, nil
			}
			name = ""
		case string(field) == "event":
			name = string(value)
		case string(field) == "data":
			if seen {
				e.data = append(e.data, '\n')
			}
			e.data, seen = append(e.data, value...), true
		}
	}
}

// line reads one line without its end. It holds until the next call.
func (e *events) line() ([]byte, error) {
	e.long = e.long[:0]
	for {
		line, err := e.r.ReadSlice('\n')
		if err == bufio.ErrBufferFull || len(e.long) > 0 {
			e.long = append(e.long, line...)
			line = e.long
		}
		if len(line) > longestLine {
			return nil, errLongLine
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		return line, err
	}
}
