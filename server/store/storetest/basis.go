package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// basis checks that a row is stored only while its basis holds.
func basis(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	end := noon().Add(time.Hour)
	authorized(t, s)
	must(t, s.CreateUser(ctx, store.User{ID: "other", Email: "o@example.com", PasswordHash: "$hash", Created: noon()}))
	must(t, s.ResetPassword(ctx, "u", "$hash"))
	must(t, s.CreateMethod(ctx, store.Method{ID: "totp|1", UserID: "u", Type: store.MethodTOTP, Data: []byte{1}, Created: noon()}, 1))
	must(t, s.CreateSignIn(ctx, store.SignIn{Hash: []byte{1}, ID: "sid", UserID: "u", AMR: []string{"pwd", "otp"}, Expires: end}))

	n := byte(10)
	try := func(name, user string, b store.Basis, want error) {
		t.Helper()
		n++
		in := store.SignIn{Hash: []byte{n}, ID: "s" + string(rune('a'+n)), UserID: user, Expires: end, Basis: b}
		mustBe(t, "CreateSignIn "+name, s.CreateSignIn(ctx, in), want)
		f := family()
		f.ID, f.UserID, f.Basis = in.ID, user, b
		mustBe(t, "CreateFamily "+name, s.CreateFamily(ctx, f), want)
		c := code()
		f.ID, c.Hash = f.ID+"c", []byte{n}
		mustBe(t, "CreateCode "+name, s.CreateCode(ctx, f, c), want)
		if want == nil {
			return
		}
		_, err := s.SignIn(ctx, in.Hash)
		mustBe(t, "SignIn "+name, err, store.ErrNotFound)
		_, _, err = s.UseCode(ctx, c.Hash)
		mustBe(t, "UseCode "+name, err, store.ErrNotFound)
	}
	all := store.Basis{PasswordHash: "$hash", MethodID: "totp|1", SignInID: "sid", AMR: []string{"pwd", "otp"}}
	try("with all that holds", "u", all, nil)
	try("with nothing to check", "u", store.Basis{}, nil)
	try("by another password", "u", store.Basis{PasswordHash: "$old"}, store.ErrNotFound)
	try("by a method that is gone", "u", store.Basis{MethodID: "totp|2"}, store.ErrNotFound)
	try("by another person's method", "other", store.Basis{MethodID: "totp|1"}, store.ErrNotFound)
	try("of a sign-in that is gone", "u", store.Basis{SignInID: "gone"}, store.ErrNotFound)
	try("of another person's sign-in", "other", store.Basis{SignInID: "sid", AMR: all.AMR}, store.ErrNotFound)
	try("of a sign-in that proves less", "u", store.Basis{SignInID: "sid", AMR: []string{"pwd"}}, store.ErrNotFound)
	must(t, s.SetBlocked(ctx, "other", true))
	try("of a person who is blocked", "other", store.Basis{PasswordHash: "$hash"}, store.ErrNotFound)

	next := store.SignIn{Hash: []byte{2}, ID: "sid", UserID: "u", Expires: end, Replaces: []byte{1}, Basis: store.Basis{PasswordHash: "$old"}}
	mustBe(t, "CreateSignIn in place of another, refused", s.CreateSignIn(ctx, next), store.ErrNotFound)
	if _, err := s.SignIn(ctx, []byte{1}); err != nil {
		t.Errorf("a refused sign-in ended the one that it would replace: %v", err)
	}
	next.Basis = all
	must(t, s.CreateSignIn(ctx, next))
	_, err := s.SignIn(ctx, []byte{1})
	mustBe(t, "SignIn that was replaced", err, store.ErrNotFound)
	got, err := s.SignIn(ctx, []byte{2})
	must(t, err)
	equal(t, got.ID, "sid")
}

// basisRace checks that what ends a person's logins ends those, too, that are being stored at the same time: whichever is first, nothing
// lives on that was proven by what is gone.
func basisRace(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	authorized(t, s)
	for i := range 30 {
		end := enders(t)[i%len(enders(t))]
		name := fmt.Sprint(end.name, " ", i)
		must(t, s.SetBlocked(ctx, "u", false))
		must(t, s.ResetPassword(ctx, "u", "$hash"))
		must(t, s.CreateMethod(ctx, otp(byte(i)), 99))
		before := store.SignIn{
			Hash: []byte{1, byte(i)}, ID: "before" + name, UserID: "u", AMR: []string{"pwd", "otp"}, Expires: noon().Add(time.Hour),
		}
		must(t, s.CreateSignIn(ctx, before))
		b := store.Basis{PasswordHash: "$hash", MethodID: otp(byte(i)).ID, SignInID: before.ID, AMR: before.AMR}
		in := before
		in.Hash, in.ID, in.Basis = []byte{2, byte(i)}, "in"+name, b
		f := family()
		f.ID, f.SignInID, f.Basis = "f"+name, before.ID, b
		c := code()
		g := f
		g.ID, c.Hash = "g"+name, []byte{3, byte(i)}
		var together sync.WaitGroup
		for _, do := range []func() error{
			func() error { return s.CreateSignIn(ctx, in) },
			func() error { return s.CreateFamily(ctx, f) },
			func() error { return s.CreateCode(ctx, g, c) },
		} {
			together.Go(func() {
				if err := do(); err != nil && !errors.Is(err, store.ErrNotFound) {
					t.Errorf("%s: error = %v, want nil or ErrNotFound", name, err)
				}
			})
		}
		together.Go(func() { must(t, end.do(s, before.ID)) })
		together.Wait()
		if end.signIns {
			_, err := s.SignIn(ctx, in.Hash)
			mustBe(t, "SignIn after "+name, err, store.ErrNotFound)
		}
		isLive(t, s, f.ID, false)
		isLive(t, s, g.ID, false)
		must(t, s.EndLogins(ctx, "u"))
	}
}

// ender ends logins of person u.
type ender struct {
	name    string
	do      func(s store.Tenant, signIn string) error
	signIns bool // it also ends other sign-ins than the one that it is given
}

func enders(t *testing.T) []ender {
	t.Helper()
	return []ender{
		{"ResetPassword", func(s store.Tenant, _ string) error { return s.ResetPassword(t.Context(), "u", "$new") }, true},
		{"SetBlocked", func(s store.Tenant, _ string) error { return s.SetBlocked(t.Context(), "u", true) }, true},
		{"ChangePassword", func(s store.Tenant, _ string) error {
			_, err := s.ChangePassword(t.Context(), "u", "$new", "")
			return err
		}, true},
		{"EndLogins", func(s store.Tenant, _ string) error { return s.EndLogins(t.Context(), "u") }, true},
		{"EndLogin", func(s store.Tenant, signIn string) error { return s.EndLogin(t.Context(), "u", signIn) }, false},
		{"InTx", func(s store.Tenant, _ string) error {
			return s.InTx(t.Context(), func(rows store.Access) error { return rows.ResetPassword(t.Context(), "u", "$new") })
		}, true},
	}
}
