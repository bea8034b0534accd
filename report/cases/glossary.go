package cases

import "slices"

// Glossary is every word that a report of the evidence audit defines, in the order of its page, with the shipped rules that
// name combinations.
func Glossary() []Definition { return slices.Concat(terms(), words(), rules()) }
