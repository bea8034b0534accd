package lattice_test

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// Fever (unit 0) and neck stiffness (unit 1) move a model's margin for meningitis by half a nat each, and by three when
// it sees both.
func Example() {
	margins := make([]percuss.Number, 4)
	for set, nats := range []float64{-1, -0.5, -0.5, 2} {
		margins[set] = percuss.Num(nats)
	}
	game, err := lattice.FromValues(margins, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("fever alone", game.Interaction(0b01).Format(1))
	fmt.Println("both together", game.Interaction(0b11).Format(1))
	fmt.Println("Shapley value of fever", game.Shapley()[0].Format(2))
	fmt.Println("share of strength at order 2", lattice.Shares(game.ByOrder(0))[1].Format(3))
	// Output:
	// fever alone 0.5
	// both together 2.0
	// Shapley value of fever 1.50
	// share of strength at order 2 0.667
}
