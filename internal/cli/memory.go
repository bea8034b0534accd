package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/percuss/percuss/internal/supply"
	"github.com/percuss/percuss/model/llamacpp"
)

// bytesFlag is a number of bytes as a user writes it: 800MB, 6GB, 6GiB; 0 is none.
type bytesFlag int64

var byteUnits = []struct {
	name  string
	bytes float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}}

func (b *bytesFlag) Set(text string) error {
	number, unit := strings.TrimSpace(text), 1.0
	for _, u := range byteUnits {
		if cut, ok := strings.CutSuffix(strings.ToUpper(number), strings.ToUpper(u.name)); ok {
			number, unit = strings.TrimSpace(cut), u.bytes
			break
		}
	}
	v, err := finite(number)
	if err != nil || v < 0 || v*unit > math.MaxInt64/2 {
		return fmt.Errorf("%q is no amount of memory: write it as 800MB or 6GB", text)
	}
	*b = bytesFlag(v * unit)
	return nil
}

func (b *bytesFlag) String() string {
	if *b == 0 {
		return ""
	}
	return byteWords(int64(*b))
}

func (b *bytesFlag) Type() string { return "BYTES" }

// byteWords is a number of bytes in words, in decimal units.
func byteWords(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.0f kB", math.Ceil(float64(n)/1e3))
}

// memoryOf is how much memory a model on these devices may take, in bytes; 0 where nothing tells. With accelerators it
// is theirs, for everything that is large lies there; else that of the machine.
func memoryOf(devices []llamacpp.Device, root fs.FS) int64 {
	var theirs, machine uint64
	for _, d := range devices {
		if d.Accelerator {
			theirs += d.Free
		} else {
			machine = max(machine, d.Free)
		}
	}
	if theirs > 0 {
		return int64(min(theirs, math.MaxInt64))
	}
	if free := freeMemory(root); free > 0 {
		return free
	}
	return int64(min(machine, math.MaxInt64))
}

// systemFiles are what freeMemory reads; elsewhere than on Linux there is nothing there.
func systemFiles() fs.FS {
	if runtime.GOOS != "linux" {
		return os.DirFS(os.DevNull)
	}
	return os.DirFS("/")
}

// freeMemory is what Linux says a program can still take without swapping, within the limit of the container that it
// runs in; 0 where neither is known.
func freeMemory(root fs.FS) int64 {
	free := int64(0)
	if kb, ok := fieldOf(root, "proc/meminfo", "MemAvailable:"); ok {
		free = kb << 10
	}
	for _, group := range []struct{ limit, used, stat, idle string }{
		{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory.current", "sys/fs/cgroup/memory.stat", "inactive_file"},
		{"sys/fs/cgroup/memory/memory.limit_in_bytes", "sys/fs/cgroup/memory/memory.usage_in_bytes", "sys/fs/cgroup/memory/memory.stat", "total_inactive_file"},
	} {
		limit, limited := fieldOf(root, group.limit, "")
		used, known := fieldOf(root, group.used, "")
		if !limited || !known {
			continue // "max", or no such control group
		}
		idle, _ := fieldOf(root, group.stat, group.idle) // files that are in memory only because it was free
		if left := max(limit-used+idle, 1); free == 0 || left < free {
			free = left
		}
	}
	return free
}

// fieldOf reads the number behind a name at the start of a line, or the only number of a file.
func fieldOf(root fs.FS, file, name string) (int64, bool) {
	raw, err := fs.ReadFile(root, file)
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(raw) {
		fields := strings.Fields(string(line))
		if name != "" && (len(fields) == 0 || fields[0] != name) {
			continue
		}
		if name != "" {
			fields = fields[1:]
		}
		if len(fields) == 0 {
			return 0, false
		}
		n, err := strconv.ParseInt(fields[0], 10, 64)
		return n, err == nil && n >= 0
	}
	return 0, false
}

// allot says what a model of the embedded engine will take, and returns the most that it may: what --memory says, else
// what is free. It refuses a model that does not fit, and a build for a device that is not there.
func (a *app) allot(cache *supply.Cache, lib, path, name string, on machine) (int64, error) {
	devices, err := llamacpp.Devices(lib)
	if err != nil {
		return 0, err
	}
	if err := deviceThere(cache.EngineDevice(lib), devices); err != nil {
		return 0, err
	}
	most, whose := int64(on.memory), "allowed"
	if most == 0 {
		most, whose = memoryOf(devices, systemFiles()), "free"
	}
	whole, err := llamacpp.PlanMemory(path, 0)
	if err != nil {
		return 0, err
	}
	plan, err := llamacpp.PlanMemory(path, most)
	if err != nil {
		return 0, fmt.Errorf("%w; or say with --memory how much it may have, where more is free than percuss sees", err)
	}
	line := fmt.Sprintf("llama:%s: %s", name, planWords(plan))
	if most > 0 {
		line += fmt.Sprintf(", of %s %s", byteWords(most), whose)
	}
	if plan.Trees < whole.Trees {
		line += fmt.Sprintf("; trees of prompts get %s of their %s, which is slower and changes no answer", byteWords(plan.Trees), byteWords(whole.Trees))
	}
	told(a.err, "  ", "%s", line)
	return most, nil
}

// planWords says what a model takes.
func planWords(m llamacpp.Memory) string {
	return fmt.Sprintf("weights %s + cache up to %s", byteWords(m.Weights), byteWords(m.Texts+m.Trees))
}

// deviceThere refuses a build for a device that the library does not find: it would compute on the CPU, many times
// slower, and say nothing.
func deviceThere(device string, devices []llamacpp.Device) error {
	if device == "" || device == "cpu" || accelerated(devices) {
		return nil
	}
	return errors.New("the engine is the build for " + device + ", but finds no such device: is its driver installed, and may this user use it? `percuss engine install --device cpu` takes the build for the CPU")
}
