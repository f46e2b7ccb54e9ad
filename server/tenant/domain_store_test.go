package tenant_test

import (
	"errors"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant"
	"github.com/formgraph/formgraph/server/tenant/access"
)

// Every kind of row that begins at a domain exists only there, for every caller and in any order: the handlers' own checks do not count
// here.
func TestDomainStore(t *testing.T) {
	s, ctx := sqlitetest.Open(t), t.Context()
	here := tenant.StoreAt(s, access.Domain{Issuer: customURL, Canonical: issuer, Other: issuer})
	there := tenant.StoreAt(s, access.Domain{Issuer: issuer, Canonical: issuer, Other: customURL})
	end := noon().Add(time.Hour)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.CreateClient(ctx, store.Client{ID: "c", Created: noon(), SecretSince: noon()}))
	must(s.CreateUser(ctx, store.User{ID: "u", Email: "u@example.com", Created: noon()}))
	family := store.Family{ID: "f", ClientID: "c", UserID: "u", SignInID: "s", AuthTime: noon(), Audience: customURL + "/me/", Expires: end}
	other := family
	other.ID = "g"
	must(here.CreateCode(ctx, family, store.Code{Hash: []byte{1}, Expires: end}))
	must(here.CreateFamily(ctx, other))
	must(here.CreateRefresh(ctx, store.Refresh{Hash: []byte{2}, FamilyID: "g", Expires: end}))
	must(here.CreateSignIn(ctx, store.SignIn{Hash: []byte{3}, ID: "s", UserID: "u", Expires: end}))
	must(here.CreateRequest(ctx, store.PushedRequest{Hash: []byte{4}, ClientID: "c", Expires: end}, end.Add(-time.Minute)))
	must(here.CreateAuthSession(ctx, store.AuthSession{Hash: []byte{5}, ClientID: "c", Expires: end}, noon()))
	must(here.CreateTicket(ctx, store.Ticket{Hash: []byte{6}, UserID: "u", Expires: end}, noon()))
	storetest.SetConsent(t, here, store.Consent{ID: "k", UserID: "u", ClientID: "c", Audience: customURL + "/me/", Given: noon()})

	// In an order in which operations that use a row up come last.
	for _, tt := range []struct {
		name string
		read func(r store.Tenant) error
	}{
		{"sign-in", func(r store.Tenant) error { _, err := r.SignIn(ctx, []byte{3}); return err }},
		{"code", func(r store.Tenant) error {
			_, f, err := r.UseCode(ctx, []byte{1})
			if err == nil && f.Audience != customURL+"/me/" {
				t.Errorf("a code is for %s", f.Audience)
			}
			return err
		}},
		{"refresh token", func(r store.Tenant) error { _, _, err := r.Refresh(ctx, []byte{2}); return err }},
		{"auth session", func(r store.Tenant) error { _, err := r.AuthSession(ctx, []byte{5}); return err }},
		{"use of an auth session", func(r store.Tenant) error { _, err := r.UseAuthSession(ctx, []byte{5}); return err }},
		{"ticket", func(r store.Tenant) error { _, err := r.Ticket(ctx, []byte{6}, noon()); return err }},
		{"use of a ticket", func(r store.Tenant) error { _, err := r.RedeemTicket(ctx, []byte{6}, noon(), "x"); return err }},
		{"consent by the name of one domain", func(r store.Tenant) error {
			c, err := r.Consent(ctx, "u", "c", customURL+"/me/")
			if err == nil && c.Audience != customURL+"/me/" {
				t.Errorf("a consent is for %s", c.Audience)
			}
			return err
		}},
	} {
		if err := tt.read(there); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s at the other domain: %v, want ErrNotFound", tt.name, err)
		}
		if err := tt.read(here); err != nil {
			t.Errorf("%s at its domain: %v", tt.name, err)
		}
	}
	if _, err := there.Consent(ctx, "u", "c", issuer+"/me/"); err != nil {
		t.Errorf("the consent by the other domain's name: %v, want it", err)
	}
	// A request is used up at the wrong domain.
	for _, r := range []store.Tenant{there, here} {
		if _, err := r.OpenRequest(ctx, []byte{4}, noon(), end); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("request: %v, want ErrNotFound", err)
		}
	}
	// No audience of the other domain is stored.
	bad := family
	bad.ID, bad.Audience = "b", issuer+"/me/"
	for name, err := range map[string]error{
		"family": here.CreateFamily(ctx, bad),
		"code":   here.CreateCode(ctx, bad, store.Code{Hash: []byte{9}, Expires: end}),
		"consent": here.UpdateConsent(ctx, store.Consent{ID: "l", UserID: "u", ClientID: "c", Audience: issuer + "/me/"},
			func(*store.Consent) error { return nil }),
	} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s for the other domain's audience: %v, want ErrNotFound", name, err)
		}
	}
}
