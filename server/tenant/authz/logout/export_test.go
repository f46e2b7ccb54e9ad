package logout

import "runtime"

// WaitDropped waits until Close has dropped the waiting calls.
func (q *Queue) WaitDropped() {
	<-q.stop
	for q.open.Load() > maxCalls {
		runtime.Gosched()
	}
}
