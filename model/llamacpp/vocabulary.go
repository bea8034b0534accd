package llamacpp

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/hybridgroup/yzma/pkg/llama"
	"github.com/jupiterrider/ffi"
)

// vocabulary turns text into tokens and back.
type vocabulary struct {
	handle   llama.Vocab
	tokenize ffi.Fun
	size     int
	bos      llama.Token // llama.TokenNull: none
	addBOS   bool
	guard    *strings.Replacer // cuts the names of control tokens apart, nil when there are none
	pieces   func() []string   // the bytes of every token, "" for control tokens; built at first use
}

func newVocabulary(m llama.Model, tokenize ffi.Fun) *vocabulary {
	v := &vocabulary{handle: llama.ModelGetVocab(m), tokenize: tokenize}
	v.size = int(llama.VocabNTokens(v.handle))
	v.bos = llama.Token(int32(llama.VocabBOS(v.handle)))
	v.addBOS = llama.VocabGetAddBOS(v.handle) && v.bos >= 0
	v.pieces = sync.OnceValue(v.allPieces)
	v.guard = newGuard(v.controlNames())
	return v
}

// text returns the name of a token, e.g. "<|im_end|>", or "" for none.
func (v *vocabulary) text(t llama.Token) string {
	if int32(t) < 0 {
		return ""
	}
	return llama.VocabGetText(v.handle, t)
}

// controlNames lists the texts that would be read as control tokens.
func (v *vocabulary) controlNames() []string {
	var names []string
	for t := range llama.Token(v.size) {
		if llama.VocabGetAttr(v.handle, t)&(llama.TokenAttrControl|llama.TokenAttrUnknown) == 0 {
			continue
		}
		if name := v.text(t); len([]rune(name)) > 1 {
			names = append(names, name)
		}
	}
	return names
}

// cut is a Unicode noncharacter: it occurs in no text and marks where tokenizing starts afresh.
const cut = "\uFDD0"

// newGuard returns a replacer that puts a cut after the first character of every name.
func newGuard(names []string) *strings.Replacer {
	if len(names) == 0 {
		return nil
	}
	// The replacer takes the first of its patterns that fits; a name must come before its own beginnings.
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(names))
	for _, n := range names {
		first := len(string([]rune(n)[0]))
		pairs = append(pairs, n, n[:first]+cut+n[first:])
	}
	return strings.NewReplacer(pairs...)
}

// harmless makes text that came from outside the template unable to open or close a turn: where it spells a control
// token, the spelling is cut apart, so that it is read as ordinary characters. Other text is unchanged, except that
// invalid UTF-8 is replaced.
func (v *vocabulary) harmless(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), cut, "\uFFFD")
	if v.guard == nil {
		return text
	}
	return v.guard.Replace(text)
}

// prompt tokenizes a rendered prompt whose contents went through harmless. The token that opens a text is added
// where the model wants one and the template has not written it.
func (v *vocabulary) prompt(text string) ([]llama.Token, error) {
	var tokens []llama.Token
	for part := range strings.SplitSeq(text, cut) {
		more, err := v.tokens(part, true)
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, more...)
	}
	if v.addBOS && (len(tokens) == 0 || tokens[0] != v.bos) {
		tokens = append([]llama.Token{v.bos}, tokens...)
	}
	return tokens, nil
}

// tokens calls the library's tokenizer, without anything added at either end.
func (v *vocabulary) tokens(text string, special bool) ([]llama.Token, error) {
	if text == "" {
		return nil, nil
	}
	if len(text) > math.MaxInt32/2 {
		return nil, fmt.Errorf("a text of %d bytes", len(text))
	}
	in, length := unsafe.StringData(text), int32(len(text))
	buf := make([]llama.Token, len(text)/2+8)
	add := false
	for range 2 {
		out, room := unsafe.SliceData(buf), int32(len(buf))
		var result ffi.Arg
		v.tokenize.Call(unsafe.Pointer(&result), unsafe.Pointer(&v.handle), unsafe.Pointer(&in), &length,
			unsafe.Pointer(&out), &room, &add, &special)
		n := int32(result)
		if n >= 0 {
			return buf[:n], nil
		}
		if n == math.MinInt32 {
			break
		}
		buf = make([]llama.Token, -n)
	}
	return nil, fmt.Errorf("the engine cannot tokenize a text of %d bytes", len(text))
}

// allPieces reads the bytes of every token. Control tokens have none, except those that mark reasoning: a reader
// must see where it begins and ends.
func (v *vocabulary) allPieces() []string {
	pieces := make([]string, v.size)
	buf := make([]byte, 256)
	for t := range llama.Token(v.size) {
		special := llama.VocabIsControl(v.handle, t) && strings.Contains(v.text(t), "think")
		n := llama.TokenToPiece(v.handle, t, buf, 0, special)
		if n < 0 {
			buf = make([]byte, -n)
			n = llama.TokenToPiece(v.handle, t, buf, 0, special)
		}
		pieces[t] = string(buf[:max(n, 0)])
	}
	return pieces
}

// forms returns the tokens that spell a label, alone or after a space, in ascending order. Tokens that stand for a
// raw byte count only when nothing else spells the label: a vocabulary with both never produces them for letters.
func (v *vocabulary) forms(label string) []llama.Token {
	var whole, raw []llama.Token
	for t, piece := range v.pieces() {
		if piece != label && (len(piece) != len(label)+1 || piece[0] != ' ' || piece[1:] != label) {
			continue
		}
		if llama.VocabGetAttr(v.handle, llama.Token(t))&llama.TokenAttrByte != 0 {
			raw = append(raw, llama.Token(t))
		} else {
			whole = append(whole, llama.Token(t))
		}
	}
	if len(whole) > 0 {
		return whole
	}
	return raw
}
