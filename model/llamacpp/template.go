package llamacpp

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ardanlabs/jinja"
	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/percuss/percuss"
)

// How chats become prompts, as Capabilities.Template says it.
const (
	kindJinja   = "jinja"    // the model's own template
	kindBuiltIn = "built-in" // the library's imitation of it, where Jinja fails
	kindNone    = "none"     // a base model: paragraphs
)

// chat renders messages.
type chat struct {
	kind     string
	source   string
	compiled *jinja.Template
	bos, eos string
	system   bool // a system message leaves a trace of its own in the prompt
}

// newChat chooses how to render. The library's own rendering is the last resort, because it leaves out what a
// template adds by itself, such as a default system turn.
func newChat(source, bos, eos string) (*chat, error) {
	c := &chat{kind: kindNone, source: source, bos: bos, eos: eos}
	if strings.TrimSpace(source) == "" {
		c.system = true
		return c, nil
	}
	probe := []percuss.Message{{Role: percuss.User, Content: "user-probe"}}
	var err error
	if c.compiled, err = jinja.Compile(source); err == nil {
		c.kind = kindJinja
		var text string
		if text, err = c.render(probe); err == nil && !strings.Contains(text, "user-probe") {
			err = errors.New("it leaves out the user's message")
		}
	}
	if err != nil {
		c.kind = kindBuiltIn
		if text, builtIn := c.render(probe); builtIn != nil || !strings.Contains(text, "user-probe") {
			return nil, fmt.Errorf("the model's chat template cannot be rendered: %w; nor does the engine know it", err)
		}
	}
	text, err := c.render(append([]percuss.Message{{Role: percuss.System, Content: "system-probe"}}, probe...))
	c.system = err == nil && strings.Contains(text, "system-probe")
	return c, nil
}

// prompt renders the messages up to and including the opening of the assistant's turn. A template without a system
// turn gets the system message as the first paragraph of the user's.
func (c *chat) prompt(messages []percuss.Message) (string, error) {
	if !c.system {
		messages = foldSystem(messages)
	}
	return c.render(messages)
}

// foldSystem puts leading system messages before the text of the first user message.
func foldSystem(messages []percuss.Message) []percuss.Message {
	var head []string
	for len(messages) > 0 && messages[0].Role == percuss.System {
		head = append(head, messages[0].Content)
		messages = messages[1:]
	}
	if len(head) == 0 {
		return messages
	}
	if len(messages) == 0 || messages[0].Role != percuss.User {
		return append([]percuss.Message{{Role: percuss.User, Content: strings.Join(head, "\n\n")}}, messages...)
	}
	first := percuss.Message{Role: percuss.User, Content: strings.Join(append(head, messages[0].Content), "\n\n")}
	return append([]percuss.Message{first}, messages[1:]...)
}

func (c *chat) render(messages []percuss.Message) (string, error) {
	switch c.kind {
	case kindJinja:
		return c.renderJinja(messages)
	case kindBuiltIn:
		return renderBuiltIn(c.source, messages)
	}
	var b strings.Builder
	for _, m := range messages {
		b.WriteString(m.Content)
		b.WriteString("\n\n")
	}
	return b.String(), nil
}

func (c *chat) renderJinja(messages []percuss.Message) (text string, err error) {
	defer func() {
		// A template is a program out of a downloaded file; its interpreter must not take the run down.
		if p := recover(); p != nil {
			err = fmt.Errorf("chat template: %v", p)
		}
	}()
	list := make([]any, len(messages))
	for i, m := range messages {
		list[i] = map[string]any{"role": string(m.Role), "content": m.Content}
	}
	return c.compiled.RenderValues(map[string]jinja.Value{
		"messages":              jinja.FromGoValue(list),
		"add_generation_prompt": jinja.NewBool(true),
		"bos_token":             jinja.NewString(c.bos),
		"eos_token":             jinja.NewString(c.eos),
		"tools":                 jinja.None(),
		"documents":             jinja.None(),
		"strftime_now":          jinja.NewCallable("strftime_now", fixedDate),
	})
}

// fixedDate stands in for the clock, because an answer must be a function of the request: templates that print the
// date print this one.
func fixedDate(args []jinja.Value, _ map[string]jinja.Value) (jinja.Value, error) {
	if len(args) == 0 || !args[0].IsString() {
		return jinja.Undefined(), errors.New("strftime_now: a format is needed")
	}
	day := time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)
	r := strings.NewReplacer("%%", "%", "%d", day.Format("02"), "%-d", day.Format("2"), "%m", day.Format("01"),
		"%b", day.Format("Jan"), "%B", day.Format("January"), "%Y", day.Format("2006"), "%y", day.Format("06"),
		"%a", day.Format("Mon"), "%A", day.Format("Monday"), "%H", "00", "%I", "12", "%M", "00", "%S", "00", "%p", "AM",
		"%F", day.Format(time.DateOnly), "%T", "00:00:00", "%j", "001")
	return jinja.NewString(r.Replace(args[0].AsString())), nil
}

func renderBuiltIn(source string, messages []percuss.Message) (string, error) {
	if len(messages) == 0 {
		return "", errors.New("no messages")
	}
	list := make([]llama.ChatMessage, len(messages))
	size := 256
	for i, m := range messages {
		list[i] = llama.NewChatMessage(string(m.Role), m.Content)
		size += 2*len(m.Content) + 64
	}
	for {
		buf := make([]byte, size)
		n := int(llama.ChatApplyTemplate(source, list, true, buf))
		switch {
		case n < 0:
			return "", errors.New("the engine does not know the template")
		case n <= len(buf):
			return string(buf[:n]), nil
		}
		size = n
	}
}
