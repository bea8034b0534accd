package cli

import (
	"bytes"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/internal/explore"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/model/openai/openaitest"
)

// What files and models may hold: markup that acts where it is taken for some, codes of a terminal, signs that turn a
// text, the beginning of a formula, TeX, scripts that run to the left, and words without an end.
const (
	markup   = `<script>window.hostile=1</script><img src=x onerror="window.hostile=1"></pre></td>` + "\x1b[31m\x07\u202egnp.exe\u202c" + `"'=1+1&amp; $x_1^2$ \textbf{a} %#{}~`
	arabic   = "مرحبا، مريض عمره 45 سنة يعاني من ألم في الصدر. חולה בן 45 עם כאב בחזה."
	word40   = "Pneumonoultramicroscopicsilicovolcanokon"
	vignette = "A 45-year-old man has severe chest pain for 2 days. He denies fever. What is the most likely diagnosis? "
)

// hostileRuns makes a run of each audit below a root, in folders of a name that is as bad, and returns the folders.
func hostileRuns(t *testing.T, root string) (chain, cases string) {
	t.Helper()
	chain, cases = filepath.Join(root, "chain <b>&مر =1"), filepath.Join(root, "cases <b>&مر =1")
	s := openaitest.Start(t, "generic")
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		steps := []string{"Step 1: " + markup + " is seen.", "Step 2: " + arabic, "Step 3: " + word40 + " 🫀", "Step 4: " + strings.Repeat("W", 2000), "Step 5: " + strings.Repeat("So it goes on. ", 1800)}
		reply(w, body, strings.Join(steps, "\n")+"\n\nAnswer: B", "stop")
		return true
	}
	questions := jsonLines(t, "questions.jsonl",
		map[string]any{"id": "=1+1<script>\u202e", "question": markup + vignette, "options": []string{"=cmd|' /C calc'!A0", markup, arabic, word40 + "🫀"}, "answer": "B"},
		map[string]any{"id": strings.Repeat("w", 60), "question": arabic + vignette + strings.Repeat("W", 10_000), "options": []string{strings.Repeat("V", 300), "Sepsis", strings.Repeat(word40, 5), "d"}, "answer": "C"})
	must(t, "chain", "-m", served(s, ""), "-m", "sim:faithful", "-d", "custom:"+questions, "--battery", "F2-a+M1-a+M2-age-a", "--controls", "shuffle", "-o", chain)
	units := []any{map[string]any{"text": markup + " pain", "symptom_of": []string{markup + "Sepsis"}, "family": "=f<script>"}}
	for _, text := range []string{arabic, word40 + word40, strings.Repeat("W", 500), "🫀 finding", "Vomiting.", "Cough.", "Blue sclera."} {
		units = append(units, map[string]any{"text": text})
	}
	candidates := []string{markup + "Sepsis", arabic, strings.Repeat("V", 200), "=1+1"}
	for len(candidates) < 20 {
		candidates = append(candidates, "Diagnosis "+strings.Repeat("x", len(candidates)))
	}
	must(t, "evidence", "-m", "sim:shortcut", "-d", "custom:"+jsonLines(t, "cases.jsonl",
		map[string]any{"id": "=case<script>\u202e", "facts": []string{"Age: 30 " + markup}, "units": units, "candidates": candidates, "gold": candidates[0]}), "--order", "2", "-o", cases)
	return chain, cases
}

// jsonLines writes rows of JSON into a file.
func jsonLines(t *testing.T, name string, rows ...any) string {
	t.Helper()
	var b bytes.Buffer
	for _, r := range rows {
		if err := json.NewEncoder(&b).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// hostilePages are the addresses of pages of each kind, by name: files beside the reports, and what the explorer serves.
func hostilePages(t *testing.T) map[string]string {
	t.Helper()
	root := t.TempDir()
	chain, cases := hostileRuns(t, root)
	pages := map[string]string{}
	for name, path := range map[string]string{"report": chain + "/report/report.html", "item": chain + "/report/items/0002.html", "card": chain + "/report/card.html", "cases": cases + "/report/report.html", "case": cases + "/report/items/0001.html"} {
		if _, err := os.Stat(path); err != nil {
			t.Fatal(err)
		}
		pages[name] = (&url.URL{Scheme: "file", Path: path}).String()
	}
	s := &explore.Server{Root: root, Open: openViewed, Now: time.Now, Log: io.Discard}
	server := httptest.NewServer(web.Guard{Hosts: web.Local()}.Wrap(s.Handler()))
	t.Cleanup(func() {
		server.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	pages["explorer runs"] = server.URL + "/"
	for name, dir := range map[string]string{"chain": chain, "cases": cases} {
		of := "?r=" + url.QueryEscape(filepath.Base(dir))
		pages["explorer "+name], pages["explorer list of "+name] = server.URL+"/run"+of, server.URL+"/trials"+of
		item := server.URL + linked(t, server.URL+"/items"+of, "/item")
		pages["explorer item of "+name], pages["explorer request of "+name] = item, server.URL+linked(t, item, "/raw")
	}
	noted, err := http.PostForm(server.URL+"/notes?r="+url.QueryEscape(filepath.Base(chain))+"&id="+url.QueryEscape("custom:"+strings.Repeat("w", 60))+"&m=sim:faithful&p=neutral&s=custom", url.Values{"text": {markup + strings.Repeat("W", 3000) + arabic}})
	if err != nil {
		t.Fatal(err)
	}
	noted.Body.Close()
	pages["explorer notes"] = server.URL + "/notes?r=" + url.QueryEscape(filepath.Base(chain))
	return pages
}

// linked is the first address that a page leads to which begins in a way. A page of an index that is built is vignette for
// again.
func linked(t *testing.T, page, prefix string) string {
	t.Helper()
	for {
		got, err := http.Get(page)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(got.Body)
		got.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if got.StatusCode == http.StatusAccepted {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		found := regexp.MustCompile(`href="(` + prefix + `\?[^"]*)"`).FindSubmatch(raw)
		if found == nil {
			t.Fatalf("%s: status %d, and no link to %s", page, got.StatusCode, prefix)
		}
		return html.UnescapeString(string(found[1]))
	}
}
