package kit

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
)

func TestAddressesOfForms(t *testing.T) {
	for id, want := range map[string]string{
		"ap_1": "/forms/ap_1", "auth0|65f": "/forms/auth0%7C65f", "urn:x:1": "/forms/urn:x:1", "a.b ü": "/forms/a.b%20%C3%BC",
	} {
		if got := FormAddress(id); got != want {
			t.Errorf("the address of %s is %s, want %s", id, got, want)
		}
		if got, ok := FormID(FormPath(id)); got != id || !ok {
			t.Errorf("the path of %s is that of %s, %t", id, got, ok)
		}
	}
	for _, path := range []string{"/forms", "/forms/", "/forms/a/b", "/", "/account"} {
		if id, ok := FormID(path); ok {
			t.Errorf("%s is the path of the form %s", path, id)
		}
	}
	if got := SignInAddress(FormAddress("a|b"), true); got != "/bff/login?return_to=%2Fforms%2Fa%257Cb&prompt=select_account" {
		t.Errorf("the sign-in is at %s", got)
	}
}

func TestNotAllowedNamesThePerson(t *testing.T) {
	refused := &client.Error{Status: 403, Code: client.CodeNotAllowed, Detail: "no rule fits", Who: "ana@example.com"}
	for _, test := range []struct {
		err  error
		user client.User
		want string
	}{
		{refused, client.User{Email: "b"}, "You are signed in as ana@example.com, but not allowed"},
		{&client.Error{Code: client.CodeNotAllowed}, client.User{Sub: "auth0|1"}, "You are signed in as auth0|1, but not allowed"},
		{&client.Error{Code: client.CodeNotAllowed}, client.User{}, "You are signed in, but not allowed"},
	} {
		if got := NotAllowed(test.err, test.user); !strings.HasPrefix(got, test.want) {
			t.Errorf("says %q, want %q", got, test.want)
		}
	}
	shown := app.HTMLString(NotAllowedPage(refused, client.User{}))
	for _, part := range []string{`data-act="sign-out"`, `data-act="other-account"`, "No rule fits. Ask whoever runs this editor"} {
		if !strings.Contains(shown, part) {
			t.Errorf("the page lacks %s: %s", part, shown)
		}
	}
	if Forbidden(&client.Error{Status: 403, Code: "scope"}) {
		t.Error("a missing scope forbids the editor")
	}
}
