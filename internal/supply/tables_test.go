package supply

import (
	"encoding/base64"
	"encoding/hex"
	"path"
	"regexp"
	"strings"
	"testing"
)

func TestEngineTable(t *testing.T) {
	rows := map[string]bool{}
	for _, e := range Engines() {
		key := e.GOOS + "/" + e.GOARCH + "/" + e.Device
		if rows[key+strings.Join(e.Needs, ",")] || rows[e.Platform] {
			t.Errorf("%s stands there twice", e.Platform)
		}
		rows[key], rows[key+strings.Join(e.Needs, ",")], rows[e.Platform] = true, true, true
		if (e.Device == cpu) != (len(e.Needs) == 0) && e.Device != metal {
			t.Errorf("%s: device %s needs %v", e.Platform, e.Device, e.Needs)
		}
		if x := e.Extension; x != nil && (x.Package == "" || x.Folder == "" || len(x.Files) == 0 || (x.Integrity == "") != (e.Integrity == "")) {
			t.Errorf("%s: extension %+v", e.Platform, x)
		}
		if e.Package == "" || e.Version == "" || e.LlamaCPP == "" || len(e.Suffixes) == 0 || len(e.Require) == 0 {
			t.Errorf("%s: something is empty", key)
		}
		if e.Tried && e.Integrity == "" {
			t.Errorf("%s: tried but not pinned", key)
		}
		if e.Integrity != "" {
			raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(e.Integrity, "sha512-"))
			if err != nil || len(raw) != 64 {
				t.Errorf("%s: integrity of %d bytes, %v", key, len(raw), err)
			}
		}
		for name, target := range e.Links {
			if _, ok := e.wants(path.Join(e.Folder, target)); !ok || safeName(name) != nil || path.Base(name) != name {
				t.Errorf("%s: link %s to %s", key, name, target)
			}
		}
	}
	if !rows["linux/amd64/cpu"] {
		t.Error("no row for linux/amd64")
	}
}

func TestCatalogueTable(t *testing.T) {
	defaults := 0
	for i, m := range Catalogue() {
		var sum int64
		for _, p := range m.Parts {
			sum += p.Bytes
			if p.Package == "" || p.Version == "" || safeName(p.Entry) != nil {
				t.Errorf("%s: part %+v", m.Name, p)
			}
		}
		if sum != m.Bytes || sum == 0 {
			t.Errorf("%s: the parts have %d bytes, the file %d", m.Name, sum, m.Bytes)
		}
		if raw, err := hex.DecodeString(m.SHA256); err != nil || len(raw) != 32 || strings.ToLower(m.SHA256) != m.SHA256 {
			t.Errorf("%s: SHA-256 %q", m.Name, m.SHA256)
		}
		if path.Base(m.File) != m.File || !strings.HasSuffix(m.File, ".gguf") || m.License == "" || m.Title == "" {
			t.Errorf("%s: %+v", m.Name, m)
		}
		if m.Default {
			defaults++
			if i != 0 || m.Terms != "" {
				t.Errorf("%s: the default stands first and asks for nothing", m.Name)
			}
		}
	}
	if defaults != 1 {
		t.Errorf("%d defaults", defaults)
	}
}

// Where packages come from is the clients' business.
func TestTablesNameNoHost(t *testing.T) {
	host := regexp.MustCompile(`://|\b[a-z-]+\.(com|org|net|io|ai|co|dev)\b`)
	for name, data := range map[string][]byte{"engines.json": enginesJSON, "models.json": modelsJSON} {
		if at := host.Find(data); at != nil {
			t.Errorf("%s names %s", name, at)
		}
	}
}
