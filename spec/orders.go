package spec

import (
	"fmt"
	"strconv"
)

// Orders is a highest order of interactions as a user writes it: a number, or "all", which is 0. It is a pflag.Value.
type Orders int

// String is the order as it is written.
func (o *Orders) String() string {
	if *o == 0 {
		return "all"
	}
	return strconv.Itoa(int(*o))
}

// Set reads an order.
func (o *Orders) Set(s string) error {
	if s == "all" {
		*o = 0
		return nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no order: a number from 1, or all", s)
	}
	*o = Orders(n)
	return nil
}

// Type names the kind of value in the help.
func (*Orders) Type() string { return "1|2|3|...|all" }

// UnmarshalYAML reads an order from a file.
func (o *Orders) UnmarshalYAML(unmarshal func(any) error) error {
	var s string
	if err := unmarshal(&s); err != nil {
		return err
	}
	return o.Set(s)
}
