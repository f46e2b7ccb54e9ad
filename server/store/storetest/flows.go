package storetest

import (
	"encoding/binary"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// flowPeople stores client c and user u, without an authorization.
func flowPeople(t *testing.T, s store.Tenant) {
	t.Helper()
	must(t, s.CreateClient(t.Context(), store.Client{ID: "c", Created: noon(), SecretSince: noon()}))
	must(t, s.CreateUser(t.Context(), ana()))
}

func families(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	mustBe(t, "CreateFamily of nobody", s.CreateFamily(ctx, family()), store.ErrNotFound)
	flowPeople(t, s)
	must(t, s.CreateFamily(ctx, family()))
	mustBe(t, "CreateFamily again", s.CreateFamily(ctx, family()), store.ErrConflict)
	must(t, s.CreateRefresh(ctx, token(1)))
	r, f, err := s.Refresh(ctx, []byte{1})
	must(t, err)
	equal(t, r, token(1))
	equal(t, f, family())
}

func consent() store.Consent {
	return store.Consent{ID: "con", UserID: "u", ClientID: "c", Audience: "http://t/m", Scope: []string{"openid", "read:forms"}, Given: noon()}
}

func consents(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	mustBe(t, "UpdateConsent of nobody", s.UpdateConsent(ctx, consent(), func(*store.Consent) error { return nil }), store.ErrNotFound)
	authorized(t, s)
	_, err := s.Consent(ctx, "u", "c", "http://t/m")
	mustBe(t, "Consent of nothing", err, store.ErrNotFound)
	SetConsent(t, s, consent())
	got, err := s.Consent(ctx, "u", "c", "http://t/m")
	must(t, err)
	equal(t, got, consent())
	_, err = s.Consent(ctx, "u", "c", "http://t/n")
	mustBe(t, "Consent of another audience", err, store.ErrNotFound)

	// Again: the scope is replaced, the ID stays.
	next := consent()
	next.ID, next.Scope, next.Given = "other", []string{"openid"}, noon().Add(time.Hour)
	mustBe(t, "a change that fails", s.UpdateConsent(ctx, next, func(*store.Consent) error { return store.ErrConflict }), store.ErrConflict)
	must(t, s.UpdateConsent(ctx, next, func(kept *store.Consent) error { equal(t, *kept, consent()); return nil }))
	SetConsent(t, s, next)
	next.ID = "con"
	second := consent()
	second.ID, second.Audience = "con2", "http://t/n"
	SetConsent(t, s, second)
	got, err = s.Consent(ctx, "u", "c", "http://t/m")
	must(t, err)
	equal(t, got, next)
}

// endedConsents checks that EndAuthorizations ends the consents and families of the person and the client, and not those of other clients.
func endedConsents(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	authorized(t, s)
	SetConsent(t, s, consent())
	second := consent()
	second.ID, second.Audience, second.Scope, second.Given = "con2", "http://t/n", []string{"openid"}, noon().Add(time.Hour)
	SetConsent(t, s, second)
	must(t, s.CreateClient(ctx, store.Client{ID: "d", Created: noon(), SecretSince: noon()}))
	kept := consent()
	kept.ID, kept.ClientID = "con3", "d"
	SetConsent(t, s, kept)
	other := family()
	other.ID, other.ClientID = "g", "d"
	must(t, s.CreateFamily(ctx, other))
	must(t, s.CreateRefresh(ctx, token(1)))
	theirs := token(2)
	theirs.FamilyID = "g"
	must(t, s.CreateRefresh(ctx, theirs))
	mustBe(t, "EndAuthorizations by another person", s.EndAuthorizations(ctx, "v", "c"), store.ErrNotFound)
	_, f, err := s.Refresh(ctx, []byte{1})
	must(t, err)
	if f.Revoked {
		t.Error("another person revoked the family")
	}
	// A consent without a token is an authorization too, dated when it was given.
	as, err := s.Authorizations(ctx, "u", noon())
	must(t, err)
	equal(t, as[1], store.Authorization{ClientID: "c", Audience: "http://t/n", Scope: second.Scope, Since: second.Given})
	must(t, s.EndAuthorizations(ctx, "u", "c"))
	mustBe(t, "EndAuthorizations again", s.EndAuthorizations(ctx, "u", "c"), store.ErrNotFound)
	for _, audience := range []string{"http://t/m", "http://t/n"} {
		_, err = s.Consent(ctx, "u", "c", audience)
		mustBe(t, "Consent after EndAuthorizations", err, store.ErrNotFound)
	}
	_, err = s.Consent(ctx, "u", "d", "http://t/m")
	must(t, err)
	for hash, want := range map[byte]bool{1: true, 2: false} {
		_, f, err := s.Refresh(ctx, []byte{hash})
		must(t, err)
		if f.Revoked != want {
			t.Errorf("family of token %d revoked = %v, want %v", hash, f.Revoked, want)
		}
	}
}

func requests(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	row := store.PushedRequest{
		Hash: []byte{1}, ClientID: "c", Query: "a=b&c=%20", Expires: noon().Add(90 * time.Second),
		Issuer: "http://login.t",
	}
	mustBe(t, "CreateRequest of nobody", s.CreateRequest(ctx, row, noon()), store.ErrNotFound)
	flowPeople(t, s)
	must(t, s.CreateRequest(ctx, row, noon()))
	mustBe(t, "CreateRequest again", s.CreateRequest(ctx, row, noon()), store.ErrConflict)
	_, err := s.Request(ctx, []byte{1}, noon())
	mustBe(t, "Request that nobody opened", err, store.ErrNotFound)
	_, err = s.OpenRequest(ctx, []byte{2}, noon(), noon().Add(time.Hour))
	mustBe(t, "OpenRequest of nothing", err, store.ErrNotFound)
	_, err = s.OpenRequest(ctx, []byte{1}, noon().Add(91*time.Second), noon().Add(time.Hour))
	mustBe(t, "OpenRequest after its end", err, store.ErrNotFound)
	got, err := s.OpenRequest(ctx, []byte{1}, noon().Add(90*time.Second), noon().Add(time.Hour))
	must(t, err)
	row.Opened, row.Expires = true, noon().Add(time.Hour)
	equal(t, got, row)
	_, err = s.OpenRequest(ctx, []byte{1}, noon(), noon().Add(time.Hour))
	mustBe(t, "OpenRequest again", err, store.ErrNotFound)
	got, err = s.Request(ctx, []byte{1}, noon().Add(time.Hour))
	must(t, err)
	equal(t, got, row)
	_, err = s.Request(ctx, []byte{1}, noon().Add(time.Hour+time.Second))
	mustBe(t, "Request after its end", err, store.ErrNotFound)
	must(t, s.DeleteRequest(ctx, []byte{1}))
	must(t, s.DeleteRequest(ctx, []byte{1}))
	_, err = s.Request(ctx, []byte{1}, noon())
	mustBe(t, "Request after DeleteRequest", err, store.ErrNotFound)

	row = store.PushedRequest{Hash: []byte{3}, ClientID: "c", Expires: noon()}
	must(t, s.CreateRequest(ctx, row, noon()))
	must(t, s.Sweep(ctx, noon()))
	mustBe(t, "CreateRequest before it is swept", s.CreateRequest(ctx, row, noon()), store.ErrConflict)
	must(t, s.Sweep(ctx, noon().Add(time.Second)))
	must(t, s.CreateRequest(ctx, row, noon()))
	must(t, s.CreateRequest(ctx, row, noon().Add(time.Second))) // this deletes the ended one
}

// boundedRequests checks that a client keeps its newest requests, with waiting and opened ones counted apart, and that the requests of
// other clients stay.
func boundedRequests(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	flowPeople(t, s)
	must(t, s.CreateClient(ctx, store.Client{ID: "other", Name: "Other"}))
	hash := func(i int) []byte { return binary.BigEndian.AppendUint32([]byte{1}, uint32(i)) } //nolint:gosec // small
	create := func(id string, hash []byte, ends time.Time) {
		t.Helper()
		must(t, s.CreateRequest(ctx, store.PushedRequest{Hash: hash, ClientID: id, Expires: ends}, noon()))
	}
	ends := func(i int) time.Time { return noon().Add(time.Minute + time.Duration(i)*time.Millisecond) }
	create("other", []byte{2}, ends(0))
	create("c", []byte{3}, ends(0))
	_, err := s.OpenRequest(ctx, []byte{3}, noon(), ends(0))
	must(t, err)
	for i := range store.MaxWaiting + 1 {
		create("c", hash(i), ends(i))
	}
	_, err = s.OpenRequest(ctx, hash(0), noon(), ends(0))
	mustBe(t, "OpenRequest of the oldest", err, store.ErrNotFound)
	for _, h := range [][]byte{hash(1), hash(store.MaxWaiting), {2}} {
		if _, err := s.OpenRequest(ctx, h, noon(), ends(0)); err != nil {
			t.Errorf("OpenRequest of %x: %v", h, err)
		}
	}
	if _, err := s.Request(ctx, []byte{3}, noon()); err != nil {
		t.Errorf("Request that was opened before: %v", err)
	}
}

func oneOpens(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	flowPeople(t, s)
	must(t, s.CreateRequest(ctx, store.PushedRequest{Hash: []byte{1}, ClientID: "c", Expires: noon()}, noon()))
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			switch _, err := s.OpenRequest(ctx, []byte{1}, noon(), noon()); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, store.ErrNotFound):
				t.Errorf("OpenRequest = %v, want nil or ErrNotFound", err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 {
		t.Errorf("%d opened one request, want 1", won.Load())
	}
}

func recipients(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	authorized(t, s) // client c, sign-in sid
	for i, id := range []string{"d", "e"} {
		must(t, s.CreateClient(ctx, store.Client{ID: id, Created: noon(), SecretSince: noon()}))
		f := family()
		f.ID, f.ClientID, f.SignInID = "f"+id, id, []string{"sid", "sid2"}[i]
		must(t, s.CreateFamily(ctx, f))
	}
	again := family()
	again.ID = "again"
	canonical := family()
	canonical.ID, canonical.SignInID, canonical.Issuer = "canonical", "sid4", ""
	must(t, s.CreateFamily(ctx, canonical))
	must(t, s.CreateFamily(ctx, again)) // a second authorization of c adds no recipient, one at another issuer does
	must(t, s.RevokeFamily(ctx, "f"))
	must(t, s.RevokeFamily(ctx, "again"))
	ChangeClient(t, s, "c", func(c *store.Client) { c.BackchannelURI = "http://c/" })
	ChangeClient(t, s, "d", func(c *store.Client) { c.RequirePushed = true })
	ChangeClient(t, s, "e", func(c *store.Client) { c.BackchannelURI = "http://e/" })
	c, e := store.Recipient{ClientID: "c", URI: "http://c/", Issuer: "http://login.t"},
		store.Recipient{ClientID: "e", URI: "http://e/", Issuer: "http://login.t"}
	here := store.Recipient{ClientID: "c", URI: "http://c/"}
	for _, tt := range []struct {
		user, signIn string
		want         []store.Recipient
	}{
		{"u", "sid", []store.Recipient{c}},
		{"u", "sid2", []store.Recipient{e}},
		{"u", "sid3", nil},
		{"u", "sid4", []store.Recipient{here}},
		{"u", "", []store.Recipient{here, c, e}},
		{"v", "", nil},
	} {
		got, err := s.Recipients(ctx, tt.user, tt.signIn)
		must(t, err)
		equal(t, got, tt.want)
	}
}
