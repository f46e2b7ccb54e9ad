package client_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"testing"

	"github.com/formgraph/formgraph/app/client"
)

// Tenants give lists in several shapes, some have limits of their own, and some have no pages.
func TestListsOfOtherTenants(t *testing.T) {
	things := func(from, to int) []any {
		list := []any{}
		for i := from; i < to; i++ {
			list = append(list, map[string]any{"id": fmt.Sprint("auth0|", i), "nodes": []any{}})
		}
		return list
	}
	paged := func(total, limit int, wrap func(list []any) any) func(page int) any {
		return func(page int) any { return wrap(things(min(total, page*limit), min(total, (page+1)*limit))) }
	}
	bare := func(list []any) any { return list }
	for name, tt := range map[string]struct {
		answer          func(page int) any
		total, requests int
	}{
		"no pages":           {func(int) any { return things(0, 13) }, 13, 1},
		"no pages, many":     {func(int) any { return things(0, 150) }, 150, 2},
		"no pages, as limit": {func(int) any { return things(0, 50) }, 50, 2},
		"a limit of 50":      {paged(120, 50, bare), 120, 3},
		"a limit of 25":      {paged(60, 20, bare), 60, 4},
		"totals":             {paged(13, 100, func(l []any) any { return map[string]any{"start": 0, "total": 13, "forms": l} }), 13, 1},
		"totals and a limit": {paged(9, 3, func(l []any) any { return map[string]any{"limit": 3, "length": 3, "total": 9, "forms": l} }), 9, 3},
		"an object":          {paged(99, 100, func(l []any) any { return map[string]any{"forms": l} }), 99, 1},
		"an empty object":    {func(int) any { return map[string]any{"forms": []any{}, "total": 0} }, 0, 1},
	} {
		s := &server{t: t}
		s.answer = func(w http.ResponseWriter, r *http.Request) {
			var page int
			_, _ = fmt.Sscan(r.FormValue("page"), &page)
			if err := json.NewEncoder(w).Encode(tt.answer(page)); err != nil {
				t.Error(err)
			}
		}
		list, err := client.New(s).Objects(t.Context(), "/bff/api/things")
		if err != nil || len(list) != tt.total || len(s.sent) != tt.requests {
			t.Errorf("%s: %d entries in %d requests (%v), want %d in %d", name, len(list), len(s.sent), err, tt.total, tt.requests)
		}
	}
	c, _ := answering(t, 200, `{"error":"none"}`)
	if _, err := c.Objects(t.Context(), "/bff/api/things"); err == nil {
		t.Error("an object without a list is a list")
	}
}

// The error of a failed change states its outcome, and that of a refused person names the person.
func TestErrorsNameOutcomeAndPerson(t *testing.T) {
	for body, want := range map[string]client.Error{
		`{"code":"upstream_unavailable","detail":"d","outcome":"not_saved"}`: {Code: "upstream_unavailable", Outcome: client.NotSaved},
		`{"code":"upstream_unavailable","detail":"d","outcome":"unknown"}`:   {Code: "upstream_unavailable", Outcome: client.OutcomeUnknown},
		`{"code":"not_allowed","detail":"d","email":"a@example.com"}`:        {Code: client.CodeNotAllowed, Who: "a@example.com"},
		`{"code":"not_allowed","detail":"d","sub":"auth0|1"}`:                {Code: client.CodeNotAllowed, Who: "auth0|1"},
		`{"code":"scope","detail":"d","name":"x"}`:                           {Code: "scope"},
	} {
		s := &server{t: t, answer: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(403)
			_, _ = io.WriteString(w, body)
		}}
		_, err := client.New(s).Send(t.Context(), "PATCH", "/bff/api/forms/1", nil)
		want.Status, want.Detail = 403, "d"
		if got, ok := err.(*client.Error); !ok || !reflect.DeepEqual(*got, want) { //nolint:errorlint // the client wraps nothing
			t.Errorf("%s: %+v", body, err)
		}
	}
}
