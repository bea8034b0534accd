package explore

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/percuss/percuss/report/versus"
)

func (*fakeRun) Versions(context.Context) (map[string]string, error) { return nil, nil }
func (*caseRun) Versions(context.Context) (map[string]string, error) { return nil, nil }

// versioned is a run whose edits have a version.
type versioned struct {
	*fakeRun
	is  string
	err error
}

func (v versioned) Versions(context.Context) (map[string]string, error) {
	return map[string]string{"M2-" + hostile: v.is}, v.err
}

// An edit of another version in each run is named and compared in no item; versions that cannot be read end the comparison.
func TestCompareOtherVersions(t *testing.T) {
	pair := func(after versioned) (versus.Comparison, error) {
		before := versioned{fakeRun: newFake("", 6), is: "M2/1"}
		return pairOf(t.Context(), &volume{Run: before, Name: "a"}, &volume{Run: after, Name: "b"}, nil)
	}
	c, err := pair(versioned{fakeRun: newFake("", 6), is: "M2/2"})
	if err != nil || len(c.Others) != 1 || c.Others[0] != (versus.OtherEdit{Operator: "M2-" + hostile, Before: "M2/1", After: "M2/2"}) || !strings.Contains(c.Lead[0], "version M2/1, then M2/2") {
		t.Errorf("%v, %+v, %q", err, c.Others, c.Lead)
	}
	if c, err := pair(versioned{fakeRun: newFake("", 6), is: "M2/1"}); err != nil || len(c.Others) != 0 || strings.Contains(c.Lead[0], "another way") {
		t.Errorf("the same version: %v, %+v, %q", err, c.Others, c.Lead)
	}
	unread := errors.New("the ledger cannot be read")
	if _, err := pair(versioned{fakeRun: newFake("", 6), err: unread}); !errors.Is(err, unread) {
		t.Errorf("%v", err)
	}
}
