package sqlite_test

import (
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/store/storetest"
)

func TestSessions(t *testing.T) {
	storetest.Sessions(t, func(t *testing.T) store.Sessions { t.Helper(); return sqlitetest.Open(t) })
}
