package postgres_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres"
)

// Errors of a server that cannot perform an operation at present become errors of package store, with the reason. Data corruption does not.
func TestConditions(t *testing.T) {
	for code, want := range map[string]error{
		"53100": store.ErrFull, "25006": store.ErrReadOnly, "57P01": store.ErrUnavailable, "53300": store.ErrUnavailable, "XX001": nil, "XX002": nil,
	} {
		err := postgres.Translate(&pgconn.PgError{Code: code, Message: "as the server says"}, "act")
		if got := errors.Is(err, store.ErrUnavailable); got != (want != nil) || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", code, err, want)
		}
		for _, reason := range []error{store.ErrFull, store.ErrReadOnly} {
			if errors.Is(err, reason) && !errors.Is(want, reason) {
				t.Errorf("%s: got %v, want %v", code, err, want)
			}
		}
	}
}
