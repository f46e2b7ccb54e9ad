package storetest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

func family() store.Family {
	return store.Family{
		ID: "f", ClientID: "c", UserID: "u", SignInID: "sid", AuthTime: noon(), ACR: "mfa", AMR: []string{"pwd", "otp"}, Audience: "http://t/m",
		Scope: []string{"openid", "read:forms"}, Expires: noon().Add(90 * 24 * time.Hour), Issuer: "http://login.t",
		Device: store.Device{UserAgent: "a browser", IP: "192.0.2.1"},
	}
}

func code() store.Code {
	return store.Code{
		Hash: []byte{7}, FamilyID: "f", RedirectURI: "http://a/cb", Challenge: "ch", Nonce: "no", Key: "jkt",
		Expires: noon().Add(time.Minute),
	}
}

// authorized stores a client, a user, a family and its code.
func authorized(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	must(t, s.CreateClient(ctx, store.Client{ID: "c", Created: noon(), SecretSince: noon()}))
	must(t, s.CreateUser(ctx, ana()))
	must(t, s.CreateCode(ctx, family(), code()))
}

func codes(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	_, _, err := s.UseCode(ctx, []byte{7})
	mustBe(t, "UseCode of nothing", err, store.ErrNotFound)
	authorized(t, s)
	mustBe(t, "CreateCode again", s.CreateCode(ctx, family(), code()), store.ErrConflict)
	other := family()
	other.ID = "g"
	mustBe(t, "CreateCode of a taken code", s.CreateCode(ctx, other, code()), store.ErrConflict)
	_, _, err = s.UseCode(ctx, []byte{8})
	mustBe(t, "UseCode of another code", err, store.ErrNotFound)
	for uses := 1; uses <= 3; uses++ {
		c, f, err := s.UseCode(ctx, []byte{7})
		must(t, err)
		want := code()
		want.Uses = uses
		equal(t, c, want)
		equal(t, f, family())
	}
	isLive(t, s, "f", true)
	isLive(t, s, "nothing", false)
	must(t, s.RevokeFamily(ctx, "f"))
	isLive(t, s, "f", false)
	_, f, err := s.UseCode(ctx, []byte{7})
	must(t, err)
	if !f.Revoked {
		t.Error("family is not revoked after RevokeFamily")
	}
}

func isLive(t *testing.T, s store.Tenant, id string, want bool) {
	t.Helper()
	live, err := s.FamilyLive(t.Context(), id)
	must(t, err)
	if live != want {
		t.Errorf("FamilyLive(%q) = %t, want %t", id, live, want)
	}
}

func token(n byte) store.Refresh {
	return store.Refresh{Hash: []byte{n}, FamilyID: "f", Key: "jkt", Expires: noon().Add(30 * 24 * time.Hour)}
}

func refresh(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	mustBe(t, "CreateRefresh without a family", s.CreateRefresh(ctx, token(1)), store.ErrNotFound)
	authorized(t, s)
	must(t, s.CreateRefresh(ctx, token(1)))
	mustBe(t, "second CreateRefresh of a family", s.CreateRefresh(ctx, token(2)), store.ErrConflict)
	_, _, err := s.Refresh(ctx, []byte{2})
	mustBe(t, "Refresh of a token that was refused", err, store.ErrNotFound)

	must(t, s.Rotate(ctx, []byte{1}, token(2)))
	r, f, err := s.Refresh(ctx, []byte{2})
	must(t, err)
	equal(t, r, token(2))
	equal(t, f, family())
	used := token(1)
	used.Used = true
	r, _, err = s.Refresh(ctx, []byte{1})
	must(t, err)
	equal(t, r, used)
	mustBe(t, "Rotate of a used token", s.Rotate(ctx, []byte{1}, token(3)), store.ErrConflict)
	mustBe(t, "Rotate of nothing", s.Rotate(ctx, []byte{9}, token(3)), store.ErrConflict)

	// A failed insert must not use up the old token.
	mustBe(t, "Rotate to a taken token", s.Rotate(ctx, []byte{2}, token(1)), store.ErrConflict)
	must(t, s.Rotate(ctx, []byte{2}, token(3)))

	must(t, s.RevokeFamily(ctx, "f"))
	must(t, s.RevokeFamily(ctx, "nothing"))
	mustBe(t, "Rotate in a revoked family", s.Rotate(ctx, []byte{3}, token(4)), store.ErrConflict)
	_, f, err = s.Refresh(ctx, []byte{3})
	must(t, err)
	if !f.Revoked {
		t.Error("family is not revoked after RevokeFamily")
	}
	late := family()
	late.ID = "late"
	c := code()
	c.Hash = []byte{70}
	must(t, s.CreateCode(ctx, late, c))
	must(t, s.RevokeFamily(ctx, "late"))
	first := token(71)
	first.FamilyID = "late"
	mustBe(t, "CreateRefresh in a revoked family", s.CreateRefresh(ctx, first), store.ErrConflict)
}

func oneRefreshWins(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	authorized(t, s)
	must(t, s.CreateRefresh(ctx, token(1)))
	var won, lost atomic.Int32
	var wg sync.WaitGroup
	for i := range byte(20) {
		wg.Go(func() {
			switch err := s.Rotate(ctx, []byte{1}, token(100+i)); {
			case err == nil:
				won.Add(1)
			case errors.Is(err, store.ErrConflict):
				lost.Add(1)
			default:
				t.Errorf("Rotate = %v, want nil or ErrConflict", err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 || lost.Load() != 19 {
		t.Errorf("won %d, lost %d, want 1 and 19", won.Load(), lost.Load())
	}
}

func sweep(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	authorized(t, s)
	must(t, s.CreateRefresh(ctx, token(1)))
	must(t, s.CreateSignIn(ctx, store.SignIn{Hash: []byte{1}, ID: "sid", UserID: "u", AuthTime: noon(), Expires: noon().Add(time.Hour)}))

	proof := func(after time.Duration, want bool) {
		t.Helper()
		if first, err := s.UseProof(ctx, []byte{1}, noon(), noon().Add(after)); err != nil || first != want {
			t.Errorf("UseProof = %v, %v, want %v", first, err, want)
		}
	}
	proof(time.Hour-store.ProofMargin, true)
	must(t, s.Sweep(ctx, noon().Add(time.Hour)))
	proof(time.Hour, false)
	if _, err := s.SignIn(ctx, []byte{1}); err != nil {
		t.Errorf("SignIn at its end = %v, want nil", err)
	}
	must(t, s.Sweep(ctx, noon().Add(2*time.Hour)))
	proof(time.Hour, true)
	_, err := s.SignIn(ctx, []byte{1})
	mustBe(t, "SignIn after its end", err, store.ErrNotFound)
	if _, _, err := s.UseCode(ctx, []byte{7}); err != nil {
		t.Errorf("UseCode of an expired code = %v, want nil while its family lives", err)
	}
	must(t, s.Sweep(ctx, noon().Add(91*24*time.Hour)))
	_, _, err = s.UseCode(ctx, []byte{7})
	mustBe(t, "UseCode after the family's end", err, store.ErrNotFound)
	_, _, err = s.Refresh(ctx, []byte{1})
	mustBe(t, "Refresh after the family's end", err, store.ErrNotFound)
}
