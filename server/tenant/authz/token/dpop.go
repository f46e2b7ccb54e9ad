package token

import (
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
)

// checkKey returns why a request that was proven with key, "" for none, may not have the result of a grant, or nil.
//
// A refresh token of a public client is bound to the key of its first request, since only the key distinguishes the client from a thief.
// The client cannot start to use proofs later either: a thief of a bearer refresh token could then bind it to their own key. A client with
// a secret may change its keys.
func checkKey(c store.Client, pr *proof, key string) *oauth.Error {
	if pr.key != "" && pr.key != key {
		return oauth.InvalidProof("the proof is missing or was made with another key")
	}
	if pr.refreshed && c.Public && pr.key == "" && key != "" {
		return oauth.InvalidProof("the refresh token is not bound to a key")
	}
	return nil
}
