package authz

import "runtime"

// WaitTold waits until every client has been told of the sign-outs so far.
func (h *Handler) WaitTold() { h.teller.done.Wait() }

// WaitDropped waits until Close has stopped the calls whose turn has not come.
func (h *Handler) WaitDropped() {
	<-h.teller.stop
	for h.teller.open.Load() > tellAtOne {
		runtime.Gosched()
	}
}
