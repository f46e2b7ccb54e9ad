package authz_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
)

func rowMachine(t *testing.T, f *fixture) {
	t.Helper()
	me := store.API{
		ID: "me", Identifier: issuer + "/me/", Scopes: []string{"read:me:factors"}, UserPolicy: store.RequireClientGrant,
		ClientPolicy: store.DenyAll,
	}
	for _, policy := range []store.Policy{store.RequireClientGrant, store.AllowAll, store.DenyAll} {
		me.UserPolicy = policy
		storetest.PutAPI(t, f.store, me)
		for _, err := range []error{
			storetest.SetGrant(t.Context(), f.store, "robot", "me", store.SubjectClient, me.Scopes),
			storetest.SetGrant(t.Context(), f.store, "robot", "me", store.SubjectUser, me.Scopes),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, scope := range []string{"", "read:me:factors"} {
			f.ask("grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret", "audience", me.Identifier,
				"scope", scope).
				want(t, string(policy), http.StatusForbidden, "access_denied")
		}
	}
}

// Each limit alone removes a scope, in every flow that it applies to.
func rowIntersection(t *testing.T, f *fixture) {
	t.Helper()
	ctx := t.Context()
	all := []string{"read:forms", "update:forms"}
	clients := map[string]store.SubjectType{
		"web": store.SubjectUser, "spa": store.SubjectUser, "third": store.SubjectUser,
		"native": store.SubjectUser, "robot": store.SubjectClient,
	}
	set := func(apiScopes, grant, role []string) {
		t.Helper()
		storetest.PutAPI(t, f.store, store.API{
			ID: "m", Identifier: api, Scopes: apiScopes, UserPolicy: store.RequireClientGrant,
			ClientPolicy: store.RequireClientGrant,
		})
		for id, subject := range clients {
			if err := storetest.SetGrant(ctx, f.store, id, "m", subject, grant); err != nil {
				t.Fatal(err)
			}
		}
		if err := storetest.SetPermissions(ctx, f.store, "ana", "m", role); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name             string
		api, grant, role []string
		want             string
		machine          string // want of a flow without a person
	}{
		{"all", all, all, all, "read:forms update:forms", "read:forms update:forms"},
		{"API", all[:1], all, all, "read:forms", "read:forms"},
		{"grant", all, all[:1], all, "read:forms", "read:forms"},
		{"role", all, all, all[:1], "read:forms", "read:forms update:forms"},
		{"nothing in common", all, all[:1], all[1:], "", "read:forms"},
	} {
		set(tt.api, tt.grant, tt.role)
		for _, fl := range flows() {
			f.wait(time.Minute)
			if err := forgetConsent(t, f); err != nil {
				t.Fatal(err)
			}
			want := strings.TrimSpace(offline + tt.want)
			if fl.again == nil {
				want = tt.machine
			}
			if a := fl.earn(f, "read:forms update:forms delete:forms"); a.StatusCode != http.StatusOK || a.text("scope") != want {
				t.Errorf("%s, %s: %d %s, want %q", tt.name, fl.name, a.StatusCode, a.body, want)
			}
		}
	}
	// Consent alone: a refresh gets only what the person agreed to before.
	set(all, all, all)
	if err := forgetConsent(t, f); err != nil {
		t.Fatal(err)
	}
	f.wait(time.Minute)
	b, page := f.signedIn(third("scope", offline+"read:forms update:forms"))
	first := f.thirdExchange(b.choose(page, "allow").location().Get("code"))
	given, err := f.store.Consent(ctx, "ana", "third", api)
	if err != nil {
		t.Fatal(err)
	}
	given.Scope = []string{"openid", "offline_access", "read:forms"}
	storetest.SetConsent(t, f.store, given)
	if a := f.refresh(first.text("refresh_token"), "client_id", "third"); a.text("scope") != offline+"read:forms" {
		t.Errorf("consent: %s, want it without update:forms", a.body)
	}
}

// forgetConsent makes the next flow of the third-party client ask again.
func forgetConsent(t *testing.T, f *fixture) error {
	t.Helper()
	err := f.store.EndAuthorizations(t.Context(), "ana", "third")
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

func rowWords(t *testing.T, f *fixture) {
	t.Helper()
	for _, fl := range flows() {
		f.wait(time.Minute)
		if fl.name == "code with consent" {
			continue // its earn needs a page; the words are split by the same code
		}
		a := fl.earn(f, "read:formsX xread:forms read: :forms READ:FORMS read:forms,update:forms read:forms")
		if a.StatusCode != http.StatusOK || strings.TrimSpace(strings.TrimPrefix(a.text("scope"), offline)) != "read:forms" {
			t.Errorf("%s: %d %s, want read:forms alone", fl.name, a.StatusCode, a.body)
		}
	}
	for _, bad := range []string{"update:forms\tadmin", `read:forms"`, `a\b`, "read:förms", words(1000)} {
		f.wait(time.Minute)
		f.ask(native("scope", bad)...).want(t, "password", http.StatusBadRequest, "invalid_scope")
		f.ask("grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret", "audience", api, "scope", bad).
			want(t, "client credentials", http.StatusBadRequest, "invalid_scope")
		f.push([]string{"scope", bad}).want(t, "pushed", http.StatusBadRequest, "invalid_scope")
		if v := f.send(http.MethodGet, "/authorize?"+query("scope", bad), "").location(); v.Get("error") != "invalid_scope" {
			t.Errorf("code with scope %.20q: %v, want invalid_scope", bad, v)
		}
	}
}
