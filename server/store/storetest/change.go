package storetest

import (
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

// ChangeClient keeps a client of s as change leaves it.
func ChangeClient(tb testing.TB, s store.Clients, id string, change func(*store.Client)) {
	tb.Helper()
	c, err := s.Client(tb.Context(), id)
	if err != nil {
		tb.Fatal(err)
	}
	change(&c)
	if err := s.PutClient(tb.Context(), c); err != nil {
		tb.Fatal(err)
	}
}
