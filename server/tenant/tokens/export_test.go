package tokens

// LimitSeen bounds how many proofs are remembered, for a test that fills the memory.
func (t *Tokens) LimitSeen(n int) { t.seen.limit = n }

// NormalAddress is normalAddress.
func NormalAddress(s string) string { return normalAddress(s) }
