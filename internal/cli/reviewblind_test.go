package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
)

// Nothing that the server says of a sample of a real run tells what the key holds.
func TestServedSampleIsBlind(t *testing.T) {
	folder, p := sampled(t)
	s := serveSample(t, folder, serving{raters: []string{"Ann"}})
	defer s.stop()
	secrets := secretsOf(t, folder, p)
	rater, desk, stranger := newClient(t, s.links[1]), newClient(t, s.links[0]), newClient(t, s.links[0])
	rater.open(t, s.links[1])
	desk.open(t, s.links[0])
	for who, c := range map[string]*client{"rater": rater, "desk": desk, "stranger": stranger} {
		for _, path := range []string{"/", "/state", "/pin", "/in/x", "/desk", "/desk/export", "/desk/backup", "/key.jsonl", "/package.json", "/assets/annotate.js", "/none"} {
			tellsNone(t, secrets, who+" GET "+path, c, "GET", path, "")
		}
		for _, path := range []string{"/entries", "/device", "/pin", "/in", "/desk/raters", "/desk/link", "/desk/close"} {
			tellsNone(t, secrets, who+" POST "+path, c, "POST", path, answerOf(p, p.Items[1]))
		}
	}
}

func tellsNone(t *testing.T, secrets *regexp.Regexp, what string, c *client, method, path, body string) {
	t.Helper()
	_, text := c.ask(t, method, path, "application/json", body)
	if found := secrets.FindString(text); found != "" {
		t.Errorf("%s tells %q", what, found)
	}
}

// secretsOf finds everything that a key says in words, and the folder of the run, in a text. A word that the form asks with is none.
func secretsOf(t *testing.T, folder string, p blind.Package) *regexp.Regexp {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(folder, review.KeyFile))
	if err != nil {
		t.Fatal(err)
	}
	form, err := json.Marshal(p.Questions)
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{"zephyrstudy": true, "sim:": true}
	for line := range strings.Lines(string(raw)) {
		var k review.Key
		if err := json.Unmarshal([]byte(line), &k); err != nil {
			t.Fatal(err)
		}
		for _, w := range []string{k.Bucket, k.Variant, k.Model, k.Tier, k.Set, k.Item, k.Operator, k.Rule, k.Label} {
			if len(w) > 1 && !strings.Contains(string(form), `"`+w+`"`) {
				words[w] = true
			}
		}
	}
	var all []string
	for w := range words {
		all = append(all, regexp.QuoteMeta(w))
	}
	if len(all) < 10 {
		t.Fatalf("the key holds %v", all)
	}
	return regexp.MustCompile(`(?i)\b(` + strings.Join(all, "|") + `)\b`)
}
