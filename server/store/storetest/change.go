package storetest

import (
	"errors"
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

// ChangeClient keeps a client of s as change leaves it.
func ChangeClient(tb testing.TB, s store.Clients, id string, change func(*store.Client)) {
	tb.Helper()
	var c store.Client
	_, err := s.UpdateClient(tb.Context(), id, func(row *store.Client) error { change(row); c = *row; return nil })
	err = errors.Join(err, s.SetClientSecret(tb.Context(), id, c.SecretHash, c.SecretSince), s.SetClientGlobal(tb.Context(), id, c.Global))
	if err != nil {
		tb.Fatal(err)
	}
}

// ChangeAPI keeps an API of s as change leaves it.
func ChangeAPI(tb testing.TB, s store.APIs, id string, change func(*store.API)) {
	tb.Helper()
	if _, err := s.UpdateAPI(tb.Context(), id, func(a *store.API) error { change(a); return nil }); err != nil {
		tb.Fatal(err)
	}
}

// SetConsent keeps the scope of a consent in place of what the person agreed to before.
func SetConsent(tb testing.TB, s store.Consents, c store.Consent) {
	tb.Helper()
	err := s.UpdateConsent(tb.Context(), c, func(kept *store.Consent) error { kept.Scope, kept.Given = c.Scope, c.Given; return nil })
	if err != nil {
		tb.Fatal(err)
	}
}

// PutClient keeps a client in place of the one of its ID, if there is one, whose Created stays.
func PutClient(tb testing.TB, s store.Clients, c store.Client) {
	tb.Helper()
	err := s.CreateClient(tb.Context(), c)
	if errors.Is(err, store.ErrConflict) {
		ChangeClient(tb, s, c.ID, func(kept *store.Client) { *kept = c })
		return
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// PutAPI keeps an API in place of the one of its ID, if there is one.
func PutAPI(tb testing.TB, s store.APIs, a store.API) {
	tb.Helper()
	err := s.CreateAPI(tb.Context(), a)
	if errors.Is(err, store.ErrConflict) {
		ChangeAPI(tb, s, a.ID, func(kept *store.API) { *kept = a })
		return
	}
	if err != nil {
		tb.Fatal(err)
	}
}
