package battery

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// scannedText draws texts of pieces that the scans of this package look for, of pieces that almost are such, and of
// whatever else.
func scannedText(t *rapid.T) string {
	pieces := []string{" ", "-", " and ", "and", "\n", ".", ",", "(", ":", "_", "/", "'", "2", "45", "45", "1987", "1987s", "3.5", "..", "year", "years", "-year-old", " year old ", " month-old ", " ",
		"OLD", "old", "aged ", "Age: ", "yo", "y/o", "45yo ", "y.o.", "2 m,", "the old", "F", "m", "month", "pack-years", "word", "A", "é", "É", "ſ", "\u212a", "İ", "’", "\u00a0", "\u2029", "中",
		"\xff", "\xe4\xb8", "\u0301", "fever", "salt", "\t"}
	least := rapid.SampledFrom([]int{0, 150}).Draw(t, "least")
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), least, 200).Draw(t, "pieces"), "")
	return text + rapid.StringN(0, 8, -1).Draw(t, "rest")
}

func TestLiteralsAreThoseOfThePattern(t *testing.T) {
	published := regexp.MustCompile(`\d+(?:\.\d+)?`)
	rapid.Check(t, func(t *rapid.T) {
		text := scannedText(t)
		var want []span
		for _, m := range published.FindAllStringIndex(text, -1) {
			want = append(want, span{Start: m[0], End: m[1]})
		}
		if diff := cmp.Diff(want, literals(text)); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", text, diff)
		}
	})
}

// Looking at some clauses only finds what looking at the whole text does.
func TestFormsMatchAsOnTheWholeText(t *testing.T) {
	forms := []form{ageOld, ageAged, ageShort, ageInWords, ageYear, ageVague, ageCode, duration}
	seen := make([]bool, len(forms))
	rapid.Check(t, func(t *rapid.T) {
		text := scannedText(t)
		for i, f := range forms {
			want := f.FindAllStringSubmatchIndex(text, -1)
			if diff := cmp.Diff(want, f.matches(text)); diff != "" {
				t.Fatalf("%s on %q (-want +got):\n%s", f, text, diff)
			}
			seen[i] = seen[i] || len(want) > 0
		}
	})
	if i := slices.Index(seen, false); i >= 0 && !t.Failed() {
		t.Errorf("no text had a match of %s", forms[i])
	}
}

// plainHits is what hits yields, found without tables and without skipping anything.
func plainHits(l lexicon, text string) iter.Seq[hit] {
	return func(yield func(hit) bool) {
		inWord := false
		for i, r := range text {
			begins := !inWord && plainWord(r)
			inWord = plainWord(r)
			for n := range l.patterns {
				end, ok := i, begins && len(l.patterns[n]) > 0
				for _, want := range l.patterns[n] {
					rest := text[end:]
					k := len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsSpace))
					if want != ' ' {
						k = strings.IndexFunc(rest+" ", func(r rune) bool { return fold(r) != want })
						k = min(k, nextRune(rest, 0))
					}
					end, ok = end+max(k, 0), ok && k > 0
				}
				if ok && (l.open != nil && l.open[n] || borderAt(text, end)) && !yield(hit{span{Start: i, End: end}, n}) {
					return
				}
			}
		}
	}
}

func plainWord(r rune) bool { return r == '_' || unicode.In(r, unicode.L, unicode.N, unicode.M) }

func TestLexiconFindsEveryOccurrence(t *testing.T) {
	words := newWords([]string{"fever", "salt and fever", "a", "m*", "é", "old", "year old", "k", "y/o", "中", "45", "the*", "aged a"})
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		text := scannedText(t)
		want, got := slices.Collect(plainHits(words, text)), slices.Collect(words.hits(text))
		found += len(want)
		if !slices.Equal(want, got) {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
		var longest hit
		for _, h := range want {
			if h.Start == 0 && h.End > longest.End {
				longest = h
			}
		}
		if h, ok := words.begins(text); h != longest || ok != (longest.End > 0) {
			t.Fatalf("%q begins with %v, want %v", text, h, longest)
		}
	})
	if found < 100 {
		t.Errorf("only %d occurrences in all", found)
	}
}

// A phrase that begins before the part that nextPair looks at reaches no "and".
func TestNoPairBeginsEarlier(t *testing.T) {
	pairs := 0
	rapid.Check(t, func(t *rapid.T) {
		text := scannedText(t)
		a, b, ok := nextPair(text, 0)
		for start := nextWord(text, 0); start < len(text); start = nextWord(text, wordEnd(text, start)) {
			if insideWord(text, start) || strings.HasPrefix(text[start:], "and") && borderAt(text, start+len("and")) {
				continue
			}
			if x, y, found := pairAt(text, start); found {
				if pairs++; !ok || x != a || y != b {
					t.Fatalf("%q: %v %v %t, want %v %v", text, a, b, ok, x, y)
				}
				return
			}
		}
		if ok {
			t.Fatalf("%q: %v %v, want no pair", text, a, b)
		}
	})
	if pairs < 10 {
		t.Errorf("only %d texts had a pair", pairs)
	}
}
