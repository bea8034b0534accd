// Package realmodel audits the real embedded model through the commands. It holds tests only, and runs alone: a busy
// neighbour makes a model many times slower.
package realmodel
