package stat

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel calls do for 0 to n − 1, on as many goroutines as there are processors. Each of them begins by calling own, which
// returns its do with the room that it works in.
func inParallel(n int, own func() (do func(i int))) {
	var next atomic.Int64
	work := func() {
		do := own()
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) - 1 {
		wg.Go(work)
	}
	if n > 0 {
		work()
	}
	wg.Wait()
}
