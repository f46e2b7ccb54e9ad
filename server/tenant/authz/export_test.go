package authz

import (
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// WaitTold waits until every client has been told of the sign-outs so far.
func (h *Handler) WaitTold() { h.Wait() }

// SharesWith reports whether what handlers keep in memory is one for both.
func (h *Handler) SharesWith(o *Handler) bool {
	return h.limit == o.limit && h.pushes == o.pushes && h.guesses == o.guesses && h.hashes == o.hashes &&
		h.challenges == o.challenges && h.shown == o.shown && h.sweeper == o.sweeper && h.Teller == o.Teller
}

// GuessKeys returns the keys by which wrong passwords for an e-mail address are counted.
func GuessKeys(email string) []string {
	from := place{network: "2001:db8:1:2::/64", browser: tokens.NewSecret()}
	account := accountKey(email)
	return []string{account, ofNetwork(account, from), ofBrowser(account, from)}
}
