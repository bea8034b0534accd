package figure

import (
	"bytes"
	"encoding/binary"
	"html/template"
	"image"
	imagedraw "image/draw"
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

// grey is an image's lightness, from 0 to 255 a pixel.
func grey(m image.Image) *image.Gray {
	out := image.NewGray(m.Bounds())
	imagedraw.Draw(out, out.Rect, m, m.Bounds().Min, imagedraw.Src)
	return out
}

// inkOf is the smallest box around what is not white.
func inkOf(m *image.Gray) image.Rectangle {
	var box image.Rectangle
	for i, v := range m.Pix {
		if x, y := i%m.Stride, i/m.Stride; v < 230 && !image.Pt(x, y).In(box) {
			box = box.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return box
}

// The image shows what the PDF shows, in the same places: its ink ends where that of the PDF ends, and squares of eight
// pixels are about as dark as a reader of PDF files makes them.
func TestPNGShowsWhatThePDFShows(t *testing.T) {
	for _, d := range everyKind(t) {
		ours, theirs := pictureOf(t, d, 2)
		if theirs == nil {
			t.Skip("no pdftoppm: on Debian poppler-utils brings it")
		}
		one, two := grey(ours), grey(theirs)
		a, b := inkOf(one), inkOf(two)
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
				sum := 0
				for i := range side * side {
					sum += int(one.GrayAt(x+i%side, y+i/side).Y) - int(two.GrayAt(x+i%side, y+i/side).Y)
				}
				if apart := math.Abs(float64(sum)) / (side * side * 255); apart > worst {
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
	huge := &pixels{scale: 8}
	if err := huge.begin(sheet{width: 900, height: 90000}); err != nil {
		t.Fatal(err)
	}
	if size := huge.image.Rect.Size(); size.X*size.Y > 1.01*mostPixels || size.X*size.Y < 0.9*mostPixels {
		t.Errorf("%d × %d pixels", size.X, size.Y)
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
