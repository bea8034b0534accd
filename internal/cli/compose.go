package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// buildAudit makes the audit of a specification, and its fingerprints. items are what was drawn.
// kept is the folder of a run, which holds copies of the files that it was begun with; empty: the files themselves are
// read.
func buildAudit(s spec.Specification, items run.Items, can map[string]percuss.Capabilities, kept string, with reading) (percuss.Audit, map[string]string, error) {
	if err := errors.Join(with.settings.check(s.Chain != nil), with.unused(s)); err != nil {
		return nil, nil, err
	}
	switch {
	case s.Chain == nil && len(with.human) > 0:
		return nil, nil, usage(errors.New("--human: only chain and step audits have trials or steps to label; judgements of interactions are given with --judgements"))
	case s.Steps == nil && len(with.quality) > 0:
		return nil, nil, usage(errNoSteps)
	case s.Steps != nil:
		return buildSteps(s, can, kept, with)
	case s.Evidence != nil:
		return buildEvidence(s, items, can, kept, with)
	case s.Chain != nil:
		return buildChain(s, items, can, kept, with)
	}
	return nil, nil, usage(errors.New("the specification names no audit"))
}

// fromFile loads what a file holds, or a run's copy of it; where none is given, what is built in.
func fromFile[T any](kept, name, given string, builtIn func() T, load func(io.Reader, string) (T, error)) (out T, err error) {
	if given == "" {
		if builtIn != nil {
			out = builtIn()
		}
		return out, nil
	}
	f, err := os.Open(copyOf(kept, name, given))
	if errors.Is(err, fs.ErrNotExist) {
		return out, usage(fmt.Errorf("%w: name a file that is there, or leave it out for what is built in", err))
	} else if err != nil {
		return out, usage(err)
	}
	defer f.Close()
	out, err = load(f, filepath.Base(given))
	return out, usage(err)
}

// loadLabels loads the rules of an audit: those of tried, where a file is named, to be tried on a run's answers; the run's
// copy, which it keeps of the built-in table too; else those of the given file, or the built-in ones.
func loadLabels(kept, given, tried string) (evidence.Labels, error) {
	switch {
	case tried != "":
		kept, given = "", tried
	case given == "" && kept != "":
		given = copyOf(kept, labelCopy, "")
	}
	return fromFile(kept, labelCopy, given, evidence.DefaultLabels, evidence.LoadLabels)
}

// ownLabels makes an audit be read with a run's copy of the built-in rules, those of the version that began it. A run that
// names a file of rules, or is not begun, has none.
func ownLabels(s spec.Specification, dir string) (with reading) {
	if at := filepath.Join(dir, labelCopy); dir != "" && s.Evidence != nil && s.Evidence.LabelFile == "" && fileExists(filepath.Join(dir, run.ManifestFile)) && fileExists(at) {
		with.labels = at
	}
	return with
}

// The copies of a run's files, so that it can be read when the files are gone or have changed.
const (
	promptCopy      = "prompts.yaml"
	batteryCopy     = "operators.yaml"
	rubricCopy      = "rubric.yaml"
	labelCopy       = "labels.yaml"
	appropriateCopy = "appropriate" // with the ending of the file
)

// givenFiles are the files that a specification names, by the name of their copy in a run's folder.
func givenFiles(s spec.Specification) map[string]string {
	out := map[string]string{}
	if c := s.Chain; c != nil {
		out[promptCopy], out[batteryCopy], out[rubricCopy] = c.PromptFile, c.BatteryFile, c.RubricFile
	}
	if st := s.Steps; st != nil {
		out[promptCopy], out[stepRubricCopy], out[styleCopy] = st.PromptFile, st.RubricFile, st.StyleFile
	}
	if e := s.Evidence; e != nil {
		out[promptCopy], out[labelCopy] = e.PromptFile, e.LabelFile
		out[appropriateCopy+filepath.Ext(e.AppropriateFile)] = e.AppropriateFile
	}
	maps.DeleteFunc(out, func(_, given string) bool { return given == "" })
	return out
}

// copyOf is the run's copy of a file, or the file itself where there is none.
func copyOf(kept, name, given string) string {
	if kept != "" {
		if at := filepath.Join(kept, name); fileExists(at) {
			return at
		}
	}
	return given
}

func fileExists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// keepFiles copies the files that a run is begun with into its folder, and the built-in rules where it names none: those
// of a later version would give its interactions other names. begun: the copy that is there is the run's.
func keepFiles(dir string, s spec.Specification, begun bool) error {
	if at := filepath.Join(dir, labelCopy); s.Evidence != nil && s.Evidence.LabelFile == "" && !(begun && fileExists(at)) {
		if err := run.WriteFile(at, func(w io.Writer) error { _, err := w.Write(evidence.BuiltInLabels()); return err }); err != nil {
			return err
		}
	}
	for name, given := range givenFiles(s) {
		if gone(given) {
			continue
		}
		raw, err := os.ReadFile(given)
		if err != nil {
			return err
		}
		if err := run.WriteFile(filepath.Join(dir, name), func(w io.Writer) error { _, err := w.Write(raw); return err }); err != nil {
			return err
		}
	}
	return nil
}

// versions of what makes a run.
func versions() map[string]string {
	return map[string]string{"percuss": Version, "go": runtime.Version()}
}
