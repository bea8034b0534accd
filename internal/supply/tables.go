package supply

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed engines.json
var enginesJSON []byte

//go:embed models.json
var modelsJSON []byte

// Engine is one row of the engine table: the npm package that holds llama.cpp
// for a platform.
type Engine struct {
	// Platform is the publisher's name of the platform and names the folder.
	Platform string `json:"platform"`
	GOOS     string `json:"goos"`
	GOARCH   string `json:"goarch"`
	// Device is what the library computes on: cpu, cuda, vulkan or metal. The
	// CPU is there in every row, for what a device cannot do.
	Device string `json:"device"`
	// Tried says that the engine was loaded and used on this platform.
	Tried    bool   `json:"tried"`
	Package  string `json:"package"`
	Version  string `json:"version"`
	LlamaCPP string `json:"llamacpp"`
	// Integrity is the package's hash as npm writes it ("sha512-" and base64).
	// Where it is empty, npm's own check of the download is the only one.
	Integrity string `json:"integrity"`
	// Folder is the folder inside the archive that holds the libraries;
	// Suffixes are the endings of the files wanted from it.
	Folder   string   `json:"folder"`
	Suffixes []string `json:"suffixes"`
	// Links maps the name under which the bindings ask for a library to the
	// name that it has in the package.
	Links map[string]string `json:"links"`
	// Require names the files without which the folder cannot be loaded, the
	// library itself first.
	Require []string `json:"require"`
	// Extension is set where some of the files come from a second package.
	Extension *Extension `json:"extension"`
	// Needs names the shared libraries of the system that the device's back-end
	// is linked with; Driver those that come with the device's driver, which a
	// machine that only makes an image need not have.
	Needs  []string `json:"needs"`
	Driver []string `json:"driver"`
	Note   string   `json:"note"`
}

// Extension is a second package of an engine, of the same version.
type Extension struct {
	Package   string `json:"package"`
	Integrity string `json:"integrity"` // as Engine.Integrity
	Folder    string `json:"folder"`
	// Files are taken from the extension, and not from the package itself.
	Files []string `json:"files"`
}

// Model is one entry of the catalogue.
type Model struct {
	Name    string `json:"name"`
	Default bool   `json:"default"`
	Title   string `json:"title"`
	// File, Bytes and SHA256 (64 hex digits) describe the finished GGUF file.
	File    string `json:"file"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
	License string `json:"license"`
	// Terms names what the user must accept before the model is fetched; empty
	// where nothing is asked.
	Terms string `json:"terms"`
	// ChatTemplate says that the file holds one: without it the model is a base
	// model. AddsBOS says that its tokenizer puts a begin token first.
	ChatTemplate bool   `json:"chat_template"`
	AddsBOS      bool   `json:"adds_bos"`
	Note         string `json:"note"`
	// Parts are concatenated in order.
	Parts []Part `json:"parts"`
}

// Part is one wheel of a model, and the file wanted from it.
type Part struct {
	Package string `json:"package"`
	Version string `json:"version"`
	Entry   string `json:"entry"`
	Bytes   int64  `json:"bytes"`
}

// Engines returns the engine table. The slice is the caller's own.
func Engines() []Engine { return mustDecode[Engine](enginesJSON) }

// Catalogue returns the models that can be pulled by name, the default first.
// The slice is the caller's own.
func Catalogue() []Model { return mustDecode[Model](modelsJSON) }

// mustDecode reads a table that is part of the program: a fault in it is a
// fault of the build, which the tests find.
func mustDecode[T any](data []byte) []T {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var rows []T
	if err := dec.Decode(&rows); err != nil {
		panic("supply: embedded table: " + err.Error())
	}
	return rows
}

func (c *Cache) model(name string) (Model, bool) {
	for _, m := range c.models {
		if m.Name == name {
			return m, true
		}
	}
	return Model{}, false
}

func (c *Cache) modelNames() string {
	names := make([]string, len(c.models))
	for i, m := range c.models {
		names[i] = m.Name
	}
	return strings.Join(names, ", ")
}
