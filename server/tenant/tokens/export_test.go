package tokens

// LimitSeen bounds how many proofs are remembered, for a test that fills the memory.
func (t *Tokens) LimitSeen(n int) { t.seen.Limit = n }
