package tenant

import (
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// RowsAt is the store as a face sees it.
func RowsAt(s store.Tenant, f access.Face) store.Tenant { return rows{s, f} }
