package battery

import (
	"fmt"
	"strings"
)

// checkNewer looks at the values of the edits beyond the paper's.
func (p parameters) checkNewer(edit string) error {
	for _, a := range p.Analytes {
		if err := a.check(); err != nil {
			return err
		}
	}
	for _, c := range p.Conversions {
		if err := c.check(); err != nil {
			return err
		}
	}
	for _, s := range p.Stages {
		if len(s.Words) == 0 || s.Least < 0 || s.Most < 0 || s.Least == 0 && s.Most == 0 {
			return fmt.Errorf("a stage needs words, and least or most in years")
		}
		if err := (lists{"words": s.Words}).check(edit, []string{"words"}); err != nil {
			return err
		}
	}
	if p.Joins != "" && p.Joins != "and" && p.Joins != "or" {
		return fmt.Errorf("joins is %q; write and or or", p.Joins)
	}
	if p.Find != "" {
		return checkPattern(p)
	}
	return nil
}

func (e entry) check() error {
	if strings.TrimSpace(e.To) == "" {
		return fmt.Errorf("find %q has no replacement; give one with to", e.Find)
	}
	if strings.EqualFold(e.Find, e.To) {
		return fmt.Errorf("%q is replaced by itself; give another word", e.Find)
	}
	return checkPhrase(e.Find)
}

// checkPhrase says whether a phrase can be found as whole words.
func checkPhrase(phrase string) error {
	p := newPattern(phrase)
	if len(p) == 0 || !wordRune(p[0]) || !wordRune(p[len(p)-1]) {
		return fmt.Errorf("%q must begin and end with a letter or digit: whole words are looked for", phrase)
	}
	return nil
}

func (r *registration) check() error {
	if r == nil {
		return nil
	}
	for _, token := range sortedKeys(r.Inflected) {
		if len(r.Patterns) > 0 && token != anyToken {
			return fmt.Errorf("inflected forms beside fixed patterns stand under %q, not %q", anyToken, token)
		}
		for _, phrase := range r.Inflected[token] {
			if err := checkPhrase(phrase); err != nil {
				return fmt.Errorf("inflected: %w", err)
			}
		}
	}
	for _, phrase := range r.Patterns {
		if err := checkPhrase(phrase); err != nil {
			return fmt.Errorf("patterns: %w", err)
		}
	}
	return nil
}
