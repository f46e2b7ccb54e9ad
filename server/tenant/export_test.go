package tenant

import (
	"reflect"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// StoreAt is the store as a domain sees it.
func StoreAt(s store.Tenant, d access.Domain) store.Tenant { return newDomainStore(s, d) }

// DomainStores are the types that decide what a domain sees of the store.
func DomainStores() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[domainStore](), reflect.TypeFor[domainAccess](), reflect.TypeFor[adminStore](), reflect.TypeFor[adminAccess](),
	}
}
