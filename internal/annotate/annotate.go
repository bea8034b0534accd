// Package annotate is the review app: raters judge the items of a package, a coordinator sees how far they are. It sees
// the package and the book of ratings and nothing else, so that no page of it can unblind.
package annotate
