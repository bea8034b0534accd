package web

import (
	"crypto/sha256"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
	"strings"
)

// AssetPath is where a server hangs its assets.
const AssetPath = "/assets/"

// Assets are the files that served pages load, each under an address with a hash of its content, so that a browser may
// keep it for ever.
type Assets struct{ files map[string]asset }

type asset struct{ body, version string }

// NewAssets returns our own style and scripts and those given, by name.
func NewAssets(more map[string]string) *Assets {
	a := &Assets{map[string]asset{}}
	add := func(name, body string) {
		sum := sha256.Sum256([]byte(body))
		a.files[name] = asset{body, hex.EncodeToString(sum[:6])}
	}
	for _, name := range []string{"page.css", "list.js", "keys.js"} {
		add(name, Text(name))
	}
	for name, body := range more {
		add(name, body)
	}
	return a
}

// Address is where a file is served; it must be one of the files.
func (a *Assets) Address(name string) string {
	f, ok := a.files[name]
	if !ok {
		panic("web: no asset " + name) // the name is a constant of a page, and the tests draw every page
	}
	return AssetPath + name + "?v=" + f.version
}

// ServeHTTP serves the files below AssetPath.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := a.files[strings.TrimPrefix(r.URL.Path, AssetPath)]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(r.URL.Path)))
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	http.ServeContent(w, r, "", noTime, strings.NewReader(f.body))
}
