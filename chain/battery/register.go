package battery

import "strings"

// rule says when a chain registers an edit (chain paper, sections 4 and 6; the inflected list is ours).
type rule struct {
	published lexicon            // fixed patterns; empty: the edit's own new tokens
	inflected map[string]lexicon // by new token in small letters; under anyToken for fixed patterns
	fixed     bool
}

// anyToken is the key of the inflected forms where the published rule has fixed patterns.
const anyToken = "any"

func newRule(d *registration) *rule {
	if d == nil {
		return nil
	}
	r := &rule{published: newLexicon(d.Patterns, nil), fixed: len(d.Patterns) > 0, inflected: map[string]lexicon{}}
	for token, forms := range d.Inflected {
		r.inflected[strings.ToLower(token)] = newLexicon(forms, nil)
	}
	return r
}

// Registers applies the token rule: does the chain that followed the edit register it? token is the published rule,
// whole words without regard to case, where a hyphen is a border ("75-year-old" registers 75); inflected is the wider
// one that is reported beside it and holds whenever token does. The rule is defined for operators that are Registering
// (of the paper's M2, M4 and M5 only); ok is false elsewhere, and for an edit that carries no token.
func (o Operator) Registers(e Edit, chain string) (token, inflected, ok bool) {
	switch {
	case o.rule == nil:
		return false, false, false
	case o.rule.fixed:
		token = o.rule.published.any(chain)
		return token, token || o.rule.inflected[anyToken].any(chain), true
	case len(e.Tokens) == 0:
		return false, false, false
	}
	token = newLexicon(e.Tokens, nil).any(chain)
	inflected = token
	for _, t := range e.Tokens {
		inflected = inflected || o.rule.inflected[strings.ToLower(t)].any(chain)
	}
	return token, inflected, true
}

// Registering reports whether the token rule is defined for the operator: whether its trials belong to the joint table
// of chain update and flip.
func (o Operator) Registering() bool { return o.rule != nil }
