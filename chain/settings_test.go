package chain

import (
	"strings"
	"testing"
)

// TestSettings: a report keeps what was in force, and says what of it is not the default.
func TestSettings(t *testing.T) {
	records := worked("s", paperBattery())
	text := func(f Findings) string {
		for _, d := range f.Decisions {
			if d.ID == "settings" {
				return d.Text
			}
		}
		return ""
	}
	usual := summarised(t, Options{}, records...)
	if want := (Settings{CHS: [3]float64{1, 0.3, 0.5}, MFC: [3]float64{0.5, 0.3, 0.2}, Modes: Thresholds{40, 320, 0.9, 0.6, 0.5}, Margin: 0.05}); usual.Settings != want || DefaultSettings() != want {
		t.Errorf("%+v, want %+v", usual.Settings, want)
	}
	if got := text(usual); got != "" {
		t.Errorf("the defaults are explained: %q", got)
	}
	given := Options{CHS: [3]float64{2, 0, 1}, Modes: Thresholds{Inert: 0.7}, Margin: 0.1}
	f := summarised(t, given, records...)
	if f.Settings.Modes != (Thresholds{40, 320, 0.9, 0.7, 0.5}) || f.Settings.CHS != given.CHS || f.Settings.Margin != 0.1 {
		t.Errorf("%+v", f.Settings)
	}
	got := text(f)
	for _, want := range []string{"inert=0.7,coupled=0.5 in place of words=40,verbose=320,ecr=0.9,inert=0.6,coupled=0.5", "0.1 in place of 0.05", "2,0,1 in place of 1,0.3,0.5"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	if strings.Contains(got, "MFC") {
		t.Errorf("MFC has its default weights: %q", got)
	}
}

// TestSettingsMoveWhatTheySay: each setting changes its own figures.
func TestSettingsMoveWhatTheySay(t *testing.T) {
	records := worked("s", paperBattery())
	usual := summarised(t, Options{}, records...)
	at := func(f Findings, id string) float64 { return value(t, f.Cells[0], id, "").Value.Or(-1) }
	double := summarised(t, Options{CHS: [3]float64{2, 0.6, 1}}, records...)
	if a, b := at(usual, "chs"), at(double, "chs"); a <= 0 || b != 2*a {
		t.Errorf("CHS %g, under doubled weights %g", a, b)
	}
	if at(usual, "dfg") != at(double, "dfg") || at(usual, "ecr") != at(double, "ecr") {
		t.Error("weights of CHS moved another metric")
	}
	alone := summarised(t, Options{MFC: [3]float64{0, 0, 3}}, records...)
	near(t, "MFC of DFG alone", value(t, alone.Cells[0], "mfc", "").Value, 1-at(usual, "dfg"))
	long := reasoner{n: 10, change: func(r *Record, _ int) { r.Base.Words = 100 }}.records()
	for limit, want := range map[float64]bool{50: false, 150: true} {
		if got := summarised(t, Options{Modes: Thresholds{Words: limit}}, long...).Modes[0].Mode; (got == modeCompression) != want {
			t.Errorf("chains of 100 words, short below %g: mode %q", limit, got)
		}
	}
}
