package bff

import (
	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/upstream"
)

// newKey returns the key for the tokens of a new sign-in, or nil if the tenant does not bind tokens.
func (i *Identity) newKey(p *provider) (*dpop.Key, error) {
	if !i.c.DPoP || !p.meta.OffersDPoP() {
		return nil, nil //nolint:nilnil // no key is not an error
	}
	return dpop.NewKey()
}

// keyOf returns the key of a sign-in, or nil if it has none or keys are no longer used. Its bound tokens are then refused, and replaced by
// bearer tokens.
func (i *Identity) keyOf(g session.Grant) *dpop.Key {
	if !i.c.DPoP || g.Key == nil {
		return nil
	}
	key, err := dpop.ParseKey(g.Key)
	if err != nil {
		return nil
	}
	return key
}

// credential returns a token of a grant with the key to which it is bound.
func (i *Identity) credential(t session.Token, g session.Grant) upstream.Credential {
	c := upstream.Credential{Token: t.Access}
	if issuer.Bound(t.Type) {
		c.Key = i.keyOf(g)
	}
	return c
}

// signInCredential returns the access token of a sign-in that proved a key, which may be nil.
func signInCredential(t *oauth2.Token, key *dpop.Key) upstream.Credential {
	c := upstream.Credential{Token: t.AccessToken}
	if issuer.Bound(t.Type()) {
		c.Key = key
	}
	return c
}
