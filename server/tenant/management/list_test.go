package management_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// found is an answer with a part of a list.
type found struct {
	Next  string
	Total *int
	Rows  []string // what names each row
}

// find returns the answer of a list; key is its member and name that of each row's name.
func (f *fixture) find(t *testing.T, path, key, name string) found {
	t.Helper()
	a := f.send(http.MethodGet, "/api/v2"+path, "")
	if a.StatusCode != http.StatusOK {
		t.Fatalf("%s = %d %s", path, a.StatusCode, a.body)
	}
	var raw map[string]json.RawMessage
	out := found{}
	var rows []map[string]any
	for _, err := range []error{
		json.Unmarshal([]byte(a.body), &raw), json.Unmarshal([]byte(a.body), &out), json.Unmarshal(raw[key], &rows),
	} {
		if err != nil {
			t.Fatalf("%s: %v in %s", path, err, a.body)
		}
	}
	for _, r := range rows {
		out.Rows = append(out.Rows, fmt.Sprint(r[name]))
	}
	return out
}

// many adds seven people, clients, APIs, roles, grants and events.
func (f *fixture) many(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(f.store.CreateRole(ctx, store.Role{ID: "all", Name: "All of them", Created: f.now}))
	for i := range 7 {
		name := fmt.Sprintf("n%d", i)
		must(f.store.CreateUser(ctx, store.User{ID: name, Email: name + "@list.test", Name: "Zoë", Created: f.now.Add(time.Hour)}))
		must(f.store.AddRoles(ctx, []string{name}, []string{"all"}))
		must(f.store.CreateClient(ctx, store.Client{ID: name, Name: "Zoë " + name, Created: f.now}))
		must(f.store.CreateAPI(ctx, store.API{ID: name, Identifier: "https://list.test/" + name, Name: "Zoë"}))
		must(f.store.CreateRole(ctx, store.Role{ID: name, Name: "Zoë " + name, Created: f.now}))
		_, err := f.store.CreateClientGrant(ctx, store.ClientGrant{ClientID: name, APIID: name, Subject: store.SubjectUser})
		must(err)
		must(f.store.AddEvent(ctx, store.Event{At: f.now, Type: "s", UserID: name}))
	}
}

// Every list of the administration can be continued from the end of an answer, and searched.
func TestListsContinueAndSearch(t *testing.T) {
	f := newAdmin(t)
	f.many(t)
	for _, x := range []struct{ path, key, name, one string }{
		{"/users", "users", "user_id", "n3@LIST"},
		{"/roles/all/users", "users", "user_id", "n3"},
		{"/clients", "clients", "client_id", "n3"},
		{"/client-grants", "client_grants", "client_id", "https://list.test/n3"},
		{"/resource-servers", "resource_servers", "id", "https://list.test/n3"},
		{"/roles", "roles", "id", "n3"},
		{"/logs", "logs", "user_id", "n3@list.test"},
	} {
		t.Run(x.path, func(t *testing.T) {
			whole := f.find(t, x.path+"?include_totals=true&per_page=100", x.key, x.name)
			if whole.Next != "" || *whole.Total != len(whole.Rows) || len(whole.Rows) < 7 {
				t.Fatalf("got %+v", whole)
			}
			var got []string
			part := f.find(t, x.path+"?include_totals=true&per_page=3", x.key, x.name) // the first says how many there are
			if *part.Total != len(whole.Rows) {
				t.Errorf("total %d, want %d", *part.Total, len(whole.Rows))
			}
			for got = part.Rows; part.Next != "" && len(got) <= len(whole.Rows); got = append(got, part.Rows...) {
				if part = f.find(t, x.path+"?include_totals=true&take=2&from="+part.Next, x.key, x.name); part.Total != nil {
					t.Errorf("a part by places has the total %d", *part.Total)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(whole.Rows) {
				t.Errorf("by places %v, want %v", got, whole.Rows)
			}
			all := f.find(t, x.path+"?include_totals=true&per_page=5&q=ZOË", x.key, x.name)
			if *all.Total != 7 || len(all.Rows) != 5 || all.Next == "" {
				t.Errorf("search: %+v", all)
			}
			rest := f.find(t, x.path+"?include_totals=true&q=zoë&from="+all.Next, x.key, x.name)
			if len(rest.Rows) != 2 || rest.Next != "" {
				t.Errorf("search continued: %+v", rest)
			}
			one := f.find(t, x.path+"?include_totals=true&q="+url.QueryEscape("zoë "+x.one), x.key, x.name)
			if len(one.Rows) != 1 || *one.Total != 1 {
				t.Errorf("search for one: %+v", one)
			}
			for _, query := range []string{
				"take=0", "take=101", "take=x", "take=5&page=1", "from=" + part.Next + "x", "from=n3", "q=" + strings.Repeat("x", 201),
				"take=1&include_totals=x",
			} {
				a := f.send(http.MethodGet, "/api/v2"+x.path+"?"+query, "")
				if a.StatusCode != http.StatusBadRequest || a.error(t).ErrorCode != "invalid_query_string" {
					t.Errorf("%s = %d %s, want 400", query, a.StatusCode, a.body)
				}
			}
		})
	}
	// A place in one list is not a place in another.
	next := f.find(t, "/users?take=1", "users", "user_id").Next
	if a := f.send(http.MethodGet, "/api/v2/clients?from="+next, ""); a.StatusCode != http.StatusBadRequest {
		t.Errorf("a place of people in clients = %d %s", a.StatusCode, a.body)
	}
}

// With take, the log answers with an array, as the vendor's clients expect, unless totals are requested.
func TestLogTakesArray(t *testing.T) {
	f := newAdmin(t)
	f.many(t)
	var list []any
	if a := f.send(http.MethodGet, "/api/v2/logs?take=3", ""); json.Unmarshal([]byte(a.body), &list) != nil || len(list) != 3 {
		t.Errorf("got %d %s", a.StatusCode, a.body)
	}
}

// An API is found by its scopes and by their descriptions.
func TestSearchFindsAPIByScope(t *testing.T) {
	f := newAdmin(t)
	err := f.store.CreateAPI(t.Context(), store.API{
		ID: "orders", Identifier: "https://list.test/orders", Name: "Orders", Scopes: []string{"read:invoices", "write:invoices"},
		ScopeTexts: map[string]string{"read:invoices": "Rechnungen ÄNDERN"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{"WRITE:invoices": "[orders]", "rechnungen ändern orders": "[orders]", "write:other": "[]"} {
		got := f.find(t, "/resource-servers?include_totals=true&q="+url.QueryEscape(query), "resource_servers", "id").Rows
		if fmt.Sprint(got) != want {
			t.Errorf("%q finds %v, want %s", query, got, want)
		}
	}
}

// Grants name their client and API if that is requested, and otherwise have only the vendor's members.
func TestGrantsAreNamedOnRequest(t *testing.T) {
	f := newAdmin(t)
	f.many(t)
	g, err := f.store.CreateClientGrant(t.Context(), store.ClientGrant{ClientID: "local", APIID: "n0", Subject: store.SubjectUser})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"client_name", "resource_server_name", "is_reserved"}
	for _, x := range []struct{ path, query string }{
		{"/client-grants/" + g.ID, ""}, {"/client-grants/" + g.ID, "?include_names=false"}, {"/client-grants/" + g.ID, "?include_names=true"},
	} {
		body := f.do(t, "GET", x.path+x.query, "", 200)
		for _, name := range names {
			if _, ok := body[name]; ok != strings.HasSuffix(x.query, "true") {
				t.Errorf("%s%s: %s is there: %v", x.path, x.query, name, ok)
			}
		}
	}
	for member, want := range map[string]string{"client_name": "[Zoë n3]", "resource_server_name": "[Zoë]", "is_reserved": "[false]"} {
		got := f.find(t, "/client-grants?include_totals=true&include_names=true&q=n3", "client_grants", member).Rows
		if fmt.Sprint(got) != want {
			t.Errorf("in the list %s is %v, want %s", member, got, want)
		}
	}
}
