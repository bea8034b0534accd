// Package exchange writes what raters are asked and what they answered in the formats of other programs, and reads their
// answers from them: sheets (CSV, JSON lines, Parquet), Label Studio and Argilla.
package exchange
