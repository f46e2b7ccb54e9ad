package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

// ChangeClient updates a client of s with change.
func ChangeClient(tb testing.TB, s store.Clients, id string, change func(*store.Client)) {
	tb.Helper()
	var c store.Client
	_, err := s.UpdateClient(tb.Context(), id, func(row *store.Client) error { change(row); c = *row; return nil })
	err = errors.Join(err, s.SetClientSecret(tb.Context(), id, c.SecretHash, c.SecretSince), s.SetClientGlobal(tb.Context(), id, c.Global))
	if err != nil {
		tb.Fatal(err)
	}
}

// ChangeAPI updates an API of s with change.
func ChangeAPI(tb testing.TB, s store.APIs, id string, change func(*store.API)) {
	tb.Helper()
	if _, err := s.UpdateAPI(tb.Context(), id, func(a *store.API) error { change(a); return nil }); err != nil {
		tb.Fatal(err)
	}
}

// SetConsent stores a consent whose scope replaces what the person agreed to before.
func SetConsent(tb testing.TB, s store.Consents, c store.Consent) {
	tb.Helper()
	err := s.UpdateConsent(tb.Context(), c, func(kept *store.Consent) error { kept.Scope, kept.Given = c.Scope, c.Given; return nil })
	if err != nil {
		tb.Fatal(err)
	}
}

// PutClient stores a client, replacing any client with its ID except for Created.
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

// PutAPI stores an API, replacing any API with its ID.
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

// SetGrant gives a client exactly these scopes of an API, creating the grant if necessary.
func SetGrant(ctx context.Context, s store.Administration, clientID, apiID string, subject store.SubjectType, scopes []string) error {
	return s.InTx(ctx, func(rows store.Access) error {
		kept, _, err := rows.ListClientGrants(ctx, store.GrantFilter{ClientID: clientID, APIID: apiID, Subject: subject}, 0, 1)
		if err != nil {
			return err
		}
		if len(kept) == 0 {
			_, err = rows.CreateClientGrant(ctx, store.ClientGrant{ClientID: clientID, APIID: apiID, Subject: subject, Scopes: scopes})
			return err
		}
		_, err = rows.UpdateClientGrant(ctx, kept[0].ID, func(g *store.ClientGrant) error { g.Scopes = scopes; return nil })
		return err
	})
}

// SetPermissions gives a user exactly these scopes of an API directly.
func SetPermissions(ctx context.Context, s store.Administration, userID, apiID string, scopes []string) error {
	of := func(scopes []string) []store.Permission {
		out := make([]store.Permission, len(scopes))
		for i, scope := range scopes {
			out[i] = store.Permission{APIID: apiID, Scope: scope}
		}
		return out
	}
	return s.InTx(ctx, func(rows store.Access) error {
		held, err := rows.Permissions(ctx, userID, apiID)
		if err != nil {
			return err
		}
		held = slices.DeleteFunc(held, func(scope string) bool { return slices.Contains(scopes, scope) })
		return rows.ChangeUserPermissions(ctx, userID, of(scopes), of(held))
	})
}
