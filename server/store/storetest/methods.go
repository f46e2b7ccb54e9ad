package storetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

func passkey(n byte) store.Method {
	return store.Method{
		ID: fmt.Sprintf("passkey|%d", n), UserID: "u", Type: store.MethodPasskey, Name: "Laptop", Key: []byte{n}, Data: []byte("{}"),
		Count: 7, Created: noon(),
	}
}

func otp(n byte) store.Method {
	return store.Method{ID: fmt.Sprintf("totp|%d", n), UserID: "u", Type: store.MethodTOTP, Data: []byte{1}, Created: noon()}
}

func methods(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	mustBe(t, "CreateMethod of nobody", s.CreateMethod(ctx, passkey(1), 9), store.ErrNotFound)
	must(t, s.CreateUser(ctx, ana()))
	must(t, s.CreateUser(ctx, store.User{ID: "v", Email: "bob@example.com", Created: noon()}))
	got, err := s.Methods(ctx, "u")
	must(t, err)
	equal(t, got, []store.Method(nil))
	_, err = s.MethodByKey(ctx, []byte{1})
	mustBe(t, "MethodByKey of nothing", err, store.ErrNotFound)

	must(t, s.CreateMethod(ctx, passkey(1), 2))
	must(t, s.CreateMethod(ctx, otp(1), 2))
	must(t, s.CreateMethod(ctx, otp(2), 2)) // two empty Keys do not conflict
	must(t, s.CreateMethod(ctx, passkey(2), 2))
	got, err = s.Methods(ctx, "u")
	must(t, err)
	equal(t, got, []store.Method{passkey(1), otp(1), otp(2), passkey(2)})
	m, err := s.MethodByKey(ctx, []byte{2})
	must(t, err)
	equal(t, m, passkey(2))

	mustBe(t, "CreateMethod past most", s.CreateMethod(ctx, passkey(3), 2), store.ErrConflict)
	mustBe(t, "CreateMethod of a taken ID", s.CreateMethod(ctx, otp(1), 9), store.ErrConflict)
	taken := passkey(1)
	taken.ID, taken.UserID = "passkey|other", "v"
	mustBe(t, "CreateMethod of a taken Key", s.CreateMethod(ctx, taken, 9), store.ErrConflict)

	must(t, s.UseMethod(ctx, "passkey|1", 7, 9, nil, noon().Add(time.Hour)))
	mustBe(t, "UseMethod from an old count", s.UseMethod(ctx, "passkey|1", 7, 10, nil, noon()), store.ErrConflict)
	mustBe(t, "UseMethod of nothing", s.UseMethod(ctx, "passkey|9", 0, 0, nil, noon()), store.ErrNotFound)
	used := passkey(1)
	used.Count, used.Used = 9, noon().Add(time.Hour)
	m, err = s.MethodByKey(ctx, []byte{1})
	must(t, err)
	equal(t, m, used)
	must(t, s.UseMethod(ctx, "passkey|1", 9, 9, []byte("{1}"), noon().Add(time.Hour)))
	must(t, s.UseMethod(ctx, "passkey|1", 9, 9, nil, noon().Add(time.Hour)))
	used.Data = []byte("{1}")
	m, err = s.MethodByKey(ctx, []byte{1})
	must(t, err)
	equal(t, m, used)

	mustBe(t, "RenameMethod of another's", s.RenameMethod(ctx, "v", "passkey|1", "x"), store.ErrNotFound)
	must(t, s.RenameMethod(ctx, "u", "passkey|1", "Phone"))
	used.Name = "Phone"
	m, err = s.MethodByKey(ctx, []byte{1})
	must(t, err)
	equal(t, m, used)
}

var errNo = errors.New("no")

func methodsEnd(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	must(t, s.CreateUser(ctx, ana()))
	must(t, s.CreateMethod(ctx, passkey(1), 9))
	must(t, s.CreateMethod(ctx, otp(1), 9))
	no := func(store.User, []store.Method) error { return errNo }
	mustBe(t, "DeleteMethod of another's", s.DeleteMethod(ctx, "v", "passkey|1", nil), store.ErrNotFound)
	mustBe(t, "DeleteMethod that is not allowed", s.DeleteMethod(ctx, "u", "passkey|1", no), errNo)
	mustBe(t, "SetPassword that is not allowed", s.SetPassword(ctx, "u", "$new", no), errNo)
	mustBe(t, "SetPassword of nobody", s.SetPassword(ctx, "v", "$new", nil), store.ErrNotFound)
	must(t, s.DeleteMethod(ctx, "u", "passkey|1", func(u store.User, left []store.Method) error {
		equal(t, u, ana())
		equal(t, left, []store.Method{otp(1)})
		return nil
	}))
	mustBe(t, "DeleteMethod again", s.DeleteMethod(ctx, "u", "passkey|1", nil), store.ErrNotFound)
	want := ana()
	want.PasswordHash = ""
	must(t, s.SetPassword(ctx, "u", "", func(u store.User, left []store.Method) error {
		equal(t, u, want)
		equal(t, left, []store.Method{otp(1)})
		return nil
	}))
	got, err := s.User(ctx, "u")
	must(t, err)
	equal(t, got, want)
}

// atOnce runs f many times concurrently and returns how many calls succeeded and how many failed with want; no other error is allowed.
func atOnce(t *testing.T, want error, f func(i byte) error) (won, lost int32) {
	t.Helper()
	var w, l atomic.Int32
	var wg sync.WaitGroup
	for i := range byte(20) {
		wg.Go(func() {
			switch err := f(i); {
			case err == nil:
				w.Add(1)
			case errors.Is(err, want):
				l.Add(1)
			default:
				t.Errorf("error = %v, want nil or %v", err, want)
			}
		})
	}
	wg.Wait()
	return w.Load(), l.Load()
}

func methodsRace(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	must(t, s.CreateUser(ctx, ana()))
	if won, _ := atOnce(t, store.ErrConflict, func(i byte) error { return s.CreateMethod(ctx, otp(i), 3) }); won != 3 {
		t.Errorf("%d methods of at most 3", won)
	}
	must(t, s.CreateMethod(ctx, passkey(1), 9))
	if won, _ := atOnce(t, store.ErrConflict, func(i byte) error {
		return s.UseMethod(ctx, "passkey|1", 7, 8+int64(i), nil,
			noon())
	}); won != 1 {
		t.Errorf("%d uses moved one count, want 1", won)
	}
	if won, _ := atOnce(t, store.ErrNotFound, func(byte) error { return s.DeleteMethod(ctx, "u", "passkey|1", nil) }); won != 1 {
		t.Errorf("%d deleted one method, want 1", won)
	}
}

func authSessions(t *testing.T, s store.Tenant) {
	t.Helper()
	ctx := t.Context()
	row := store.AuthSession{
		Hash: []byte{1}, Purpose: "p", ClientID: "c", UserID: "u", Expires: noon().Add(time.Minute),
		Issuer: "http://login.t",
	}
	mustBe(t, "CreateAuthSession of no client", s.CreateAuthSession(ctx, row, noon()), store.ErrNotFound)
	must(t, s.CreateClient(ctx, store.Client{ID: "c", Created: noon(), SecretSince: noon()}))
	must(t, s.CreateAuthSession(ctx, row, noon()))
	mustBe(t, "CreateAuthSession again", s.CreateAuthSession(ctx, row, noon()), store.ErrConflict)
	_, err := s.UseAuthSession(ctx, []byte{2})
	mustBe(t, "UseAuthSession of nothing", err, store.ErrNotFound)
	for range 2 {
		got, err := s.AuthSession(ctx, []byte{1})
		must(t, err)
		equal(t, got, row)
	}
	won, lost := atOnce(t, store.ErrNotFound, func(byte) error {
		got, err := s.UseAuthSession(ctx, []byte{1})
		if err == nil {
			equal(t, got, row)
		}
		return err
	})
	if won != 1 || lost != 19 {
		t.Errorf("won %d, lost %d, want 1 and 19", won, lost)
	}
	_, err = s.AuthSession(ctx, []byte{1})
	mustBe(t, "AuthSession after its use", err, store.ErrNotFound)

	must(t, s.CreateAuthSession(ctx, row, noon()))
	next := row
	next.Hash = []byte{2}
	must(t, s.CreateAuthSession(ctx, next, row.Expires))
	if _, err := s.AuthSession(ctx, []byte{1}); err != nil {
		t.Errorf("AuthSession at its end = %v, want nil", err)
	}
	next.Hash = []byte{3}
	must(t, s.CreateAuthSession(ctx, next, row.Expires.Add(time.Second)))
	_, err = s.AuthSession(ctx, []byte{1})
	mustBe(t, "AuthSession after its end", err, store.ErrNotFound)
}
