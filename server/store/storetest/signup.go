package storetest

import (
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

// signUp checks that a person and the first method are stored together or not at all, and that an address can be signed up once.
func signUp(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	must(t, s.CreateRole(ctx, store.Role{ID: "all", Name: "All", Preset: true, Created: noon()}))
	must(t, s.CreateRole(ctx, store.Role{ID: "few", Name: "Few", Created: noon()}))
	u := ana()
	u.PasswordHash, u.Unverified = "", true
	must(t, s.SignUp(ctx, u, passkey(1)))
	got, err := s.User(ctx, "u")
	must(t, err)
	u.Passkey = true // set by the store, not by the caller
	equal(t, got, u)
	ms, err := s.Methods(ctx, "u")
	must(t, err)
	equal(t, ms, []store.Method{passkey(1)})
	held, err := s.UserRoles(ctx, "u")
	must(t, err)
	if len(held) != 1 || held[0].ID != "all" {
		t.Errorf("roles = %+v, want the preset one", held)
	}

	mustBe(t, "SignUp of a taken address", s.SignUp(ctx, store.User{ID: "v", Email: u.Email},
		store.Method{ID: "passkey|v", UserID: "v", Key: []byte{9}, Data: []byte{1}}), store.ErrConflict)
	taken := store.Method{ID: "passkey|w", UserID: "w", Key: []byte{1}, Data: []byte{1}}
	mustBe(t, "SignUp with a taken Key", s.SignUp(ctx, store.User{ID: "w", Email: "w@example.com"}, taken), store.ErrConflict)
	for _, id := range []string{"v", "w"} {
		_, err := s.User(ctx, id)
		mustBe(t, "User of a sign-up that failed", err, store.ErrNotFound)
	}
	if won, lost := atOnce(t, store.ErrConflict, func(i byte) error {
		id := "many" + string(rune('a'+i))
		return s.SignUp(ctx, store.User{ID: id, Email: "one@example.com"},
			store.Method{ID: "passkey|" + id, UserID: id, Type: store.MethodPasskey, Key: []byte{50, i}, Data: []byte{1}})
	}); won != 1 || lost != 19 {
		t.Errorf("%d signed up one address and %d did not, want 1 and 19", won, lost)
	}

	must(t, s.CreateMethod(ctx, store.Method{ID: "totp|u", UserID: "u", Type: store.MethodTOTP, Data: []byte{1}, Created: noon()}, 1))
	must(t, s.DeleteMethod(ctx, "u", passkey(1).ID, nil))
	u.Passkey = false // an app is not a passkey
	got, err = s.User(ctx, "u")
	must(t, err)
	equal(t, got, u)

	// An administrator confirms the address; nothing else changes.
	u.Unverified = false
	_, err = s.UpdateUser(ctx, "u", func(kept *store.User) error { kept.Unverified = false; return nil })
	must(t, err)
	got, err = s.User(ctx, "u")
	must(t, err)
	equal(t, got, u)
}

// takenMethods checks that methods that an administrator removes are gone, and that nothing of the person counts as proven by them any
// more. Another person's methods stay.
func takenMethods(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	app := func(m store.Method) bool { return m.Type == store.MethodTOTP }
	_, err := s.TakeMethods(ctx, "u", app)
	mustBe(t, "TakeMethods of nobody", err, store.ErrNotFound)
	must(t, s.CreateUser(ctx, ana()))
	must(t, s.CreateUser(ctx, store.User{ID: "v", Email: "bob@example.com", Created: noon()}))
	must(t, s.CreateClient(ctx, store.Client{ID: "c", Created: noon(), SecretSince: noon()}))
	for i, user := range []string{"u", "v"} {
		n := byte(i)
		second := otp(n)
		second.UserID = user
		must(t, s.CreateMethod(ctx, second, 9))
		must(t, s.CreateSignIn(ctx, store.SignIn{
			Hash: []byte{n}, ID: "s" + user, UserID: user, AuthTime: noon(),
			AMR: []string{"pwd", "otp", "mfa"}, Expires: noon(),
		}))
		must(t, s.CreateFamily(ctx, store.Family{
			ID: "f" + user, ClientID: "c", UserID: user, SignInID: "s" + user, AuthTime: noon(), ACR: "mfa",
			AMR: []string{"swk", "mfa"}, Expires: noon(),
		}))
		must(t, s.CreateRefresh(ctx, store.Refresh{Hash: []byte{n}, FamilyID: "f" + user, Expires: noon()}))
	}
	must(t, s.CreateMethod(ctx, passkey(5), 9))
	proven := func(n byte, signIn, family []string, acr string) {
		t.Helper()
		in, err := s.SignIn(ctx, []byte{n})
		must(t, err)
		equal(t, in.AMR, signIn)
		_, f, err := s.Refresh(ctx, []byte{n})
		must(t, err)
		equal(t, f.AMR, family)
		equal(t, f.ACR, acr)
	}

	got, err := s.TakeMethods(ctx, "u", func(store.Method) bool { return false })
	must(t, err)
	equal(t, len(got), 0)
	proven(0, []string{"pwd", "otp", "mfa"}, []string{"swk", "mfa"}, "mfa") // nothing was taken
	got, err = s.TakeMethods(ctx, "u", app)
	must(t, err)
	equal(t, got, []store.Method{otp(0)})
	proven(0, []string{"pwd"}, nil, "")
	proven(1, []string{"pwd", "otp", "mfa"}, []string{"swk", "mfa"}, "mfa")
	left, err := s.Methods(ctx, "u")
	must(t, err)
	equal(t, left, []store.Method{passkey(5)})
	left, err = s.Methods(ctx, "v")
	must(t, err)
	equal(t, len(left), 1)
}
