package account_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

// The sign-in log tells what became of a person's ways to sign in, and no secret of them.
func TestEvents(t *testing.T) {
	f := newFixture(t)
	id := f.passkey()
	app := f.begin(f.token(), "totp")
	secret := app.text("manual_input_code")
	f.verify(f.token(), "totp", object{"auth_session": app.text("auth_session"), "otp_code": "wrong"})
	kept := f.verify(f.token(), "totp", object{"auth_session": app.text("auth_session"), "otp_code": f.code(secret)})
	if kept.StatusCode != http.StatusCreated {
		t.Fatalf("app: %d %s", kept.StatusCode, kept.body)
	}
	key := f.begin(f.token(), "passkey")
	f.verify(f.token(), "passkey", object{"auth_session": key.text("auth_session"), "authn_response": object{}})
	f.verify(f.token(), "recovery-code", object{"auth_session": "x"})
	word := f.begin(f.token(), "password")
	f.verify(f.token(), "password", object{"auth_session": word.text("auth_session"), "new_password": "correct horse"})
	f.do(f.token(), http.MethodDelete, methodsPath+"/"+strings.ReplaceAll(id, "|", "%7C"), nil)
	f.do(f.token(), http.MethodDelete, methodsPath+"/passkey%7Cnone", nil) // nothing happens and nothing is recorded

	page, _, err := f.store.ListEvents(t.Context(), store.EventFilter{}, 0, 99)
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, e := range slices.Backward(page) {
		types = append(types, e.Type)
		if e.UserID != "ana" || e.ClientID != "editor" || e.Address == "" || !e.At.Equal(f.clock()) || e.Description == "" {
			t.Errorf("event = %+v", e)
		}
		if strings.Contains(e.Description, secret) || strings.Contains(e.Description, "horse") {
			t.Errorf("the log holds a secret: %+v", e)
		}
	}
	want := []string{
		store.EventEnrolled, store.EventEnrolmentFailed, store.EventEnrolled, store.EventPasskeyRefused, store.EventEnrolmentFailed, "scp",
		store.EventRemoved,
	}
	if !slices.Equal(types, want) {
		t.Errorf("events = %v, want %v", types, want)
	}
	if last := page[0].Description; !strings.HasPrefix(last, id) {
		t.Errorf("removed = %q, want the id %s", last, id)
	}
}
