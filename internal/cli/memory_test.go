package cli

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/percuss/percuss/model/llamacpp"
	"github.com/percuss/percuss/model/modeltest"
)

func TestBytesFlag(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "800MB": 800e6, "6GB": 6e9, "6 gb": 6e9, "1.5GiB": 3 << 29, "2KiB": 2048, "4096": 4096, "12B": 12, "1tb": 1e12,
		"": -1, "much": -1, "-1GB": -1, "GB": -1, "NaN": -1, "1e30GB": -1, "6GBs": -1, "infB": -1,
	} {
		var b bytesFlag
		if err := b.Set(text); (err != nil) != (want < 0) || err == nil && int64(b) != want {
			t.Errorf("%q is %d, %v; want %d", text, b, err, want)
		}
	}
	for n, want := range map[int64]string{0: "0 kB", 1: "1 kB", 2e6: "2 MB", 188743680: "189 MB", 23.4e9: "23.4 GB"} {
		if got := byteWords(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}

func files(texts map[string]string) fstest.MapFS {
	root := fstest.MapFS{}
	for name, text := range texts {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return root
}

func TestFreeMemory(t *testing.T) {
	const meminfo = "MemTotal:       24684096 kB\nMemFree:        14228356 kB\nMemAvailable:   20000000 kB\n"
	const v1 = "sys/fs/cgroup/memory/memory."
	for name, tc := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"not Linux":          {nil, 0},
		"the machine":        {map[string]string{"proc/meminfo": meminfo}, 20000000 << 10},
		"nonsense":           {map[string]string{"proc/meminfo": "MemAvailable: lots\nMemAvailable:\n"}, 0},
		"container":          {map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "4000000000\n", "sys/fs/cgroup/memory.current": "1500000000\n", "sys/fs/cgroup/memory.stat": "anon 5\ninactive_file 500000000\n"}, 3000000000},
		"without limit":      {map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "max\n", "sys/fs/cgroup/memory.current": "1\n"}, 20000000 << 10},
		"old container":      {map[string]string{"proc/meminfo": meminfo, v1 + "limit_in_bytes": "4000000000\n", v1 + "usage_in_bytes": "1000000000\n", v1 + "stat": "total_inactive_file 0\n"}, 3000000000},
		"old, without limit": {map[string]string{"proc/meminfo": meminfo, v1 + "limit_in_bytes": "9223372036854771712\n", v1 + "usage_in_bytes": "9082961920\n"}, 20000000 << 10},
		"over its limit":     {map[string]string{"proc/meminfo": meminfo, "sys/fs/cgroup/memory.max": "10\n", "sys/fs/cgroup/memory.current": "11\n"}, 1},
	} {
		if got := freeMemory(files(tc.files)); got != tc.want {
			t.Errorf("%s: %d bytes free, want %d", name, got, tc.want)
		}
	}
}

func TestMemoryOfDevices(t *testing.T) {
	cpu := llamacpp.Device{Name: "CPU", Free: 16e9}
	gpu := llamacpp.Device{Name: "CUDA0", Accelerator: true, Free: 8e9}
	linux := files(map[string]string{"proc/meminfo": "MemAvailable: 1000000 kB\n"})
	for name, tc := range map[string]struct {
		devices []llamacpp.Device
		root    fstest.MapFS
		want    int64
	}{
		"a graphics card":  {[]llamacpp.Device{gpu, cpu}, linux, 8e9},
		"two of them":      {[]llamacpp.Device{gpu, gpu, cpu}, linux, 16e9},
		"Linux":            {[]llamacpp.Device{cpu}, linux, 1000000 << 10},
		"another system":   {[]llamacpp.Device{cpu}, files(nil), 16e9},
		"nothing is known": {nil, files(nil), 0},
	} {
		if got := memoryOf(tc.devices, tc.root); got != tc.want {
			t.Errorf("%s: %d bytes, want %d", name, got, tc.want)
		}
	}
	for _, tc := range []struct {
		device string
		has    []llamacpp.Device
		there  bool
	}{{"", nil, true}, {"cpu", []llamacpp.Device{cpu}, true}, {"cuda", []llamacpp.Device{gpu, cpu}, true}, {"cuda", []llamacpp.Device{cpu}, false}} {
		err := deviceThere(tc.device, tc.has)
		if (err == nil) != tc.there || err != nil && !strings.Contains(err.Error(), "--device cpu") {
			t.Errorf("%q on %v: %v", tc.device, tc.has, err)
		}
	}
}

// TestMemoryIsSaid: a plan says what a model takes, and a run what it takes of how much; too little is refused.
func TestMemoryIsSaid(t *testing.T) {
	path := tinyFile(t)
	plan, err := llamacpp.PlanMemory(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	status, out, errs := command(t, "plan", "chain", "-m", "llama:"+path, "-d", "demo", "-n", "1")
	if status != exitDone || !strings.Contains(out, planWords(plan)) {
		t.Errorf("plan: status %d, %s%s; want %q", status, out, errs, planWords(plan))
	}
	lib := modeltest.EngineLib(t)
	for memory, want := range map[string]struct {
		status int
		says   string
	}{
		"1KB": {exitUsage, "--memory"},
		"1GB": {exitDone, planWords(plan) + ", of 1.0 GB allowed"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		status, _, errs := command(t, "evidence", "-m", "llama:"+path, "--lib", lib, "--threads", "1", "--memory", memory,
			"-d", "demo", "-n", "1", "--units", "2", "--neutralize", "0", "--selectors", "0", "--stability", "0", "--floor", "0", "--counterfactuals", "0", "-o", dir)
		if status != want.status || !strings.Contains(unfolded(errs), want.says) {
			t.Errorf("--memory %s: status %d, want %d and %q: %s", memory, status, want.status, want.says, errs)
		}
	}
}
