package tenant

import (
	"context"
	"errors"

	"github.com/formgraph/formgraph/server/store"
)

// SampleAudience is the identifier of the sample API, which is created with the tenant. It is a name and not an address, so that it stays
// the same when the API moves.
const SampleAudience = "urn:formgraph:sample"

// sampleAPI is the API's ID, and sampleMark is set once it exists, so that a deleted one does not come back.
const (
	sampleAPI  = "sample"
	sampleMark = "sample API"
)

// syncSample creates the sample API, once, with the scopes that its examples request. Only clients with a grant may use it.
func syncSample(ctx context.Context, s store.Tenant) error {
	if _, err := s.Mark(ctx, sampleMark); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	err := s.InTx(ctx, func(rows store.Access) error {
		return putAPI(ctx, rows, sampleAPI, func(a *store.API) {
			*a = store.API{
				ID: sampleAPI, Identifier: SampleAudience, Name: "Sample API", Scopes: sampleScopes(),
				UserPolicy: store.RequireClientGrant, ClientPolicy: store.RequireClientGrant,
			}
		})
	})
	if err != nil {
		return err
	}
	return s.PutMark(ctx, sampleMark, "1")
}

func sampleScopes() []string { return []string{"read:users", "write:users", "admin"} }
