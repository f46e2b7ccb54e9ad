package postgres_test

import (
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
	"github.com/formgraph/formgraph/server/store/storetest"
)

func TestTenant(t *testing.T) {
	storetest.Tenant(t, func(t *testing.T) store.Tenant { t.Helper(); return postgrestest.Open(t) })
}

func TestAudit(t *testing.T) {
	storetest.Audit(t, func(t *testing.T) store.Audit { t.Helper(); return postgrestest.Open(t) })
}

func TestSessions(t *testing.T) {
	storetest.Sessions(t, func(t *testing.T) store.Sessions { t.Helper(); return postgrestest.Open(t) })
}

func TestObserved(t *testing.T) { storetest.Observed(t, postgrestest.Open(t)) }

func TestTeam(t *testing.T) {
	storetest.Team(t, func(t *testing.T) storetest.Teams { t.Helper(); return postgrestest.Open(t) })
}

func TestMessages(t *testing.T) {
	storetest.Messages(t, func(t *testing.T) store.Messages { t.Helper(); return postgrestest.Open(t) })
}
