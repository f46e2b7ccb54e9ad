package management_test

import (
	"io"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// slowly sends a request and does something after the first half of its body was read. It returns the status.
func (f *fixture) slowly(t *testing.T, method, path, body string, meanwhile func()) int {
	t.Helper()
	read, write := io.Pipe()
	r := httptest.NewRequestWithContext(t.Context(), method, "/api/v2"+path, read)
	r.Header.Set("Authorization", "Bearer "+f.all)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.ServeHTTP(w, r)
		_ = read.Close() // the rest of the body is not wanted
	}()
	half := len(body) / 2
	if _, err := io.WriteString(write, body[:half]); err != nil { // returns when it was read
		t.Fatal(err)
	}
	meanwhile()
	_, _ = io.WriteString(write, body[half:])
	_ = write.Close()
	<-done
	return w.Code
}

// A secret that is rotated while the body of a change is on its way stays rotated.
func TestRotatedSecretStaysRotated(t *testing.T) {
	f := newAdmin(t)
	id := f.do(t, "POST", "/clients", `{"name":"App"}`, 201)["client_id"].(string)
	var secret string
	status := f.slowly(t, "PATCH", "/clients/"+id, `{"name":"x"}`, func() {
		secret = f.do(t, "POST", "/clients/"+id+"/rotate-secret", "", 200)["client_secret"].(string)
	})
	row, err := f.store.Client(t.Context(), id)
	if status != 200 || err != nil || row.Name != "x" || !slices.Equal(row.SecretHash, tokens.Hash(secret)) {
		t.Errorf("the change = %d and kept %+v, %v; want the new name and the rotated secret", status, row, err)
	}
}

// What happens while the body of a change is on its way is judged, and stays.
func TestChangeAfterItsBody(t *testing.T) {
	f := newAdmin(t)
	for _, err := range []error{
		f.store.CreateUser(t.Context(), store.User{ID: "bob", Email: "bob@example.com", PasswordHash: "old", Created: f.now}),
		storetest.SetGrant(t.Context(), f.store, "second", "shop", store.SubjectClient, []string{"buy"}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	grants, _, err := f.store.ListClientGrants(t.Context(), store.GrantFilter{ClientID: "second", APIID: "shop"}, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if status := f.slowly(t, "PATCH", "/users/bob", `{"name":"x"}`,
		func() { f.do(t, "PATCH", "/users/bob", `{"password":"new password"}`, 200) }); status != 200 {
		t.Errorf("a change beside a new password = %d, want 200", status)
	}
	if u, _ := f.store.User(t.Context(), "bob"); u.PasswordHash != "hash of new password" || u.Name != "x" {
		t.Errorf("kept %+v, want the new password and the new name", u)
	}
	for _, x := range []struct{ path, body string }{
		{"/users/bob", `{"name":"y"}`},
		{"/client-grants/" + grants[0].ID, `{"scope":["sell"]}`},
		{"/roles/rol_a", `{"name":"y"}`},
		{"/resource-servers/shop", `{"name":"y"}`},
		{"/clients/second", `{"name":"y"}`},
	} {
		if status := f.slowly(t, "PATCH", x.path, x.body, func() { f.do(t, "DELETE", x.path, "", 204) }); status != 404 {
			t.Errorf("PATCH %s beside its deletion = %d, want 404", x.path, status)
		}
		f.do(t, "GET", x.path, "", 404)
	}
}

// A caller who loses a permission while the body is on its way has lost it.
func TestCallerIsJudgedAfterTheBody(t *testing.T) {
	f := newAdmin(t)
	status := f.slowly(t, "PATCH", "/users/ana", `{"name":"x"}`, func() {
		err := f.store.ChangeUserPermissions(t.Context(), "u", nil, []store.Permission{{APIID: "management", Scope: "update:users"}})
		if err != nil {
			t.Fatal(err)
		}
	})
	if status != 403 {
		t.Errorf("a change by a caller who lost the permission = %d, want 403", status)
	}
	if u, _ := f.store.User(t.Context(), "ana"); u.Name != "Ana" {
		t.Errorf("the change was made: %+v", u)
	}
}
