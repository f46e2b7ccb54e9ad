package authz

import (
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
)

// checkKey reports whether a request proven with key, "" for none, may have what a grant found.
//
// A refresh token of a public client is bound to the key of its first request: the key is all that
// tells the client from a thief. So it cannot begin with proofs later either: whoever holds a bearer
// refresh token could then bind it to a key of theirs. A client with a secret may change its keys.
func checkKey(c store.Client, pr *proof, key string) *oauth.Error {
	if pr.key != "" && pr.key != key {
		return oauth.InvalidProof("the proof is missing or of another key")
	}
	if pr.refreshed && c.Public && pr.key == "" && key != "" {
		return oauth.InvalidProof("the refresh token is not bound to a key")
	}
	return nil
}
