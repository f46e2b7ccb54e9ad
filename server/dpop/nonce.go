package dpop

import "sync/atomic"

// maxNonce bounds a server's nonce in bytes. It is a part of each proof, and servers bound those.
const maxNonce = 1 << 10

// Nonce is the latest nonce of one server. A client remembers that of the authorization server and that of each API apart (RFC 9449,
// section 9). The zero value has none. It is safe for concurrent use.
type Nonce struct{ latest atomic.Pointer[string] }

// Get returns the latest nonce, or "".
func (n *Nonce) Get() string {
	if s := n.latest.Load(); s != nil {
		return *s
	}
	return ""
}

// Learn remembers the nonce of an answer, and returns it. It ignores "" and a nonce of more than 1 KiB, for which it returns "".
func (n *Nonce) Learn(nonce string) string {
	if nonce == "" || len(nonce) > maxNonce {
		return ""
	}
	n.latest.Store(&nonce)
	return nonce
}
