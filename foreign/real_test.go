package foreign

import (
	"testing"
	"path/filepath"
)

func TestX(t *testing.T) {
	fs, _ := filepath.Glob("/work/shared/data/cot_outputs/*/*.json*")
	for _, f := range fs {
		l, err := Read(f, "")
		if err != nil { t.Error(f, err); continue }
		n, g, o := 0, 0, 0
		for _, e := range l.Entries { n += len(e.Replies); if e.Gold != "" { g++ }; if len(e.Options) > 1 {o++} }
		t.Log(l.File, "|", l.Format, len(l.Entries), n, g, o, len(l.Bad), l.Entries[0].Set, l.Entries[0].Replies[:min(1,len(l.Entries[0].Replies))][0:0])
		if len(l.Bad)>0 {t.Log(l.Bad[0])}
	}
}
