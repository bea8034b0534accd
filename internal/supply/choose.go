package supply

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// What an engine can compute on.
const (
	cpu   = "cpu"
	cuda  = "cuda"
	metal = "metal"
)

// Auto is the device that asks for what suits this machine: CUDA where driver
// and runtime are there, Metal on a Mac that has it, else the CPU. Vulkan is
// taken by name only: nothing tells from outside whether a graphics chip is
// faster than the CPU beside it.
const Auto = "auto"

// choose picks the row for this machine and a device.
func (c *Cache) choose(device string) (Engine, error) {
	rows := c.rows()
	if len(rows) == 0 {
		return Engine{}, c.noPlatform()
	}
	switch device {
	case "":
		if e, ok := c.chosen(); ok {
			return e, nil
		}
		return c.auto(rows), nil
	case Auto:
		return c.auto(rows), nil
	}
	rows = slices.DeleteFunc(rows, func(e Engine) bool { return e.Device != device })
	if len(rows) == 0 {
		return Engine{}, fmt.Errorf("%w device %q on %s/%s: there is %s, or %s for what suits the machine",
			ErrUnknown, device, c.on.goos, c.on.goarch, strings.Join(devices(c.rows()), ", "), Auto)
	}
	var lacks []string
	for _, e := range rows {
		missing := c.on.lacks(e.Needs)
		if len(missing) == 0 {
			if missing := c.on.lacks(e.Driver); len(missing) > 0 {
				c.say("note: this machine has no %s, which comes with the driver: where the engine runs it must be there", strings.Join(missing, ", "))
			}
			return e, nil
		}
		lacks = append(lacks, strings.Join(missing, " and "))
	}
	return Engine{}, fmt.Errorf("%w: --device %s needs %s, which this machine does not have: install them, or name their folder in %s, or take --device %s",
		ErrNoDevice, device, strings.Join(lacks, ", or else "), c.on.searched(), strings.Join(others(c.rows(), device), " or "))
}

// auto picks the row that suits the machine, and says why.
func (c *Cache) auto(rows []Engine) Engine {
	for _, device := range []string{cuda, metal} {
		for _, e := range rows {
			if e.Device == device && len(c.on.lacks(e.Needs)) == 0 && len(c.on.lacks(e.Driver)) == 0 {
				c.say("taking the build for %s, which this machine has", device)
				return e
			}
		}
	}
	for _, e := range rows {
		missing := c.on.lacks(e.Needs)
		switch {
		case e.Device == cuda && len(c.on.lacks(e.Driver)) == 0:
			c.say("this machine has CUDA's driver, but no %s: with CUDA's runtime installed, --device %s takes a build for it", strings.Join(missing, " and no "), cuda)
		case e.Device != cpu && e.Device != cuda && len(missing) == 0:
			c.say("--device %s takes a build for graphics chips; `percuss bench engine` tells which is faster", e.Device)
		}
	}
	return rows[max(0, slices.IndexFunc(rows, func(e Engine) bool { return e.Device == cpu }))]
}

// rows are those of this platform, in the order of the table.
func (c *Cache) rows() []Engine {
	var rows []Engine
	for _, e := range c.engines {
		if e.GOOS == c.on.goos && e.GOARCH == c.on.goarch {
			rows = append(rows, e)
		}
	}
	return rows
}

func (c *Cache) noPlatform() error {
	return fmt.Errorf("%w platform for a ready-made llama.cpp: %s/%s: build llama.cpp %s yourself as shared libraries and name their directory with --lib or PERCUSS_LIB",
		ErrUnknown, c.on.goos, c.on.goarch, c.engines[0].LlamaCPP)
}

// devices are those that the rows are for, each once.
func devices(rows []Engine) []string {
	var names []string
	for _, e := range rows {
		if !slices.Contains(names, e.Device) {
			names = append(names, e.Device)
		}
	}
	return names
}

// others are the devices but one.
func others(rows []Engine, device string) []string {
	return slices.DeleteFunc(devices(rows), func(d string) bool { return d == device })
}

func (c *Cache) chosenPath() string { return filepath.Join(c.root, "engine", "chosen") }

// use has FindEngine return the engine of the row from now on.
func (c *Cache) use(e Engine) error {
	if was, ok := c.chosen(); ok && was.Platform == e.Platform {
		return nil
	}
	aside, err := os.CreateTemp(filepath.Dir(c.chosenPath()), ".chosen-")
	if err != nil {
		return fmt.Errorf("noting which engine is used: %w", err)
	}
	_, err = aside.WriteString(e.Platform + "\n")
	if err = errors.Join(err, aside.Chmod(0o644), aside.Close()); err == nil {
		err = os.Rename(aside.Name(), c.chosenPath())
	}
	if err != nil {
		_ = os.Remove(aside.Name())
		return fmt.Errorf("noting which engine is used: %w", err)
	}
	return nil
}

// chosen is the row of this platform that was installed last, if any.
func (c *Cache) chosen() (Engine, bool) {
	name, err := os.ReadFile(c.chosenPath())
	if err != nil {
		return Engine{}, false
	}
	rows := c.rows()
	i := slices.IndexFunc(rows, func(e Engine) bool { return e.Platform == strings.TrimSpace(string(name)) })
	if i < 0 {
		return Engine{}, false
	}
	return rows[i], true
}

// current is the row whose engine is used: the one installed last, or, where an
// earlier version of percuss installed it, the first of the platform.
func (c *Cache) current() (Engine, error) {
	if e, ok := c.chosen(); ok {
		return e, nil
	}
	if rows := c.rows(); len(rows) > 0 {
		return rows[0], nil
	}
	return Engine{}, c.noPlatform()
}

// EngineDevice is the device that the engine in dir was installed for; empty
// where percuss did not install it.
func (c *Cache) EngineDevice(dir string) string {
	for _, e := range c.rows() {
		if c.engineDir(e) == filepath.Clean(dir) {
			return e.Device
		}
	}
	return ""
}
