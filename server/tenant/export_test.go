package tenant

import (
	"reflect"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// RowsAt is the store as a face sees it.
func RowsAt(s store.Tenant, f access.Face) store.Tenant { return newRows(s, f) }

// RowTypes are the types that decide what a face sees of the store.
func RowTypes() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[rows](), reflect.TypeFor[inside](), reflect.TypeFor[named](), reflect.TypeFor[namedInside]()}
}
