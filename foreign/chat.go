package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// readSample reads a row of an lm-eval sample log, with all of its repeated replies, unfiltered: a filter leaves nothing of
// the chain.
func readSample(f fields) (Entry, error) {
	doc := f.object("doc")
	e, err := question(doc)
	if err != nil {
		return e, fmt.Errorf("doc: %w", err)
	}
	if e.Gold == "" {
		labels, texts := choices(doc)
		e.Gold = gold(f, labels, texts)
	}
	e.ID = f.word("doc_id")
	texts := allTexts(f["resps"])
	if len(texts) == 0 {
		texts = allTexts(f["filtered_resps"])
	}
	if len(texts) == 0 {
		return e, errors.New("resps: no text; a task that scores options leaves no replies, run one that generates them")
	}
	for _, text := range texts {
		e.Replies = append(e.Replies, Reply{Answer: said(text)})
	}
	return e, nil
}

// allTexts are the texts in lists of lists; none where a number or nothing comes first.
func allTexts(raw json.RawMessage) []string {
	var s string
	if json.Unmarshal(raw, &s) == nil && len(raw) > 0 && raw[0] == '"' {
		return []string{s}
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var out []string
	for i, of := range list {
		texts := allTexts(of)
		if i == 0 && len(texts) == 0 {
			return nil
		}
		out = append(out, texts...)
	}
	return out
}

// completion is the reply of a chat, as OpenAI's protocol has it.
type completion struct {
	Model   string `json:"model"`
	Choices []struct {
		Text    string `json:"text"`
		Finish  string `json:"finish_reason"`
		Message struct {
			Content          content `json:"content"`
			ReasoningContent string  `json:"reasoning_content"`
			Reasoning        string  `json:"reasoning"`
			Refusal          string  `json:"refusal"`
		} `json:"message"`
	} `json:"choices"`
}

// content is a message's text, be it one text or parts.
type content string

// UnmarshalJSON reads a text, null, or a list of parts with texts.
func (c *content) UnmarshalJSON(raw []byte) error {
	var s *string
	if json.Unmarshal(raw, &s) == nil {
		if s != nil {
			*c = content(*s)
		}
		return nil
	}
	var parts []struct{ Text string }
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		*c += content(p.Text)
	}
	return nil
}

// reply reads a chat's completion.
func reply(raw json.RawMessage) (Reply, error) {
	var c completion
	if err := json.Unmarshal(raw, &c); err != nil {
		return Reply{}, fmt.Errorf("response: %w", err)
	}
	if len(c.Choices) == 0 {
		return Reply{}, errors.New("response: it has no choices: the request failed")
	}
	first := c.Choices[0]
	m := first.Message
	a := said(string(m.Content) + first.Text)
	if a.Text == "" && m.Refusal != "" {
		a = said(m.Refusal)
	}
	a.Reasoning = m.ReasoningContent
	if a.Reasoning == "" {
		a.Reasoning = m.Reasoning
	}
	var f fields
	if json.Unmarshal(raw, &f) == nil {
		a.Usage = f.used()
	}
	a.Reported = c.Model
	switch {
	case first.Finish == "length":
		a.Outcome = percuss.Truncated
	case first.Finish == "content_filter":
		a.Outcome = percuss.Filtered
	case a.Outcome == percuss.Empty && a.Reasoning != "":
		a.Outcome = percuss.ReasoningOnly
	}
	return Reply{Model: c.Model, Answer: a}, nil
}

// readBatch reads a row of a batch's output.
func readBatch(f fields) (Entry, error) {
	e := Entry{ID: f.text("custom_id")}
	response := f.object("response")
	if !response.has("body") {
		return e, fmt.Errorf("%s: the response has no body: the request failed", e.ID)
	}
	r, err := reply(response["body"])
	e.Replies = []Reply{r}
	return e, err
}

// readChat reads a request beside its response, or a conversation that ends with the reply.
func readChat(f fields) (Entry, error) {
	e := Entry{ID: f.word("id", "custom_id")}
	request := f
	if f.has("request") {
		request = f.object("request")
	}
	if request.has("body") {
		request = request.object("body")
	}
	messages, err := messagesOf(request)
	if err != nil {
		return e, err
	}
	e.Prompt = lastUser(messages)
	r := Reply{Model: request.text("model")}
	switch response := f.object("response"); {
	case response.has("body"):
		r, err = reply(response["body"])
	case response.has("choices"):
		r, err = reply(f["response"])
	case f.has("choices"):
		r, err = reply(rawOf(f))
	case f.text("response", "completion", "output") != "":
		r.Answer = said(f.text("response", "completion", "output"))
	case messages[len(messages)-1].Role == string(percuss.Assistant):
		r.Answer = said(string(messages[len(messages)-1].Content))
	default:
		return e, errors.New("no response beside the messages")
	}
	e.Replies = []Reply{r}
	return e, err
}

func rawOf(f fields) json.RawMessage {
	raw, err := json.Marshal(f)
	if err != nil {
		return nil
	}
	return raw
}

type message struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
}

func messagesOf(f fields) ([]message, error) {
	var out []message
	if err := json.Unmarshal(f["messages"], &out); err != nil || len(out) == 0 {
		return nil, errors.New("messages: not a list of role and content")
	}
	return out, nil
}

func lastUser(messages []message) string {
	text := ""
	for _, m := range messages {
		if m.Role == string(percuss.User) {
			text = string(m.Content)
		}
	}
	return text
}

// prompts reads the requests of a batch: for each custom_id the last user message.
func prompts(path string) (map[string]string, error) {
	out := map[string]string{}
	for row, err := range rows(path) {
		if err != nil {
			return nil, fmt.Errorf("requests: %w", err)
		}
		for _, r := range unfold(row.Value) {
			messages, err := messagesOf(r.fields.object("body"))
			if id := r.fields.text("custom_id"); err == nil && id != "" {
				out[id] = strings.TrimSpace(lastUser(messages))
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("requests: %s holds no rows with custom_id and body.messages", path)
	}
	return out, nil
}
