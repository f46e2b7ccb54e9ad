//go:build !js

package admin

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
)

// A person's things are read from the tenant, described in words and removed at the path that the page uses.
func TestOwnedAgainstTheTenant(t *testing.T) {
	w := newWorld(t)
	id := w.must("POST", "users", `{"email":"ana@example.com"}`).Text("user_id")
	for i, m := range []store.Method{
		{ID: "passkey|a-_", Type: store.MethodPasskey, Name: "Laptop", Data: []byte(`{"public_key":"AQ=="}`)},
		{ID: "totp|b", Type: store.MethodTOTP, Data: []byte{1}},
		{ID: "recovery-code|c", Type: store.MethodRecoveryCode, Data: []byte{1}},
	} {
		m.UserID, m.Key, m.Created = id, []byte{byte(i)}, time.Unix(int64(i), 0)
		if err := w.db.CreateMethod(t.Context(), m, 9); err != nil {
			t.Fatal(err)
		}
	}
	s := table(peopleName)
	read := func() (list []*schema.Object, told string) {
		t.Helper()
		list, err := w.client.Objects(t.Context(), root+s.ownedPath(id, ""))
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, o := range list {
			way := wayOf(o)
			out = append(out, fmt.Sprint(way.Icon(), " ", way.KindName(), ": ", way.Title()))
		}
		return list, strings.Join(out, "; ")
	}
	if got := s.ownedPath("u", "totp|b"); got != "users/u/authentication-methods/totp%7Cb" {
		t.Errorf("path = %q", got)
	}
	list, told := read()
	if want := "key Passkey: Laptop; tel Authenticator app: Authenticator app; shield Recovery code: Recovery code"; told != want {
		t.Errorf("described as %q, want %q", told, want)
	}
	e := &editing{owned: list}
	if e.taken("totp|b"); len(e.owned) != 2 || e.owned[1].Text("type") != "recovery-code" {
		t.Errorf("without one = %v", e.owned)
	}
	if e.taken(""); len(e.owned) != 0 {
		t.Errorf("without all = %v", e.owned)
	}
	for _, of := range []string{"passkey|a-_", ""} {
		if _, err := w.send("DELETE", s.ownedPath(id, of), nil); err != nil {
			t.Errorf("take %q: %v", of, err)
		}
		_, told = read()
		if want := map[string]string{
			"":            "",
			"passkey|a-_": "tel Authenticator app: Authenticator app; shield Recovery code: Recovery code",
		}[of]; told != want {
			t.Errorf("after removing %q the rest is %q, want %q", of, told, want)
		}
	}
	if way := wayOf(schema.NewObject(schema.Member{Key: "type", Value: "phone"})); way.Title() != "phone" || way.Icon() == "" {
		t.Errorf("of an unknown kind: %+v", way)
	}
}

// A person who signed up without an invitation is marked until an administrator confirms the address.
func TestAddressIsConfirmed(t *testing.T) {
	w := newWorld(t)
	u := store.User{ID: "user_eva", Email: "eva@example.com", Unverified: true}
	if err := w.db.SignUp(t.Context(), u, store.Method{ID: "passkey|e", UserID: u.ID, Key: []byte{1}, Data: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	s := table(peopleName)
	a := s.action("vouch")
	marked := func() bool {
		entry := w.must("GET", "users/"+u.ID, "")
		x := facts{entry: entry}
		mark := slices.ContainsFunc(s.columns[0].cells(x), func(c cell) bool { return c.text == "Address not confirmed" })
		if mark == a.hidden(x) {
			t.Errorf("marked %v and the action is hidden %v", mark, a.hidden(x))
		}
		return mark
	}
	if !marked() {
		t.Error("a person who signed up without an invitation has no mark")
	}
	for me, want := range map[string]bool{u.ID: true, "user_ann": false} {
		x := facts{entry: w.must("GET", "users/"+u.ID, ""), me: me}
		if got := slices.ContainsFunc(s.columns[0].cells(x), func(c cell) bool { return c.text == "You" }); got != want {
			t.Errorf("for %s, the person is marked as themselves: %t", me, got)
		}
	}
	if _, err := w.send(a.method, "users/"+u.ID, a.body); err != nil {
		t.Fatal(err)
	}
	if marked() {
		t.Error("the mark stays")
	}
}

// Every type that the tenant logs has a name. Those of package authz are listed by hand.
func TestLogTypesHaveNames(t *testing.T) {
	types := strings.Fields("s f fp fu scp gd_auth_failed gd_recovery_failed gd_recovery_succeed ss fs seacft feacft sertft fertft seccft " +
		"feccft sepft fepft seoft feoft")
	types = append(types, store.EventEnrolled, store.EventRemoved, store.EventPasskeyRefused, store.EventEnrolmentFailed, store.EventCloned)
	for _, code := range types {
		if eventName(code) == code {
			t.Errorf("%s has no words", code)
		}
		bad := strings.Contains(eventName(code), "efused") || strings.Contains(eventName(code), "rong ") ||
			slices.Contains([]string{"f", "fu", "feccft", store.EventCloned}, code)
		if failed(code) != bad {
			t.Errorf("%s is a failure: %v, want %v", code, failed(code), bad)
		}
	}
	if n := len(logTypes); n != len(types) {
		t.Errorf("%d types have words, want %d", n, len(types))
	}
}
