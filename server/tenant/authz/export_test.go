package authz

import "runtime"

// WaitTold waits until every client has been told of the sign-outs so far.
func (h *Handler) WaitTold() { h.teller.done.Wait() }

// SharesWith tells whether what handlers keep in memory is one for both.
func (h *Handler) SharesWith(o *Handler) bool {
	return h.requests == o.requests && h.pushes == o.pushes && h.guesses == o.guesses && h.hasher == o.hasher &&
		h.challenges == o.challenges && h.shown == o.shown && h.sweeper == o.sweeper && h.teller == o.teller
}

// WaitDropped waits until Close has stopped the calls whose turn has not come.
func (h *Handler) WaitDropped() {
	<-h.teller.stop
	for h.teller.open.Load() > tellAtOne {
		runtime.Gosched()
	}
}
