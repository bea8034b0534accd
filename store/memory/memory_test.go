package memory_test

import (
	"testing"

	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/memory"
	"github.com/percuss/percuss/store/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(testing.TB) store.Store { return memory.New() }, nil)
}
