package tenant

import (
	"context"
	"fmt"

	"github.com/formgraph/formgraph/server/store"
)

// adminStore is domainStore for the administration. It finds an API by its identifier, which lists show, and by its audience at the domain.
type adminStore struct{ domainStore }

func (s adminStore) API(ctx context.Context, audience string) (store.API, error) {
	return adminAccess{s.domainAccess}.API(ctx, audience)
}

func (s adminStore) CreateAPI(ctx context.Context, a store.API) error {
	return adminAccess{s.domainAccess}.CreateAPI(ctx, a)
}

func (s adminStore) InTx(ctx context.Context, f func(store.Access) error) error {
	return s.tenant.InTx(ctx, func(a store.Access) error { return f(adminAccess{newDomainAccess(a, s.domain)}) })
}

// adminAccess is adminStore inside a transaction.
type adminAccess struct{ domainAccess }

func (s adminAccess) API(ctx context.Context, audience string) (store.API, error) {
	if id, ok := s.domain.Identifier(audience); ok {
		audience = id
	}
	return s.access.API(ctx, audience)
}

// CreateAPI implements store.APIs. The audiences of the tenant's own APIs at its other domain count as taken.
func (s adminAccess) CreateAPI(ctx context.Context, a store.API) error {
	if id, ok := s.domain.Identifier(a.Identifier); !ok || id != a.Identifier {
		return fmt.Errorf("create API: an audience of the tenant's own: %w", store.ErrConflict)
	}
	return s.access.CreateAPI(ctx, a)
}
