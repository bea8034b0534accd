package sqlite

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/percuss/percuss"
)

// encode writes a body. HTML characters stay as they are: Request.Extra is kept byte for byte.
func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// encodeRequest writes a request's body and makes sure that it reads back as the request of the same key: text that
// is not UTF-8, or extras that are not canonical JSON, would not.
func encodeRequest(key percuss.Key, r percuss.Request) (string, error) {
	if own := r.Key(); own != key {
		return "", fmt.Errorf("key %s is not the request's, which is %s", key, own)
	}
	body, err := encode(r)
	if err != nil {
		return "", fmt.Errorf("request %s: %w", key, err)
	}
	if _, err := decodeRequest(key, []byte(body)); err != nil {
		return "", fmt.Errorf("request %s cannot be kept exactly: text must be UTF-8 and extras compact JSON", key)
	}
	return body, nil
}

func decodeRequest(key percuss.Key, body []byte) (r percuss.Request, err error) {
	r, ok := plainRequest(body)
	if !ok {
		r = percuss.Request{}
		if err := json.Unmarshal(body, &r); err != nil {
			return r, fmt.Errorf("request %s: %w", key, err)
		}
	}
	if own := r.Key(); own != key {
		return r, fmt.Errorf("request %s: its content has the key %s", key, own)
	}
	return r, nil
}

func decodeAnswer(key percuss.Key, body []byte) (a percuss.Answer, err error) {
	if a, ok := plainAnswer(body); ok {
		return a, nil
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return a, fmt.Errorf("answer %s: %w", key, err)
	}
	return a, nil
}
