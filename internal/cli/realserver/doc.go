// Package realserver audits models behind llama.cpp's own HTTP server through the commands, beside the same weights in
// the embedded engine. It holds tests only, and runs alone: a busy neighbour makes a model many times slower.
package realserver
