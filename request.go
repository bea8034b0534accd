package percuss

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
)

// Role is the speaker of a message.
type Role string

// The speakers of a chat.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn of a chat.
type Message struct {
	Role    Role   `json:"role"`
	Content string `json:"content"`
}

// Sampling says how text is drawn. Temperature 0 is greedy decoding.
type Sampling struct {
	Temperature float64  `json:"temperature"`
	TopP        float64  `json:"top_p"` // 1: no nucleus cut
	MaxTokens   int      `json:"max_tokens"`
	Seed        uint64   `json:"seed"`
	Stop        []string `json:"stop,omitempty"`
}

// Want says what a call is to bring back.
type Want struct {
	// Letters, when not empty, asks for the natural-log probability of each label as the next token after
	// Messages and Begin; no text is generated then. Empty asks for text.
	Letters []string `json:"letters,omitempty"`
}

// Request is the complete description of one call. Two equal requests are one request, whoever asks.
// Gold labels and operator names never enter it.
type Request struct {
	Model     string          `json:"model"` // the identity of the model, as its back-end states it; no secrets
	Messages  []Message       `json:"messages"`
	Begin     string          `json:"begin,omitempty"` // beginning of the assistant's turn, to be continued
	Sampling  Sampling        `json:"sampling"`
	Want      Want            `json:"want"`
	Extra     json.RawMessage `json:"extra,omitempty"`     // further parameters, canonical JSON
	Replicate int             `json:"replicate,omitempty"` // number of a repetition; part of the key, never sent
}

// Key identifies a request: 64 hex digits, the SHA-256 of its versioned, length-prefixed encoding.
type Key string

// keyVersion changes when the encoding does; then no key of an older run matches.
const keyVersion = "percuss.request/1"

// Field is one line of a request's description: what was hashed, in order.
type Field struct{ Name, Value string }

// Fields returns every byte that enters the key, field by field, in the order in which it is hashed.
func (r Request) Fields() []Field {
	var fields []Field
	r.each(func(name, value string) { fields = append(fields, Field{name, value}) })
	return fields
}

// each calls add for every field.
func (r Request) each(add func(name, value string)) {
	num := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	add("version", keyVersion)
	add("model", r.Model)
	add("messages", strconv.Itoa(len(r.Messages)))
	for _, m := range r.Messages {
		add("role", string(m.Role))
		add("content", m.Content)
	}
	add("begin", r.Begin)
	add("temperature", num(r.Sampling.Temperature))
	add("top_p", num(r.Sampling.TopP))
	add("max_tokens", strconv.Itoa(r.Sampling.MaxTokens))
	add("seed", strconv.FormatUint(r.Sampling.Seed, 10))
	add("stops", strconv.Itoa(len(r.Sampling.Stop)))
	for _, s := range r.Sampling.Stop {
		add("stop", s)
	}
	add("letters", strconv.Itoa(len(r.Want.Letters)))
	for _, l := range r.Want.Letters {
		add("letter", l)
	}
	add("extra", string(r.Extra))
	add("replicate", strconv.Itoa(r.Replicate))
}

// Key returns the request's key.
func (r Request) Key() Key {
	b := make([]byte, 0, 4096)
	var size [8]byte
	part := func(s string) {
		binary.BigEndian.PutUint64(size[:], uint64(len(s)))
		b = append(append(b, size[:]...), s...)
	}
	r.each(func(name, value string) { part(name); part(value) })
	sum := sha256.Sum256(b)
	return Key(hex.EncodeToString(sum[:]))
}

// Valid reports whether k has the form of a key.
func (k Key) Valid() bool {
	b, err := hex.DecodeString(string(k))
	return err == nil && len(b) == sha256.Size
}

// Greedy is deterministic decoding with at most maxTokens new tokens.
func Greedy(maxTokens int) Sampling {
	return Sampling{Temperature: 0, TopP: 1, MaxTokens: maxTokens}
}

// finite reports whether f is an ordinary number.
func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }
