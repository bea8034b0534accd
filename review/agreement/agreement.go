// Package agreement makes tables of what raters said: shares, agreement beyond chance, unanimous counts, adjudicated
// outcomes. It knows the package and the ratings; what an item is, where that is unsealed, it is told as strata.
package agreement
