package httpx

// Of returns how many turns a client has or waits for.
func (t *Turns) Of(client string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own := t.own[client]; own != nil {
		return own.all
	}
	return 0
}
