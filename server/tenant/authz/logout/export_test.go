package logout

import "runtime"

// WaitDropped waits until Close has stopped the calls whose turn has not come.
func (t *Teller) WaitDropped() {
	<-t.stop
	for t.open.Load() > tellAtOne {
		runtime.Gosched()
	}
}
