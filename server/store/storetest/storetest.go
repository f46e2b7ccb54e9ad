// Package storetest is the conformance suite that every engine of package store passes.
// An engine's test calls Tenant with a function that opens an empty store.
package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// noon is the time at which most rows of the suite are made.
func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// Tenant runs the suite; open returns a new empty store each time and closes it with t.Cleanup.
func Tenant(t *testing.T, open func(t *testing.T) store.Tenant) {
	t.Helper()
	t.Run("forms", func(t *testing.T) {
		documents(t, func(t *testing.T) store.Documents { t.Helper(); return open(t).Forms() })
	})
	t.Run("flows", func(t *testing.T) {
		documents(t, func(t *testing.T) store.Documents { t.Helper(); return open(t).Flows() })
	})
	t.Run("kinds apart", func(t *testing.T) { kindsApart(t, open(t)) })
	t.Run("clients", func(t *testing.T) { clients(t, open(t)) })
	t.Run("origins", func(t *testing.T) { origins(t, open(t)) })
	t.Run("apis", func(t *testing.T) { apis(t, open(t)) })
	t.Run("client grants", func(t *testing.T) { clientGrants(t, open(t)) })
	t.Run("users", func(t *testing.T) { users(t, open(t)) })
	t.Run("permissions", func(t *testing.T) { permissions(t, open(t)) })
	t.Run("client lists", func(t *testing.T) { clientLists(t, open(t)) })
	t.Run("grants by name", func(t *testing.T) { grantsByName(t, open(t)) })
	t.Run("api lists", func(t *testing.T) { apiLists(t, open(t)) })
	t.Run("people", func(t *testing.T) { people(t, open(t)) })
	t.Run("blocking", func(t *testing.T) { blocking(t, open(t)) })
	t.Run("basis", func(t *testing.T) { basis(t, open(t)) })
	t.Run("basis at once", func(t *testing.T) { basisRace(t, open(t)) })
	t.Run("roles", func(t *testing.T) { roles(t, open(t)) })
	t.Run("held", func(t *testing.T) { held(t, open(t)) })
	t.Run("tickets", func(t *testing.T) { tickets(t, open(t)) })
	t.Run("one ticket wins", func(t *testing.T) { oneTicketWins(t, open(t)) })
	t.Run("events", func(t *testing.T) { events(t, open(t)) })
	t.Run("updates", func(t *testing.T) { updates(t, open(t)) })
	t.Run("lists of updates", func(t *testing.T) { ownLists(t, open(t)) })
	t.Run("transactions", func(t *testing.T) { transactions(t, open(t)) })
	t.Run("transactions in turn", func(t *testing.T) { transactionsInTurn(t, open(t)) })
	t.Run("administrators", func(t *testing.T) { administrators(t, open(t)) })
	t.Run("standings", func(t *testing.T) { standings(t, open(t)) })
	t.Run("changed standings", func(t *testing.T) { changedStandings(t, open(t)) })
	t.Run("changed password", func(t *testing.T) { changedPassword(t, open(t)) })
	t.Run("sign-ins", func(t *testing.T) { signIns(t, open(t)) })
	t.Run("codes", func(t *testing.T) { codes(t, open(t)) })
	t.Run("refresh", func(t *testing.T) { refresh(t, open(t)) })
	t.Run("one refresh wins", func(t *testing.T) { oneRefreshWins(t, open(t)) })
	t.Run("families", func(t *testing.T) { families(t, open(t)) })
	t.Run("consents", func(t *testing.T) { consents(t, open(t)) })
	t.Run("ended consents", func(t *testing.T) { endedConsents(t, open(t)) })
	t.Run("requests", func(t *testing.T) { requests(t, open(t)) })
	t.Run("one opens a request", func(t *testing.T) { oneOpens(t, open(t)) })
	t.Run("bounded requests", func(t *testing.T) { boundedRequests(t, open(t)) })
	t.Run("recipients", func(t *testing.T) { recipients(t, open(t)) })
	t.Run("sweep", func(t *testing.T) { sweep(t, open(t)) })
	t.Run("long keys", func(t *testing.T) { longKeys(t, open(t)) })
	t.Run("marks", func(t *testing.T) { marks(t, open(t)) })
	t.Run("methods", func(t *testing.T) { methods(t, open(t)) })
	t.Run("taken methods", func(t *testing.T) { takenMethods(t, open(t)) })
	t.Run("sign-up", func(t *testing.T) { signUp(t, open(t)) })
	t.Run("methods end", func(t *testing.T) { methodsEnd(t, open(t)) })
	t.Run("methods at once", func(t *testing.T) { methodsRace(t, open(t)) })
	t.Run("auth sessions", func(t *testing.T) { authSessions(t, open(t)) })
	t.Run("logins", func(t *testing.T) { logins(t, open(t)) })
	t.Run("ended logins", func(t *testing.T) { endedLogins(t, open(t)) })
	t.Run("all logins ended", func(t *testing.T) { allLoginsEnded(t, open(t)) })
	t.Run("lists", func(t *testing.T) { lists(t, open) })
	t.Run("proofs", func(t *testing.T) { proofs(t, open(t)) })
	t.Run("one use of a proof is first", func(t *testing.T) { oneUseIsFirst(t, open(t)) })
}

func mustBe(t *testing.T, action string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s = %v, want %v", action, got, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
