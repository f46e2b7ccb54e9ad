package signin

import "github.com/formgraph/formgraph/server/tenant/tokens"

// GuessKeys returns the keys by which wrong passwords for an e-mail address are counted.
func GuessKeys(email string) []string {
	from := Place{Network: "2001:db8:1:2::/64", Browser: tokens.NewSecret()}
	account := accountKey(email)
	return []string{account, ofNetwork(account, from), ofBrowser(account, from)}
}
