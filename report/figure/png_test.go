package figure

import (
	"bytes"
	"encoding/binary"
	"html/template"
	"image"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// pictureOf is a drawing as an image, and the same by a reader of PDF files; nil where there is none.
func pictureOf(t testing.TB, d Drawing, scale float64) (ours, theirs image.Image) {
	t.Helper()
	file, err := d.PNG(scale)
	if err != nil {
		t.Fatal(err)
	}
	if ours, err = png.Decode(bytes.NewReader(file)); err != nil {
		t.Fatalf("%s: %v", d.ID, err)
	}
	reader, err := exec.LookPath("pdftoppm")
	if err != nil {
		return ours, nil
	}
	page, err := d.PDF()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name+".pdf", page, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(reader, "-png", "-singlefile", "-r", "192", name+".pdf", name).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	drawn, err := os.Open(name + ".png")
	if err != nil {
		t.Fatal(err)
	}
	defer drawn.Close()
	if theirs, err = png.Decode(drawn); err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

// inkOf is the smallest box around what is not white.
func inkOf(m image.Image) image.Rectangle {
	var box image.Rectangle
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			if lightness(m, x, y) < 0.9 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

// lightness is that of a pixel, from 0 to 1.
func lightness(m image.Image, x, y int) float64 {
	r, g, b, _ := m.At(x, y).RGBA()
	return (float64(r) + float64(g) + float64(b)) / (3 * 0xffff)
}

// The image shows what the PDF shows, in the same places: its ink ends where that of the PDF ends, and squares of eight
// pixels are about as dark as a reader of PDF files makes them.
func TestPNGShowsWhatThePDFShows(t *testing.T) {
	for _, d := range everyKind(t) {
		ours, theirs := pictureOf(t, d, 2)
		if theirs == nil {
			t.Skip("no pdftoppm: on Debian poppler-utils brings it")
		}
		a, b := inkOf(ours), inkOf(theirs)
		for _, apart := range []int{a.Min.X - b.Min.X, a.Min.Y - b.Min.Y, a.Max.X - b.Max.X, a.Max.Y - b.Max.Y} {
			if apart < -2 || apart > 2 {
				t.Errorf("%s: ink in %v, that of the PDF in %v", d.ID, a, b)
				break
			}
		}
		const side = 8
		worst, at := 0.0, image.Point{}
		for y := 0; y+side <= a.Max.Y; y += side {
			for x := 0; x+side <= a.Max.X; x += side {
				sum := 0.0
				for i := range side * side {
					sum += lightness(ours, x+i%side, y+i/side) - lightness(theirs, x+i%side, y+i/side)
				}
				if apart := math.Abs(sum) / (side * side); apart > worst {
					worst, at = apart, image.Pt(x, y)
				}
			}
		}
		t.Logf("%s: squares differ by %.3f at most", d.ID, worst)
		if worst > 0.2 {
			t.Errorf("%s: at %v the lightness is %.2f from that of the PDF", d.ID, at, worst)
		}
	}
}

// The file is the same each time, has its size and its words in it, and every block of it is sound.
func TestPNGSaysWhatItShows(t *testing.T) {
	for _, d := range everyKind(t) {
		one, err := d.PNG(2)
		if err != nil {
			t.Fatal(err)
		}
		if two, err := d.PNG(2); err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: two images differ (%v)", d.ID, err)
		}
		blocks := map[string][]byte{}
		for rest := one[8:]; len(rest) >= 12; {
			n := binary.BigEndian.Uint32(rest)
			blocks[string(rest[4:8])] = append(blocks[string(rest[4:8])], rest[8:8+n]...)
			rest = rest[12+n:]
		}
		if got := binary.BigEndian.Uint32(blocks["pHYs"]); got != 7559 {
			t.Errorf("%s: %d pixels a metre, want 7559: 192 an inch", d.ID, got)
		}
		said := string(blocks["iTXt"])
		if !strings.Contains(said, d.Title) || d.alternative() == "" || !strings.Contains(said, d.alternative()) {
			t.Errorf("%s: says %q", d.ID, said)
		}
	}
}

// TestPNGOfNoDrawing: bad drawings and scales are errors; a huge drawing has fewer pixels, not all memory.
func TestPNGOfNoDrawing(t *testing.T) {
	for inner, scale := range map[string]float64{"": 1, `<svg viewBox="0 0 9 9"><path d="M0 0"/></svg>`: 1, `<svg viewBox="0 0 9 9"></svg>`: 0,
		`<svg viewBox="0 0 8 8"></svg>`: math.NaN(), `<svg viewBox="0 0 7 7"></svg>`: 9} {
		if out, err := (Drawing{ID: "x", inner: template.HTML(inner)}).PNG(scale); err == nil || !strings.Contains(err.Error(), "x") {
			t.Errorf("%q at %g: %d bytes, %v", inner, scale, len(out), err)
		}
	}
	huge := Drawing{ID: "x", inner: `<svg viewBox="0 0 900 90000"><rect class="frame" x="0" y="0" width="900" height="90000"/></svg>`}
	file, err := huge.PNG(8)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := png.DecodeConfig(bytes.NewReader(file)); err != nil || c.Width*c.Height > 1.01*mostPixels || c.Width*c.Height < 0.9*mostPixels {
		t.Errorf("%d × %d pixels, %v", c.Width, c.Height, err)
	}
}

func BenchmarkPNG(b *testing.B) {
	all := everyKind(b)
	for b.Loop() {
		for _, d := range all {
			if _, err := d.PNG(2); err != nil {
				b.Fatal(err)
			}
		}
	}
}
