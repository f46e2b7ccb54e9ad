package account_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// A new password ends every other login unless the person asks to keep them, and never the one that asks.
func TestNewPasswordEndsOthers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		member any // of the body; nil for none
		want   []string
	}{
		{"not asked", nil, []string{"s2", "s3"}},
		{"refused", false, nil},
		{"asked", true, []string{"s2", "s3"}},
	} {
		f := newFixture(t)
		var reported []string
		f.SignedOut = func(_ context.Context, user, signIn string) error {
			if user != "ana" {
				t.Errorf("%s: notified about %s", tt.name, user)
			}
			reported = append(reported, signIn)
			return nil
		}
		ctx, end := t.Context(), f.clock().Add(time.Hour)
		for i, id := range []string{"s1", "s2"} {
			err := f.store.CreateSignIn(ctx, store.SignIn{Hash: []byte{byte(i)}, ID: id, UserID: "ana", AuthTime: f.clock(), Expires: end})
			if err != nil {
				t.Fatal(err)
			}
		}
		for i, id := range []string{"s1", "s3"} {
			err := f.store.CreateFamily(ctx, store.Family{
				ID: id, ClientID: "editor", UserID: "ana", SignInID: id, AuthTime: f.clock(),
				Expires: end,
			})
			if err == nil {
				err = f.store.CreateRefresh(ctx, store.Refresh{Hash: []byte{byte(i)}, FamilyID: id, Expires: end})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		body := object{"auth_session": f.begin(f.token(), "password").text("auth_session"), "new_password": "a new password"}
		if tt.member != nil {
			body["end_other_sessions"] = tt.member
		}
		f.verify(f.token(), "password", body).want(t, tt.name, http.StatusCreated, "")
		left, err := f.store.Logins(ctx, "ana", f.clock())
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, l := range left {
			ids = append(ids, l.ID)
		}
		slices.Sort(ids)
		want := slices.DeleteFunc([]string{"s1", "s2", "s3"}, func(id string) bool { return slices.Contains(tt.want, id) })
		if !slices.Equal(ids, want) || !slices.Equal(reported, tt.want) {
			t.Errorf("%s: %v are left and %v were reported, want %v and %v", tt.name, ids, reported, want, tt.want)
		}
		if u, err := f.store.User(ctx, "ana"); err != nil || u.PasswordHash != "hash of a new password" {
			t.Errorf("%s: kept %+v, %v", tt.name, u, err)
		}
	}
	f := newFixture(t)
	body := object{
		"auth_session": f.begin(f.token(), "password").text("auth_session"), "new_password": "a new password",
		"end_other_sessions": "yes",
	}
	f.verify(f.token(), "password", body).want(t, "not a boolean", http.StatusBadRequest, "invalid_body")
}

// What is taken from a person or an application ends at once, whatever the token says.
func TestTakenAwayEndsAtOnce(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	policy := func(change func(*store.API)) func() error {
		return func() error { storetest.ChangeAPI(t, f.store, "me", change); return nil }
	}
	asked := func() error {
		storetest.ChangeClient(t, f.store, "editor", func(c *store.Client) { c.FirstParty = false })
		return nil
	}
	given := func(scopes ...string) func() error {
		return func() error {
			storetest.SetConsent(t, f.store, store.Consent{
				ID: "con", UserID: "ana", ClientID: "editor",
				Audience: access.SelfServiceAudience(issuer), Scope: scopes, Given: f.clock(),
			})
			return nil
		}
	}
	for _, x := range []struct {
		name       string
		take, back func() error
	}{
		{"a permission", func() error {
			return storetest.SetPermissions(ctx, f.store, "ana", "me", access.SelfServiceScopes()[1:])
		}, func() error {
			return storetest.SetPermissions(ctx, f.store, "ana", "me", access.SelfServiceScopes())
		}},
		{"a scope of the grant", func() error {
			return storetest.SetGrant(ctx, f.store, "editor", "me", store.SubjectUser, access.SelfServiceScopes()[1:])
		}, func() error {
			return storetest.SetGrant(ctx, f.store, "editor", "me", store.SubjectUser, access.SelfServiceScopes())
		}},
		{
			"the policy", policy(func(a *store.API) { a.UserPolicy = store.DenyAll }),
			policy(func(a *store.API) { a.UserPolicy = store.RequireClientGrant }),
		},
		{"activation", policy(func(a *store.API) { a.Inactive = true }), policy(func(a *store.API) { a.Inactive = false })},
		{"the tenant's trust in the application", asked, given(access.SelfServiceScopes()...)},
		{"a part of the consent", given("openid"), given(access.SelfServiceScopes()...)},
		{"the consent", func() error { return f.store.EndAuthorizations(ctx, "ana", "editor") }, given(access.SelfServiceScopes()...)},
	} {
		token := f.token()
		call := func() int { return f.do(token, http.MethodGet, "/factors", nil).StatusCode }
		if got := call(); got != http.StatusOK {
			t.Fatalf("before %s was taken = %d", x.name, got)
		}
		if err := x.take(); err != nil {
			t.Fatal(err)
		}
		if got := call(); got != http.StatusForbidden {
			t.Errorf("after %s was taken = %d, want 403", x.name, got)
		}
		if err := x.back(); err != nil {
			t.Fatal(err)
		}
		if got := call(); got != http.StatusOK {
			t.Errorf("after %s came back = %d", x.name, got)
		}
	}
	token := f.token()
	if err := f.store.DeleteClient(ctx, "editor"); err != nil {
		t.Fatal(err)
	}
	if a := f.do(token, http.MethodGet, "/factors", nil); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("a token of a client that is gone = %d, want 401", a.StatusCode)
	}
}
