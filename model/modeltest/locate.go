package modeltest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// EngineLib returns the directory of the embedded engine's libraries: PERCUSS_LIB, or what `percuss engine install`
// put into the user's cache. Without one the test is skipped.
func EngineLib(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("PERCUSS_LIB"); dir != "" {
		return dir
	}
	name := map[string]string{"windows": "llama.dll", "darwin": "libllama.dylib"}[runtime.GOOS]
	if name == "" {
		name = "libllama.so"
	}
	found, _ := filepath.Glob(filepath.Join(cacheDir(), "percuss", "engine", "*", name))
	if len(found) == 0 {
		t.Skip("needs the engine library: set PERCUSS_LIB to its directory, or run `percuss engine install`")
	}
	return filepath.Dir(found[len(found)-1])
}

// SmolLM2 returns the path of SmolLM2-135M-Instruct.Q4_1.gguf: in PERCUSS_MODEL_DIR or its folder smollm2-135m, or
// where `percuss model pull` put it. Without one the test is skipped.
func SmolLM2(t testing.TB) string {
	t.Helper()
	const name = "SmolLM2-135M-Instruct.Q4_1.gguf"
	dirs := []string{filepath.Join(cacheDir(), "percuss", "models")}
	if dir := os.Getenv("PERCUSS_MODEL_DIR"); dir != "" {
		dirs = []string{dir}
	}
	for _, dir := range dirs {
		for _, path := range []string{filepath.Join(dir, name), filepath.Join(dir, "smollm2-135m", name)} {
			if _, err := os.Stat(path); err == nil {
				return path
			}
		}
	}
	t.Skip("needs " + name + ": set PERCUSS_MODEL_DIR to its folder, or run `percuss model pull smollm2-135m`")
	return ""
}

// Cache is the folder in which Percuss keeps what it can make again.
func Cache() string { return filepath.Join(cacheDir(), "percuss") }

// cacheDir is the user's cache; PERCUSS looks in the same place on every system that sets XDG_CACHE_HOME.
func cacheDir() string {
	if dir := os.Getenv("PERCUSS_CACHE"); dir != "" {
		return dir
	}
	if dir := os.Getenv("XDG_CACHE_HOME"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return filepath.Join(os.TempDir(), "no-cache")
	}
	return dir
}
