package postgres_test

import (
	"context"
	"reflect"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// mostQueries is how often a call may ask the server, with the beginning and the end of its transaction.
const mostQueries = 5

// tracer keeps the queries of a store.
type tracer struct {
	mu      sync.Mutex
	queries []pgx.TraceQueryStartData
}

func (r *tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queries = append(r.queries, q)
	return ctx
}

func (r *tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// take returns the queries since the last call of take.
func (r *tracer) take() []pgx.TraceQueryStartData {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.queries
	r.queries = nil
	return q
}

// traced opens an empty database whose queries are kept.
func traced(t *testing.T) (*postgres.DB, *tracer) {
	t.Helper()
	r := &tracer{}
	d, err := postgres.OpenTraced(t.Context(), postgrestest.URL(t), r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d, r
}

// No call asks the server often, however many rows it is about.
func TestCallsMakeFewQueries(t *testing.T) {
	d, r := traced(t)
	for _, c := range calls() {
		r.take()
		if err := c.make(t.Context(), d); err != nil {
			t.Fatalf("%s: %v", c.method, err)
		}
		made := r.take()
		if len(made) == 0 || len(made) > mostQueries {
			t.Errorf("%s makes %d queries, want 1 to %d", c.method, len(made), mostQueries)
			for _, q := range made {
				t.Log(q.SQL)
			}
		}
	}
}

// The list of calls has every method of the store.
func TestCallsAreComplete(t *testing.T) {
	listed := map[string]bool{"KeptSince": true, "Listen": true} // which make no query
	for _, c := range calls() {
		listed[c.base()] = true
	}
	for _, of := range []reflect.Type{
		reflect.TypeFor[store.Tenant](), reflect.TypeFor[store.Sessions](), reflect.TypeFor[store.Audit](), reflect.TypeFor[store.Messages](),
		reflect.TypeFor[store.Teams](),
	} {
		for m := range of.Methods() {
			if !listed[m.Name] {
				t.Errorf("no call of %s", m.Name)
			}
		}
	}
}
