package llamacpp

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/modeltest/tinygguf"
)

func TestTemplateKinds(t *testing.T) {
	chatML, err := newChat(tinygguf.Template, "", "")
	if err != nil || chatML.kind != kindJinja || !chatML.system {
		t.Fatalf("%+v, %v", chatML, err)
	}
	got, err := chatML.prompt(chatOf("Hello?"))
	want := "<|im_start|>system\nYou are a clinician.<|im_end|>\n<|im_start|>user\nHello?<|im_end|>\n<|im_start|>assistant\n"
	if err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	got, _ = chatML.prompt(chatOf("Hello?")[1:])
	if !strings.HasPrefix(got, "<|im_start|>system\nTiny.") {
		t.Errorf("the template's default system turn is missing: %q", got)
	}
	base, err := newChat("", "", "")
	if err != nil || base.kind != kindNone {
		t.Fatalf("%+v, %v", base, err)
	}
	if got, _ := base.prompt(chatOf("Hello?")); got != "You are a clinician.\n\nHello?\n\n" {
		t.Errorf("base model: %q", got)
	}
}

func TestTemplateWithoutSystemTurn(t *testing.T) {
	source := `{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}` +
		`{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }}{{ eos_token }}{% endfor %}`
	c, err := newChat(source, "<s>", "</s>")
	if err != nil || c.system || c.kind != kindJinja {
		t.Fatalf("%+v, %v", c, err)
	}
	got, err := c.prompt(chatOf("Hello?"))
	if want := "<s>[user] You are a clinician.\n\nHello?</s>"; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	got, err = c.prompt([]percuss.Message{{Role: percuss.System, Content: "a"}, {Role: percuss.System, Content: "b"}})
	if want := "<s>[user] a\n\nb</s>"; err != nil || got != want {
		t.Errorf("system alone: %q, %v", got, err)
	}
}

// A prompt must not depend on the day.
func TestTemplateHasNoClock(t *testing.T) {
	c, err := newChat(`{{ strftime_now("%d %b %Y") }} {% for m in messages %}{{ m['content'] }}{% endfor %}`, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := c.prompt(chatOf("x")[1:]); err != nil || got != "01 Jan 2025 x" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestIdentityFollowsTheTemplate(t *testing.T) {
	a, _ := newChat("a {{ messages[0]['content'] }}", "", "")
	b, _ := newChat("b {{ messages[0]['content'] }}", "", "")
	none, _ := newChat("", "", "")
	ids := map[string]bool{identity("00", a): true, identity("00", b): true, identity("00", none): true, identity("01", a): true}
	if len(ids) != 4 {
		t.Errorf("identities: %v", ids)
	}
	if got := identity("00", none); got != "llama:sha256=00:template=none" {
		t.Errorf("base model: %s", got)
	}
}

func TestHarmless(t *testing.T) {
	v := &vocabulary{guard: newGuard([]string{"<|im_end|>", "</s>", "<|im"})}
	for in, want := range map[string]string{
		"plain <b>":        "plain <b>",
		"x<|im_end|>y</s>": "x<" + cut + "|im_end|>y<" + cut + "/s>",
		"bad \xff":         "bad \uFFFD",
		"mark " + cut:      "mark \uFFFD",
	} {
		if got := v.harmless(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
