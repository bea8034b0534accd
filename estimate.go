package percuss

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Number is a measurement that may be missing. The zero value is missing; it is never NaN or infinite.
// In JSON a missing number is null.
type Number struct {
	v  float64
	ok bool
}

// Num returns a number, missing when v is NaN or infinite.
func Num(v float64) Number {
	if !finite(v) {
		return Number{}
	}
	return Number{v, true}
}

// Get returns the value and whether there is one.
func (n Number) Get() (float64, bool) { return n.v, n.ok }

// OK reports whether there is a value.
func (n Number) OK() bool { return n.ok }

// Or returns the value, or other when it is missing.
func (n Number) Or(other float64) float64 {
	if n.ok {
		return n.v
	}
	return other
}

// Grouped prints a count with a comma between thousands, as a sentence has it; tables and files have it without.
func Grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Format prints the value with the given number of decimals, or an en dash.
func (n Number) Format(decimals int) string {
	if !n.ok {
		return "–"
	}
	s := strconv.FormatFloat(n.v, 'f', decimals, 64)
	if zero, err := strconv.ParseFloat(s, 64); err == nil && zero == 0 && s[0] == '-' {
		return s[1:]
	}
	return s
}

// MarshalJSON writes the shortest exact decimal, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.ok {
		return []byte("null"), nil
	}
	return json.Marshal(n.v)
}

// UnmarshalJSON reads a number or null.
func (n *Number) UnmarshalJSON(b []byte) error {
	var p *float64
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	*n = Number{}
	if p != nil {
		*n = Num(*p)
	}
	return nil
}

// MarshalBinary writes the value's eight bytes, or none when it is missing.
func (n Number) MarshalBinary() ([]byte, error) {
	if !n.ok {
		return nil, nil
	}
	return binary.BigEndian.AppendUint64(nil, math.Float64bits(n.v)), nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (n *Number) UnmarshalBinary(b []byte) error {
	*n = Number{}
	switch len(b) {
	case 0:
	case 8:
		*n = Num(math.Float64frombits(binary.BigEndian.Uint64(b)))
	default:
		return fmt.Errorf("a number of %d bytes: it has 8, or none", len(b))
	}
	return nil
}

// Estimate is a measured quantity with what it takes to judge it.
type Estimate struct {
	Value    Number   `json:"value"`
	Lo       Number   `json:"lo"`
	Hi       Number   `json:"hi"`
	Level    float64  `json:"level,omitempty"` // of the interval, e.g. 0.95
	Num      Number   `json:"num"`             // numerator, for rates (fractional for weighted ones)
	Den      Number   `json:"den"`             // denominator, for rates
	N        int      `json:"n"`               // number of independent units (items)
	Method   string   `json:"method,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Why      string   `json:"why,omitempty"` // why the value is missing
}

// Absent is an estimate without a value, and why.
func Absent(why string) Estimate { return Estimate{Why: why} }
