package report

import (
	"fmt"
	"strings"
	"unicode"
)

// texLetters are the letters beyond ASCII that LaTeX sets in any font encoding, under inputenc's utf8.
const texLetters = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿĆćČčĎďĚěĞğĹĺĽľŁłŃńŇňŐőŒœŔŕŘřŚśŞşŠšŤťŢţŮůŰűŹźŻżŽžŸ"

// texSigns are characters that LaTeX takes for commands, or has under another name.
var texSigns = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`,
	'~': `\textasciitilde{}`, '^': `\textasciicircum{}`, '<': `$<$`, '>': `$>$`, '|': `$|$`, '"': `''`, '-': `{-}`,
	'\u00a0': " ", '\u202f': " ", '\u2009': " ",
	'–': "--", '—': "---", '‐': `{-}`, '‑': `{-}`, '…': `\ldots{}`, '‘': "`", '’': "'", '“': "``", '”': "''", '„': "``", '«': "``", '»': "''",
	'−': `$-$`, '±': `$\pm$`, '×': `$\times$`, '÷': `$\div$`, '·': `$\cdot$`, '•': `$\bullet$`, '°': `$^\circ$`, '²': `$^2$`, '³': `$^3$`, '¹': `$^1$`,
	'≤': `$\le$`, '≥': `$\ge$`, '≠': `$\ne$`, '≈': `$\approx$`, '∞': `$\infty$`, '→': `$\to$`, '←': `$\leftarrow$`, '↔': `$\leftrightarrow$`, '√': `$\surd$`,
	'α': `$\alpha$`, 'β': `$\beta$`, 'γ': `$\gamma$`, 'δ': `$\delta$`, 'ε': `$\varepsilon$`, 'θ': `$\theta$`, 'κ': `$\kappa$`, 'λ': `$\lambda$`,
	'μ': `$\mu$`, 'µ': `$\mu$`, 'π': `$\pi$`, 'ρ': `$\rho$`, 'σ': `$\sigma$`, 'τ': `$\tau$`, 'φ': `$\varphi$`, 'χ': `$\chi$`, 'ω': `$\omega$`,
	'Γ': `$\Gamma$`, 'Δ': `$\Delta$`, 'Σ': `$\Sigma$`, 'Ω': `$\Omega$`, '§': `\S{}`, '©': `\copyright{}`, '†': `\dag{}`, '‡': `\ddag{}`,
}

// tex makes a text one that pdflatex sets as it stands: nothing in it is a command, and a character that the standard
// fonts lack is named by its number.
func tex(s string) string {
	var b strings.Builder
	for _, r := range clean(s) {
		sign, known := texSigns[r]
		switch {
		case known:
			b.WriteString(sign)
		case r < 128 || strings.ContainsRune(texLetters, r):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r) || unicode.IsSpace(r):
			b.WriteByte(' ')
		default:
			fmt.Fprintf(&b, `\texttt{U+%04X}`, r)
		}
	}
	return b.String()
}
