package exchange

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss/review/ratings"
)

// account is what other programs write in the place of a user's name: a number, or a UUID.
var account = regexp.MustCompile(`^([0-9]+|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$`)

// Name gives raters of files the names that they have in the book: names holds those by what the files call them, whatever the capitals. A name that
// stands in no file, and one that no rater may have, are errors. Who is still called by the number of an account is told of in the notes.
func Name(reads []Read, names map[string]string) error {
	found := map[string]bool{}
	given := map[string]string{}
	for old, name := range names {
		if err := (ratings.Rater{ID: "r", Name: name, Added: time.Unix(0, 0)}).Check(); err != nil {
			return fmt.Errorf("%s=%s: %w", old, name, err)
		}
		given[strings.ToLower(old)] = name
	}
	there := map[string]bool{}
	for i := range reads {
		numbers := map[string]bool{}
		for j := range reads[i].Answers {
			a := &reads[i].Answers[j]
			there[a.Rater] = true
			old := strings.ToLower(a.Rater)
			if name, ok := given[old]; ok {
				found[old], a.Rater = true, name
			}
			if account.MatchString(a.Rater) {
				numbers[a.Rater] = true
			}
		}
		if some := slices.Sorted(maps.Keys(numbers)); len(some) > 0 {
			reads[i].Notes = append(reads[i].Notes, fmt.Sprintf("it names raters by their accounts (%.200s): --rater %s=NAME says who one is", strings.Join(some, ", "), some[0]))
		}
	}
	for _, old := range slices.Sorted(maps.Keys(names)) {
		if !found[strings.ToLower(old)] {
			return fmt.Errorf("no file has a rater %.80q: there are %.200q", old, strings.Join(slices.Sorted(maps.Keys(there)), ", "))
		}
	}
	return nil
}
