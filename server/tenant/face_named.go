package tenant

import (
	"context"
	"fmt"

	"github.com/formgraph/formgraph/server/store"
)

// named is rows for the administration, where an API answers to its identifier, which lists show, and to
// the audience that the face has for it.
type named struct{ rows }

// API implements store.APIs.
func (n named) API(ctx context.Context, audience string) (store.API, error) {
	return namedInside{n.inside}.API(ctx, audience)
}

// CreateAPI implements store.APIs.
func (n named) CreateAPI(ctx context.Context, a store.API) error {
	return namedInside{n.inside}.CreateAPI(ctx, a)
}

// InTx implements store.Administration.
func (n named) InTx(ctx context.Context, f func(store.Access) error) error {
	return n.tenant.InTx(ctx, func(a store.Access) error { return f(namedInside{newInside(a, n.face)}) })
}

// namedInside is the part of named that a transaction has.
type namedInside struct{ inside }

// API implements store.APIs.
func (n namedInside) API(ctx context.Context, audience string) (store.API, error) {
	if id, ok := n.face.Identifier(audience); ok {
		audience = id
	}
	return n.access.API(ctx, audience)
}

// CreateAPI implements store.APIs. The audiences of the tenant's own APIs at its other address are taken.
func (n namedInside) CreateAPI(ctx context.Context, a store.API) error {
	if id, ok := n.face.Identifier(a.Identifier); !ok || id != a.Identifier {
		return fmt.Errorf("create API: an audience of the tenant's own: %w", store.ErrConflict)
	}
	return n.access.CreateAPI(ctx, a)
}
