package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// Texts from strangers may have characters that PostgreSQL does not store. They are found nowhere and stored readably.
func TestTextsOfStrangers(t *testing.T) {
	d, ctx := postgrestest.Open(t), t.Context()
	for _, odd := range []string{"a\x00b", "a\xffb", "\xed\xa0\x80"} {
		if _, err := d.Client(ctx, odd); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Client(%q) = %v, want ErrNotFound", odd, err)
		}
		if _, err := d.UserByEmail(ctx, odd); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("UserByEmail(%q) = %v, want ErrNotFound", odd, err)
		}
		if ok, err := d.OriginListed(ctx, odd); err != nil || ok {
			t.Errorf("OriginListed(%q) = %v, %v, want false", odd, ok, err)
		}
		if _, _, err := d.ListUsers(ctx, store.Find{Search: odd}, 0, 1); err != nil {
			t.Errorf("ListUsers(%q) = %v, want nil", odd, err)
		}
		if err := d.AddEvent(ctx, store.Event{At: now(), Type: "fp", ClientID: odd, Scope: []string{odd}, Description: odd}); err != nil {
			t.Errorf("AddEvent(%q) = %v, want nil", odd, err)
		}
	}
	page, _, err := d.ListEvents(ctx, store.EventFilter{}, 0, 3)
	if err != nil || len(page) != 3 || page[2].ClientID != "a\uFFFDb" || page[1].Description != "a\uFFFDb" || page[2].Scope[0] != "a\uFFFDb" {
		t.Errorf("events = %+v, %v, want the odd bytes as U+FFFD", page, err)
	}
	err = d.CreateAPI(ctx, store.API{ID: "a", Identifier: "urn:a", ScopeTexts: map[string]string{"x\x00": "\xff"}})
	if err != nil {
		t.Errorf("CreateAPI = %v, want nil", err)
	}
}

// Every text is compared by its bytes, whatever the locale of the database: with indexes in the order of a locale, an upgrade of the system
// could break them.
func TestTextsCompareByBytes(t *testing.T) {
	url := postgrestest.URL(t)
	rows, err := connected(t, url).Query(t.Context(), `SELECT c.relname || '.' || a.attname
		FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
		AND a.attcollation NOT IN (0, (SELECT oid FROM pg_collation WHERE collname = 'C' AND collnamespace = 'pg_catalog'::regnamespace))`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var column string
		if err := rows.Scan(&column); err != nil {
			t.Fatal(err)
		}
		t.Errorf("%s has another collation than C", column)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// The errors of the server are passed on without the values that they are about.
func TestErrorsHaveNoValues(t *testing.T) {
	d, ctx := postgrestest.Open(t), t.Context()
	user := store.User{ID: "u", Email: "secret@example.com", PasswordHash: "secret"}
	if err := d.CreateUser(ctx, user); err != nil {
		t.Fatal(err)
	}
	_, missing := d.Forms().Create(ctx, store.Document{ID: "secret"}) // without a body
	_, _, negative := d.ListUsers(ctx, store.Find{Search: "secret"}, -1, 1)
	for name, err := range map[string]error{
		"a taken key":           d.CreateUser(ctx, user),
		"an unknown key":        d.AddRoles(ctx, []string{"secret"}, []string{"secret"}),
		"a missing value":       missing,
		"a value out of bounds": negative,
	} {
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: error = %v, want one without the value", name, err)
		}
	}
}

// A forged cursor is refused and not passed to the server.
func TestPlacesAreChecked(t *testing.T) {
	d, ctx := postgrestest.Open(t), t.Context()
	real := store.User{ID: "u", Created: now()}.Place()
	if _, _, err := d.ListUsers(ctx, store.Find{After: real}, 0, 1); err != nil {
		t.Errorf("ListUsers after a real place = %v, want nil", err)
	}
	for _, values := range []string{"users\x00x\x00u", "users\x0099999999999999999999\x00u"} {
		if _, _, err := d.ListUsers(ctx, store.Find{After: encoded(values)}, 0, 1); !errors.Is(err, store.ErrPlace) {
			t.Errorf("ListUsers after %q = %v, want ErrPlace", values, err)
		}
	}
	made := store.EventFilter{Find: store.Find{After: encoded("events\x00log_x")}}
	if _, _, err := d.ListEvents(ctx, made, 0, 1); !errors.Is(err, store.ErrPlace) {
		t.Errorf("ListEvents after a made-up place = %v, want ErrPlace", err)
	}
}
