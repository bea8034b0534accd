package lattice

// Zeta replaces each v[S] by Σ_{T⊆S} v[T], in place: interactions become values. It takes n·2^(n−1) additions and
// allocates nothing. A NaN spreads to exactly the sets that contain its own. An error, with v untouched, says that the
// length of v is not 2^n with n from 0 to MaxUnits.
func Zeta(v []float64) error {
	n, err := unitsOf("values", len(v))
	if err != nil {
		return err
	}
	zeta(v, n)
	return nil
}

func zeta(v []float64, n int) {
	first := 0
	if n >= 2 { // the first two units at once, because their runs are too short for a loop each
		first = 2
		for q := v; len(q) >= 4; q = q[4:] {
			a, b, c, d := q[0], q[1], q[2], q[3]
			q[1], q[2], q[3] = b+a, c+a, (d+c)+(b+a)
		}
	}
	for unit := first; unit < n; unit++ {
		run := 1 << unit
		for w := v; len(w) > 0; w = w[2*run:] {
			without, with := w[:run], w[run:2*run]
			for i, x := range without {
				with[i] += x
			}
		}
	}
}

// Moebius replaces each v[S] by Σ_{T⊆S} (−1)^{|S|−|T|} v[T], in place: values become interactions. It undoes Zeta, at the
// same cost and with the same errors, and spreads a NaN in the same way.
func Moebius(v []float64) error {
	n, err := unitsOf("values", len(v))
	if err != nil {
		return err
	}
	moebius(v, n)
	return nil
}

func moebius(v []float64, n int) {
	first := 0
	if n >= 2 {
		first = 2
		for q := v; len(q) >= 4; q = q[4:] {
			a, b, c, d := q[0], q[1], q[2], q[3]
			q[1], q[2], q[3] = b-a, c-a, (d-c)-(b-a)
		}
	}
	for unit := first; unit < n; unit++ {
		run := 1 << unit
		for w := v; len(w) > 0; w = w[2*run:] {
			without, with := w[:run], w[run:2*run]
			for i, x := range without {
				with[i] -= x
			}
		}
	}
}
