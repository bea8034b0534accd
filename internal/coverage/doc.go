// Package coverage asks whether the intervals of chain and step audits hold what they claim: many audits of reasoners whose true
// metrics are known, each on other questions. It holds tests only, and runs alone and without the race detector, for
// it takes a minute of every core.
package coverage
