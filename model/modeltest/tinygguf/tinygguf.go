// Package tinygguf writes a language model that is small enough for tests and needs no download: the llama
// architecture with two layers, random float32 weights and a byte-level vocabulary. It knows nothing, but what it
// says depends on every token before, so it shows whether an engine computes the same thing by different ways.
package tinygguf

import (
	"math"
	"math/rand/v2"
	"os"
)

// Sizes of the model.
const (
	layers  = 2
	width   = 64
	heads   = 4
	kvHeads = 2
	hidden  = 128
	context = 8192
)

// ContextTokens is the training context that the file states.
const ContextTokens = context

// Template is the chat template in the file: the ChatML form, with a default system turn, so that a rendering that
// is not the template's own is noticed.
const Template = `{% for message in messages %}{% if loop.first and message['role'] != 'system' %}` +
	`{{ '<|im_start|>system\nTiny.<|im_end|>\n' }}{% endif %}` +
	`{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}{% endfor %}` +
	`{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}`

// Option changes what Write writes.
type Option func(*settings)

type settings struct {
	template string
	bos      bool
}

// WithTemplate replaces the chat template; an empty one makes a base model.
func WithTemplate(t string) Option { return func(s *settings) { s.template = t } }

// WithBOS makes the vocabulary ask for a token at the beginning of every text.
func WithBOS() Option { return func(s *settings) { s.bos = true } }

// Write writes the model to path. Files of the same seed and options are equal byte for byte.
func Write(path string, seed uint64, options ...Option) error {
	s := settings{template: Template}
	for _, o := range options {
		o(&s)
	}
	tokens, kinds, merges := vocabulary()
	f := &file{}
	f.text("general.architecture", "llama")
	f.text("general.name", "tiny random")
	f.u32("general.file_type", 0)
	f.u32("llama.context_length", context)
	f.u32("llama.embedding_length", width)
	f.u32("llama.block_count", layers)
	f.u32("llama.feed_forward_length", hidden)
	f.u32("llama.attention.head_count", heads)
	f.u32("llama.attention.head_count_kv", kvHeads)
	f.u32("llama.rope.dimension_count", width/heads)
	f.f32("llama.attention.layer_norm_rms_epsilon", 1e-5)
	f.u32("llama.vocab_size", uint32(len(tokens)))
	f.text("tokenizer.ggml.model", "gpt2")
	f.text("tokenizer.ggml.pre", "gpt-2")
	f.texts("tokenizer.ggml.tokens", tokens)
	f.i32s("tokenizer.ggml.token_type", kinds)
	f.texts("tokenizer.ggml.merges", merges)
	f.u32("tokenizer.ggml.bos_token_id", uint32(len(tokens)-3))
	f.u32("tokenizer.ggml.eos_token_id", uint32(len(tokens)-1))
	f.flag("tokenizer.ggml.add_bos_token", s.bos)
	if s.template != "" {
		f.text("tokenizer.chat_template", s.template)
	}
	weights(f, seed, len(tokens))
	return os.WriteFile(path, f.bytes(), 0o644)
}

// weights adds the tensors. The scales make attention choose and the next token clear but not certain.
func weights(f *file, seed uint64, vocab int) {
	rng := rand.New(rand.NewPCG(seed, 0x7e))
	matrix := func(name string, in, out int, scale func(row int) float64) {
		data := make([]float32, in*out)
		for i := range data {
			data[i] = float32(rng.NormFloat64() * scale(i/in) / math.Sqrt(float64(in)))
		}
		f.tensor(name, []int{in, out}, data)
	}
	fixed := func(s float64) func(int) float64 { return func(int) float64 { return s } }
	ones := func(name string) {
		data := make([]float32, width)
		for i := range data {
			data[i] = 1
		}
		f.tensor(name, []int{width}, data)
	}
	matrix("token_embd.weight", width, vocab, fixed(math.Sqrt(width)))
	for l := range layers {
		block := "blk." + string(rune('0'+l)) + "."
		ones(block + "attn_norm.weight")
		matrix(block+"attn_q.weight", width, width, fixed(1.5))
		matrix(block+"attn_k.weight", width, width/heads*kvHeads, fixed(1.5))
		matrix(block+"attn_v.weight", width, width/heads*kvHeads, fixed(1.5))
		matrix(block+"attn_output.weight", width, width, fixed(1.5))
		ones(block + "ffn_norm.weight")
		matrix(block+"ffn_gate.weight", width, hidden, fixed(1))
		matrix(block+"ffn_up.weight", width, hidden, fixed(1))
		matrix(block+"ffn_down.weight", hidden, width, fixed(1))
	}
	ones("output_norm.weight")
	matrix("output.weight", width, vocab, func(row int) float64 {
		if row < 256 && (row < ' ' || row > '~') {
			return 0.5 // it writes readable characters, mostly
		}
		if row == vocab-1 {
			return 2.5 // and ends now and then
		}
		return 4
	})
}

// vocabulary returns the tokens: the 256 bytes in their order, the letters after a space, and three control tokens.
func vocabulary() (tokens []string, kinds []int32, merges []string) {
	names := byteNames()
	for b := range 256 {
		tokens = append(tokens, names[b])
		kinds = append(kinds, 1)
	}
	for c := 'A'; c <= 'Z'; c++ {
		tokens = append(tokens, names[' ']+string(c))
		kinds = append(kinds, 1)
		merges = append(merges, names[' ']+" "+string(c))
	}
	for _, t := range []string{"<|endoftext|>", "<|im_start|>", "<|im_end|>"} {
		tokens = append(tokens, t)
		kinds = append(kinds, 3)
	}
	return tokens, kinds, merges
}

// byteNames gives every byte the printable character by which byte-level vocabularies write it: itself if it is
// printable in Latin-1, else the next unused character from U+0100 on (Radford et al. 2019, section 2.2).
func byteNames() [256]string {
	var names [256]string
	next := rune(0x100)
	for b := range 256 {
		if b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae {
			names[b] = string(rune(b))
			continue
		}
		names[b] = string(next)
		next++
	}
	return names
}
