package logout

import "runtime"

// WaitDropped waits until Close has dropped the waiting calls.
func (t *Teller) WaitDropped() {
	<-t.stop
	for t.open.Load() > tellAtOne {
		runtime.Gosched()
	}
}
