package openai

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/openai/openaitest"
	"pgregory.net/rapid"
)

const testKey = `sk-t3st/key+with"odd<chars>-0123456789`

// TestTheKeyAppearsNowhere asks a server that echoes it wherever it can.
func TestTheKeyAppearsNowhere(t *testing.T) {
	quoted := strings.Trim(fmt.Sprintf("%q", testKey), `"`)
	for name, reply := range echoes() {
		s := scripted(t, "vllm", func(w http.ResponseWriter, _ map[string]any) { reply(w) })
		s.Key = testKey
		o := quick(s.URL)
		o.Key = " " + testKey + "\n"
		m := openWith(t, o)
		got := one(t, m, ask("x"))
		in, err := m.(model.Inspector).Inspect(t.Context(), ask("x"))
		all := fmt.Sprintf("%+v %v %v %+v %v %+v", got.answer, got.err, got.again, in, err, m.Capabilities())
		if strings.Contains(all, testKey) || strings.Contains(all, quoted) || strings.Contains(all, testKey[:12]) && name != "stream" {
			t.Errorf("%s: the key is shown: %s", name, all)
		}
		if name == "key" && !strings.Contains(all, "sk-t3*****789") {
			t.Errorf("what the server masked itself is gone: %s", all)
		}
		if name == "inside" && !strings.Contains(all, mask) {
			t.Errorf("%s: nothing stands in its place: %s", name, all)
		}
	}
}

// echoes are replies that hold the key, by where.
func echoes() map[string]func(w http.ResponseWriter) {
	return map[string]func(w http.ResponseWriter){
		"refusal": func(w http.ResponseWriter) { openaitest.Error(w, 400, "bad request with Bearer "+testKey) },
		"key": func(w http.ResponseWriter) {
			openaitest.Error(w, 401, "Incorrect API key provided: "+testKey+". sk-t3*****789")
		},
		"at the cut": func(w http.ResponseWriter) {
			openaitest.Error(w, 400, strings.Repeat("x", mostSaid-10)+testKey)
		},
		"at the end of what is kept": func(w http.ResponseWriter) {
			openaitest.Error(w, 400, strings.Repeat("x", mostKept-70)+testKey)
		},
		"plain":   func(w http.ResponseWriter) { http.Error(w, "Authorization: Bearer "+testKey, 500) },
		"inside":  func(w http.ResponseWriter) { openaitest.JSON(w, 200, map[string]any{"error": "key " + testKey}) },
		"model":   func(w http.ResponseWriter) { openaitest.Error(w, 404, "no such model for "+testKey) },
		"refused": func(w http.ResponseWriter) { openaitest.JSON(w, 200, message200(testKey, "refusal")) },
		"text":    func(w http.ResponseWriter) { openaitest.JSON(w, 200, message200(testKey, "content")) },
		"stream": func(w http.ResponseWriter) {
			openaitest.Event(w, openaitest.Delta(testKey[:9], ""))
			openaitest.Event(w, openaitest.Delta(testKey[9:], "stop"))
		},
		"redirect": func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://elsewhere/?k="+testKey)
			w.WriteHeader(http.StatusFound)
		},
	}
}

func message200(text, field string) map[string]any {
	return map[string]any{"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{field: text}}}}
}

func TestKeysInWhatAModelWrote(t *testing.T) {
	for key, gone := range map[string]bool{
		"EMPTY": false, "none": false, "dummy": false, "sk-no-key-required": false, "lm-studio": false, "ollama": false, "xxx": false,
		"abcde":  false, // too short to be one
		"abcdef": true, "tok-12345": true, "sk-a": false, "k3y-of-a-lab": true, "sk-0123456789abcdef": true,
	} {
		said := "The stomach is " + key + ", as " + strings.ToUpper(key[:1]) + " says."
		s := scripted(t, "vllm", func(w http.ResponseWriter, _ map[string]any) { openaitest.JSON(w, 200, message200(said, "content")) })
		o := quick(s.URL)
		o.Key = key
		want := said
		if gone {
			want = strings.ReplaceAll(said, key, mask)
		}
		if got := one(t, openWith(t, o), ask("x")); got.answer.Text != want {
			t.Errorf("%s: text %q, want %q", key, got.answer.Text, want)
		}
	}
}

// Where a server speaks, a key goes however short, but for placeholders, which are none.
func TestKeysInWhatAServerSays(t *testing.T) {
	for key, gone := range map[string]bool{"ab12": true, "tok-12345": true, "EMPTY": false, "Not-Needed": false} {
		s, err := newSecret(key)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.words("key "+key+" refused", 100); strings.Contains(got, key) == gone {
			t.Errorf("%q", got)
		}
	}
}

func TestWordsOfAServerAreLegible(t *testing.T) {
	s, err := newSecret("tok-12345")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "before") + rapid.SampledFrom([]string{"", "tok-12345", "\x1b]0;x\x07", "\u202e"}).Draw(t, "odd") +
			rapid.String().Draw(t, "after")
		n := rapid.IntRange(0, 100).Draw(t, "n")
		got := s.words(text, n)
		if strings.ContainsAny(got, "\x00\x07\x1b\r\u0085\u009b\u202e\u2066") || strings.Contains(got, s.key) || !utf8.ValidString(got) || len(got) > n+len(" …") {
			t.Errorf("%q becomes %q", text, got)
		}
		if plain := "A refusal, in\n\ttwo lines: é漢"; s.words(plain, 100) != plain {
			t.Errorf("%q was changed", plain)
		}
	})
}

func TestTheKeyIsSent(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	s.Key = testKey
	o := quick(s.URL)
	o.Key = testKey
	if got := one(t, openWith(t, o), ask("x")); got.answer.Outcome != percuss.OK {
		t.Errorf("%+v", got)
	}
}

func TestAddresses(t *testing.T) {
	for url, want := range map[string]string{
		"http://LocalHost:8000/v1/":     "http://localhost:8000/v1",
		" https://api.openai.com/v1 ":   "https://api.openai.com/v1",
		"https://Api.OpenAI.com:443/v1": "https://api.openai.com/v1",
		"http://host:80":                "http://host",
		"http://host:443/v1":            "http://host:443/v1",
		"HTTP://host/a%20b/v1//":        "http://host/a%20b/v1",
		"http://[::1]:8000/v1":          "http://[::1]:8000/v1",
		"http://[FE80::1]:80/v1":        "http://[fe80::1]/v1",
	} {
		if got, err := parseAddress(url, "KEY"); err != nil || got.base != want {
			t.Errorf("%s: %q, %v; want %q", url, got.base, err, want)
		}
	}
	for url, want := range map[string]string{
		"":                              "no URL",
		"localhost:8000/v1":             "http://",
		"ftp://host/v1":                 "http://",
		"http:///v1":                    "no host",
		"http://user:s3cret@host/v1":    "THE_KEY",
		"http://s3cret@host/v1":         "THE_KEY",
		"http://host/v1?api_key=s3cret": "THE_KEY",
		"http://host/v1#s3cret":         "THE_KEY",
		"http://us er:s3cret@host/v1":   "cannot be read",
		"http://host:x/v1?k=s3cret":     "cannot be read",
		"http://h/v1/chat/completions":  "http://h/v1",
	} {
		_, err := parseAddress(url, "THE_KEY")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v, want one that says %q and no secret", url, err, want)
		}
	}
}

func TestAddressesAreNormalOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		url := rapid.SampledFrom([]string{"http://", "https://", "HTTPS://"}).Draw(t, "scheme") +
			rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9.-]{0,12}`).Draw(t, "host") +
			rapid.SampledFrom([]string{"", ":80", ":443", ":8000"}).Draw(t, "port") +
			rapid.StringMatching(`(/[a-zA-Z0-9%]{0,4}){0,3}`).Draw(t, "path")
		a, err := parseAddress(url, "KEY")
		if err != nil {
			return
		}
		if again, err := parseAddress(a.base, "KEY"); err != nil || again != a {
			t.Errorf("%q becomes %+v, that becomes %+v (%v)", url, a, again, err)
		}
	})
}

func TestSeedsFitEveryServer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.Uint64().Draw(t, "seed")
		if got := seed(s); got >= 1<<31 || s < 1<<31 && got != s {
			t.Errorf("%d is sent as %d", s, got)
		}
	})
}
