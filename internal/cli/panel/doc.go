// Package panel runs a whole panel of reasoners of known behaviour through the commands and reads its report in every
// format. It holds tests only, and runs alone and without the race detector, for it takes every core for a while.
package panel
