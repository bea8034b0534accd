// Package percuss is the vocabulary of Percuss: the nouns that two or more packages share.
//
// Percuss audits whether a medical language model uses the evidence it is given. An [Audit] is a handful of
// pure functions over what has been answered so far. A [Request] describes one call completely; its [Key] is a
// hash of that description; a store maps keys to [Answer] values. Edits, flips and interactions are never
// stored: they are recomputed. Resuming a run is asking again what is missing.
//
// The package imports nothing but the standard library and does no input or output.
package percuss
