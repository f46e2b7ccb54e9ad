package authz

// WaitTold waits until every client has been told of the sign-outs so far.
func (h *Handler) WaitTold() { h.Wait() }

// SharesWith reports whether what handlers keep in memory is one for both.
func (h *Handler) SharesWith(o *Handler) bool {
	return h.limit == o.limit && h.pushes == o.pushes && h.guesses == o.guesses && h.hashes == o.hashes &&
		h.challenges == o.challenges && h.shown == o.shown && h.sweeper == o.sweeper && h.Teller == o.Teller
}
