package bff

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/jwks"
)

// tenantKeys verifies signatures with the tenant's keys, for the OpenID library. The library's own key set asks the tenant for every
// unknown key ID, so anyone could cause endless calls by sending made-up logout tokens.
type tenantKeys struct{ set *jwks.Set }

// VerifySignature implements oidc.KeySet: it returns the payload of a token that one of the tenant's keys signed.
func (k tenantKeys) VerifySignature(ctx context.Context, raw string) ([]byte, error) {
	signed, err := jose.ParseSignedCompact(raw, []jose.SignatureAlgorithm{jose.RS256})
	if err != nil {
		return nil, fmt.Errorf("read signature: %w", err)
	}
	keys, _, err := k.set.Find(ctx, signed.Signatures[0].Header.KeyID)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if payload, err := signed.Verify(key.Public); err == nil {
			return payload, nil
		}
	}
	return nil, errors.New("verify signature: it was not made by a key of the tenant")
}

// loadKeys fetches the keys from the address in the tenant's metadata.
func (i *Identity) loadKeys(ctx context.Context) (jwks.Document, error) {
	meta, err := i.server.Metadata(ctx)
	if err != nil {
		return jwks.Document{}, err
	}
	keys, err := jwks.Fetch(ctx, i.server.Client(), meta.JWKS)
	return jwks.Document{Keys: keys}, issuer.Quiet(err)
}
