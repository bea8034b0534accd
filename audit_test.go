package percuss

import "testing"

// TestTrialKey: the key is the request's, whether the trial was told it by Ask or holds a request otherwise.
func TestTrialKey(t *testing.T) {
	one, two := Request{Model: "m"}, Request{Model: "n"}
	var asked Trial
	if asked.Key() != "" {
		t.Errorf("key %s without a request", asked.Key())
	}
	asked.Ask(one)
	if asked.Key() != one.Key() || asked.Request == nil || asked.Request.Model != "m" {
		t.Errorf("asked: %+v", asked)
	}
	if given := (Trial{Request: &two}); given.Key() != two.Key() {
		t.Errorf("given: key %s", given.Key())
	}
	asked.Request = &two
	if asked.Key() != two.Key() {
		t.Error("the key of an earlier request is kept for another one")
	}
	asked.Request = nil
	if asked.Key() != "" {
		t.Error("the key of a request that was taken away is kept")
	}
}

// TestMissing: each request without an answer once, in the order of the trials.
func TestMissing(t *testing.T) {
	trials := make([]Trial, 6)
	for i, model := range []string{"a", "b", "a", "", "c", "b"} {
		if model != "" {
			trials[i].Ask(Request{Model: model})
		}
	}
	got := Missing(trials, AnswerMap{Request{Model: "b"}.Key(): {}})
	if len(got) != 2 || got[0].Model != "a" || got[1].Model != "c" {
		t.Errorf("missing %+v", got)
	}
}
