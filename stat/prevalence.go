package stat

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// Where kappa is called misleading: two raters agree on at least so large a share of the items, and still kappa is no more
// than moderate in the words of Landis and Koch and this far below the kappa of raters with the same agreement and equal
// shares. The sources give examples and no limits; these are ours.
const (
	paradoxAgreement = 0.80
	paradoxKappa     = 0.60
	paradoxGap       = 0.20
)

// Prevalence is what Byrt, Bishop and Carlin (1993) tell beside a kappa, since it falls with the same agreement where one
// category is common (Feinstein and Cicchetti 1990). All are means over the pairs of raters whose kappa is defined, each on
// the items that both label. With two categories they are the published indices; with q more they are our extension.
type Prevalence struct {
	Agreement percuss.Number // share of items on which two raters agree
	Kappa     percuss.Number // Cohen's, without weights
	// PABAK is the prevalence- and bias-adjusted kappa: that of the same agreement where raters use all categories equally,
	// (q·Agreement − 1)/(q − 1); with two categories 2·Agreement − 1.
	PABAK percuss.Number
	// Index is the prevalence index, 0 (equal shares) to 1 (one category): |a − d|/n with the two agreeing cells a and d, which
	// is (q·s − 1)/(q − 1) with s the Share of the commonest category.
	Index    percuss.Number
	Bias     percuss.Number // bias index |b − c|/n: half the sum of differences between two raters' shares, 0 to 1
	Category string         // the commonest; empty: nothing is defined
	Share    percuss.Number // of all labels, that are of it
}

// PrevalenceOf measures what makes a kappa of these ratings misleading. All is missing where no pair of raters has a kappa.
func PrevalenceOf(r Ratings) Prevalence {
	t, why := tallied(r, Weights{})
	if why != "" {
		return Prevalence{}
	}
	c, _ := t.cohen()
	sums := c.sums()
	q, n := t.categories, 0.0
	var agreement, kappa, bias float64
	shares := make([]float64, q)
	for wide := 2 + 2*q; len(sums) > 0; sums = sums[wide:] {
		pair := sums[:wide]
		k := t.pairKappa(pair)
		if math.IsNaN(k) {
			continue
		}
		n++
		kappa += k
		agreement += 1 - pair[1]/pair[0]
		for i := range shares {
			first, second := pair[2+i]/pair[0], pair[2+q+i]/pair[0]
			shares[i] += (first + second) / 2
			bias += math.Abs(first-second) / 2
		}
	}
	if n == 0 {
		return Prevalence{}
	}
	most := 0
	for i, s := range shares {
		if s > shares[most] {
			most = i
		}
	}
	index := func(share float64) percuss.Number {
		return percuss.Num((float64(q)*share - 1) / float64(q-1))
	}
	return Prevalence{Agreement: percuss.Num(agreement / n), Kappa: percuss.Num(kappa / n), PABAK: index(agreement / n),
		Index: index(shares[most] / n), Bias: percuss.Num(bias / n), Category: r.Categories[most], Share: percuss.Num(shares[most] / n)}
}

// Warning says in words that prevalence makes kappa misleading, with the numbers; empty where it does not. It does where two
// raters agree on 80 % of the items or more, kappa is 0.60 at most, and the adjusted kappa is higher by 0.20 or more.
func (p Prevalence) Warning() string {
	kappa, ok := p.Kappa.Get()
	agreement, adjusted := p.Agreement.Or(0), p.PABAK.Or(0)
	if !ok || agreement < paradoxAgreement || kappa > paradoxKappa || adjusted-kappa < paradoxGap {
		return ""
	}
	return fmt.Sprintf("kappa %.2f is low beside an agreement of %.2f because %.0f %% of the labels are %q (prevalence index %.2f, bias index %.2f): with equal shares the same agreement would be a kappa of %.2f (PABAK); read them together",
		kappa, agreement, 100*p.Share.Or(0), p.Category, p.Index.Or(0), p.Bias.Or(0), adjusted)
}
