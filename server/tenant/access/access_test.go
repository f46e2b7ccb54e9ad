package access_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// The scopes of the table: two of the API, one that it lacks, and two that describe the person.
// A set of them is a number whose bits are words.
var vocabulary = []string{"read:x", "update:x", "not:there", access.OpenID, access.Offline}

const (
	ofAPI    = 0b00011
	identity = 0b11000
	offline  = 0b10000
)

func words(set int) []string {
	var out []string
	for i, w := range vocabulary {
		if set>>i&1 == 1 {
			out = append(out, w)
		}
	}
	return out
}

// facts are one row of the table, with sets as numbers.
type facts struct {
	api          int // 0 none, 1 any, 2 the self-service API
	inactive     bool
	client       bool
	policy       store.Policy // of the subject; the other subject's is the most open one that lies
	grant        int          // -1 for none
	held, wanted int
	consent      int // -1 when nothing is asked
	refresh      bool
}

// oracle returns what a row must grant: set algebra on numbers, written from the rules and not from the code. refused is
// not the empty set.
func oracle(f facts) (set int, refused bool) {
	limit := map[store.Policy]int{store.AllowAll: ofAPI, store.RequireClientGrant: f.grant & ofAPI, store.DenyAll: -1, "other": -1}[f.policy]
	if f.policy == store.RequireClientGrant && f.grant < 0 || f.inactive || f.api == 2 && f.client {
		limit = -1
	}
	if f.api == 0 {
		limit = 0
		if f.client {
			limit = -1
		}
	}
	if limit < 0 {
		return 0, true
	}
	if f.client {
		if f.wanted == 0 {
			return limit, false
		}
		return f.wanted & limit, false
	}
	set = f.wanted & (limit&f.held | identity)
	if !f.refresh {
		set &^= offline
	}
	if f.consent >= 0 {
		set &= f.consent
	}
	return set, false
}

func (f facts) build() access.Facts {
	out := access.Facts{
		Subject: store.SubjectUser, Held: words(f.held), Wanted: words(f.wanted), CanRefresh: f.refresh,
		HasGrant: f.grant >= 0, Grant: words(max(f.grant, 0)), Consent: access.Consent{Asked: f.consent >= 0, Scopes: words(max(f.consent, 0))},
	}
	if f.api > 0 {
		a := store.API{ID: "x", Scopes: words(ofAPI), UserPolicy: f.policy, ClientPolicy: store.AllowAll, Inactive: f.inactive}
		if f.api == 2 {
			a.ID = access.SelfServiceAPI
		}
		if f.client {
			a.UserPolicy, a.ClientPolicy = store.AllowAll, f.policy
		}
		out.API = &a
	}
	if f.client {
		out.Subject = store.SubjectClient
	}
	return out
}

// every calls check with each combination of facts. It leaves out facts that cannot matter: without an API there is no
// activation, policy or grant.
func every(check func(facts)) {
	bools := []bool{false, true}
	people := func(f facts) {
		for f.held = range 4 {
			for f.wanted = range 32 {
				for _, f.refresh = range bools {
					for f.consent = -1; f.consent < 4; f.consent++ {
						check(f)
					}
					for of := range 4 { // identity scopes can be left out, too
						f.consent = of | identity
						check(f)
						f.consent = of | offline
						check(f)
					}
				}
			}
		}
	}
	for _, client := range bools {
		people(facts{client: client, grant: -1})
		for api := 1; api < 3; api++ {
			for _, inactive := range bools {
				for _, policy := range []store.Policy{store.AllowAll, store.RequireClientGrant, store.DenyAll, "other"} {
					for grant := -1; grant < 8; grant++ { // a grant may name what the API has lost
						people(facts{api: api, inactive: inactive, client: client, policy: policy, grant: grant})
					}
				}
			}
		}
	}
}

// TestGranted compares every combination of activation, policy, grant, permissions, consent and request
// with the oracle.
func TestGranted(t *testing.T) {
	n, wrong := 0, 0
	every(func(f facts) {
		n++
		set, refused := oracle(f)
		got, why := access.Granted(f.build())
		if (why != access.Allowed) != refused || !slices.Equal(got, words(set)) {
			if wrong++; wrong < 10 {
				t.Errorf("%+v: got %v %q, want %v, refused %v", f, got, why, words(set), refused)
			}
		}
	})
	t.Logf("%d combinations, %d wrong", n, wrong)
}

// Client credentials for the account API are refused in every configuration.
func TestSelfServiceIsForPeople(t *testing.T) {
	n := 0
	every(func(f facts) {
		if f.api != 2 || !f.client {
			return
		}
		n++
		if got, why := access.Granted(f.build()); why != access.NotByUser || got != nil {
			t.Fatalf("%+v: got %v %q, want %q", f, got, why, access.NotByUser)
		}
	})
	if n == 0 {
		t.Error("no row asked")
	}
}

func TestRefusals(t *testing.T) {
	api := func(change func(*store.API)) *store.API {
		a := store.API{ID: "x", Scopes: []string{"a"}, UserPolicy: store.RequireClientGrant, ClientPolicy: store.DenyAll}
		change(&a)
		return &a
	}
	for name, x := range map[string]struct {
		facts access.Facts
		want  access.Refusal
	}{
		"no grant": {access.Facts{API: api(func(*store.API) {}), Subject: store.SubjectUser}, access.NoGrant},
		"denied":   {access.Facts{API: api(func(*store.API) {}), Subject: store.SubjectClient, HasGrant: true}, access.Forbidden},
		"inactive": {access.Facts{
			API: api(func(a *store.API) { a.Inactive = true }), Subject: store.SubjectUser,
			HasGrant: true,
		}, access.Inactive},
		"no API":    {access.Facts{Subject: store.SubjectClient}, access.NoAPI},
		"user info": {access.Facts{Subject: store.SubjectUser}, access.Allowed},
		"an odd policy": {access.Facts{
			API: api(func(a *store.API) { a.UserPolicy = "" }), Subject: store.SubjectUser,
			HasGrant: true,
		}, access.Forbidden},
	} {
		if _, got := access.Granted(x.facts); got != x.want {
			t.Errorf("%s: got %q, want %q", name, got, x.want)
		}
	}
}

func TestOrderAndRepeats(t *testing.T) {
	a := &store.API{ID: "x", Scopes: []string{"a", "b", "c"}, UserPolicy: store.AllowAll, ClientPolicy: store.AllowAll}
	got, _ := access.Granted(access.Facts{
		API: a, Subject: store.SubjectUser, Held: []string{"a", "b"},
		Wanted: []string{"b", access.OpenID, "a", "b", "A", "a b"},
	})
	if want := []string{"b", access.OpenID, "a"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	got, _ = access.Granted(access.Facts{API: a, Subject: store.SubjectClient})
	if !slices.Equal(got, a.Scopes) {
		t.Errorf("a client that names no scope got %v, want all", got)
	}
	if got[0] = "changed"; a.Scopes[0] != "a" {
		t.Error("the answer shares memory with the API")
	}
}

// The scopes of the account API are <verb>:me:<resource>, each once.
func TestSelfServiceScopes(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range access.SelfServiceScopes() {
		parts := strings.Split(s, ":")
		if len(parts) != 3 || parts[1] != "me" || !slices.Contains([]string{"create", "read", "update", "delete"}, parts[0]) ||
			access.Identity(s) {
			t.Errorf("scope %q is not <verb>:me:<resource>", s)
		}
		seen[s] = true
	}
	if len(seen) != len(access.SelfServiceScopes()) || !seen["create:me:authentication_methods"] {
		t.Error(fmt.Sprint("a scope is missing or twice: ", slices.Sorted(maps.Keys(seen))))
	}
}
