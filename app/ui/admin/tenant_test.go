//go:build !js

package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/tenant"
)

// world is a tenant, called in the same way as by the page.
type world struct {
	t      *testing.T
	h      http.Handler
	token  string
	db     *sqlite.DB
	client *client.Client
}

const issuer = "http://tenant.test"

func newWorld(t *testing.T) *world {
	t.Helper()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	db := sqlitetest.Open(t)
	set, err := keys.New(now)
	if err != nil {
		t.Fatal(err)
	}
	var first tenant.First
	clock := func() time.Time { return now }
	_, err = tenant.Seed(t.Context(), tenant.SeedConfig{
		Store: db, Issuer: issuer, Now: clock,
		Publish: func(f tenant.First) error { first = f; return nil },
	})
	if err == nil {
		_, err = tenant.Sync(t.Context(), tenant.SyncConfig{Store: db, Keys: set, Issuer: issuer, EditorURL: "http://editor.test", Now: clock})
	}
	w := &world{t: t, db: db}
	if err == nil {
		w.h, err = tenant.New(tenant.Config{
			Issuer: issuer, Store: db, Keys: set, Now: clock,
			Limits: tenant.Limits{ManagementRate: 10_000, ManagementBurst: 10_000},
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	w.client = client.New(w)
	body := url.Values{
		"grant_type": {"client_credentials"}, "client_id": {first.Management.ID}, "client_secret": {first.Management.Secret},
		"audience": {"/api/v2/"},
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, issuer+"/oauth/token", strings.NewReader(body.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	rec := httptest.NewRecorder()
	w.h.ServeHTTP(rec, r)
	var answer struct {
		Token string `json:"access_token"`
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil || answer.Token == "" {
		t.Fatalf("no token: %s", rec.Body)
	}
	w.token = answer.Token
	return w
}

// Fetch calls the management API under the paths of the page's server, and answers errors in that server's
// format.
func (w *world) Fetch(ctx context.Context, req client.Request) (client.Response, error) {
	path, ok := strings.CutPrefix(req.Path, "/bff/api/admin/")
	if !ok {
		return client.Response{}, fmt.Errorf("the page calls %s", req.Path)
	}
	var body io.Reader
	if req.Body != nil {
		body = strings.NewReader(string(req.Body))
	}
	r := httptest.NewRequestWithContext(ctx, req.Method, issuer+"/api/v2/"+path, body)
	for k, v := range req.Header {
		r.Header.Set(k, v)
	}
	r.Header.Set("Authorization", "Bearer "+w.token)
	rec := httptest.NewRecorder()
	w.h.ServeHTTP(rec, r)
	out := rec.Body.Bytes()
	if rec.Code >= 300 {
		var said map[string]any
		_ = json.Unmarshal(out, &said)
		out, _ = json.Marshal(map[string]any{"code": said["errorCode"], "detail": said["message"], "problems": said["problems"]})
	}
	return client.Response{Status: rec.Code, Body: out, Header: rec.Header().Get}, nil
}

func (w *world) send(method, path string, body *schema.Object) (*schema.Object, error) {
	return w.client.Send(w.t.Context(), method, root+path, body)
}

// must sends a request that has to succeed.
func (w *world) must(method, path, body string) *schema.Object {
	w.t.Helper()
	var o *schema.Object
	if body != "" {
		v, ps := schema.Decode([]byte(body))
		if len(ps) > 0 {
			w.t.Fatal(ps)
		}
		o, _ = v.(*schema.Object)
	}
	answer, err := w.send(method, path, o)
	if err != nil {
		w.t.Fatalf("%s %s %s: %v", method, path, body, err)
	}
	return answer
}

// draft reads an entry in the same way as the page.
func (w *world) draft(s *section, id string) draft {
	w.t.Helper()
	entry, err := w.client.Object(w.t.Context(), root+s.path+"/"+id)
	sets := map[string][]*schema.Object{}
	for i := range s.fields {
		if f := &s.fields[i]; err == nil && f.set != nil {
			sets[f.path], err = w.client.Objects(w.t.Context(), root+s.path+"/"+id+"/"+f.path)
		}
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return s.read(entry, sets)
}

// run sends a plan and returns the entry's id.
func (w *world) run(s *section, id string, was, now draft) (string, error) {
	for _, r := range s.plan(id, was, now) {
		answer, err := w.send(r.method, strings.ReplaceAll(r.path, ownID, id), r.body)
		if err != nil {
			return id, fmt.Errorf("%s %s %s: %w", r.method, r.path, schema.Encode(r.body), err)
		}
		if id == "" {
			id = answer.Text(s.id)
		}
	}
	return id, nil
}

// whole returns drafts of new entries in which every field that POST accepts has a value, and drafts that
// change every field that can be changed.
func whole(w *world) []struct {
	section   string
	make, all draft
} {
	list := func(keys ...string) string { return strings.Join(keys, record) }
	me := issuer + "/me/" + unit + "read:me:factors"
	return []struct {
		section   string
		make, all draft
	}{
		{
			apisName,
			draft{
				"name": "Orders", "identifier": "https://orders", "subject_type_authorization.user.policy": "allow_all",
				"subject_type_authorization.client.policy": "require_client_grant",
				"scopes": "read" + unit + "Read them" + record + "write" + unit + record,
			},
			draft{
				"name": "All orders", "identifier": "https://orders", "active": "false", "subject_type_authorization.user.policy": "deny_all",
				"subject_type_authorization.client.policy": "allow_all", "scopes": "list" + unit + record,
			},
		},
		{
			clientsName,
			draft{"name": "Shop", "app_type": "non_interactive", "description": "Sells"},
			draft{
				"name": "Shops", "app_type": "regular_web", "description": "", "callbacks": "https://a/" + record + "https://b/" + record,
				"allowed_logout_urls": "https://c/" + record,
				"grant_types":         list("authorization_code", "password"), "token_endpoint_auth_method": "none", "is_first_party": "false",
				"global":                              "true",
				"oidc_logout.backchannel_logout_urls": "https://a/bc" + record, "require_pushed_authorization_requests": "true",
				"require_proof_of_possession": "true",
				"allowed_origins":             "https://a" + record, "web_origins": "https://b" + record + "http://localhost:3000" + record,
			},
		},
		{
			grantsName,
			draft{
				"client_id": w.must("POST", "clients", `{"name":"Reader"}`).Text("client_id"), "audience": issuer + "/me/",
				"subject_type": "user", "scope": list("read:me:consents", "read:me:factors"),
			},
			draft{"scope": "read:me:factors"},
		},
		{
			peopleName,
			draft{"email": "ana@example.com", "name": "Ana", "roles": list("rol_account", "rol_editor")},
			draft{"email": "ann@example.com", "name": "Ann", "roles": "rol_administrator", "permissions": me},
		},
		{
			rolesName,
			draft{
				"name": "Reader", "description": "Reads", "permissions": me,
				"users": w.must("POST", "users", `{"email":"bob@example.com"}`).Text("user_id"),
			},
			draft{"name": "Readers", "description": "", "permissions": list(issuer+"/me/"+unit+"delete:me:consents",
				issuer+"/me/"+unit+"read:me:consents"), "users": w.must("POST", "users", `{"email":"eve@example.com"}`).Text("user_id")},
		},
	}
}

// Every value that a form can contain is created, read, changed and read again by the tenant itself: it
// accepts every field, refuses none as unknown, and stores the input unchanged.
func TestFormsAgainstTheTenant(t *testing.T) {
	w := newWorld(t)
	for _, x := range whole(w) {
		s := table(x.section)
		for i := range s.fields {
			f := &s.fields[i]
			if f.made() && x.make[f.path] == "" {
				t.Errorf("%s: nothing tries %s of a new one", s.name, f.path)
			}
		}
		fresh := s.read(nil, nil)
		now := maps.Clone(fresh)
		maps.Copy(now, x.make)
		id, err := w.run(s, "", fresh, now)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		got := w.draft(s, id)
		for path, want := range x.make {
			if got[path] != want {
				t.Errorf("%s: made with %s %q, has %q", s.name, path, want, got[path])
			}
		}
		if plan := s.plan(id, got, got); len(plan) != 0 {
			t.Errorf("%s: a form nobody changed sends %s %s", s.name, plan[0].method, schema.Encode(plan[0].body))
		}
		now = maps.Clone(got)
		maps.Copy(now, x.all)
		for i := range s.fields {
			if f := &s.fields[i]; f.changed() && f.same(got[f.path], now[f.path]) {
				t.Errorf("%s: nothing tries to change %s", s.name, f.path)
			}
		}
		if _, err := w.run(s, id, got, now); err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		if d := cmp.Diff(now, w.draft(s, id)); d != "" {
			t.Errorf("%s changed (-want +got):\n%s", s.name, d)
		}
	}
}

// members lists the properties of the bodies in server/API.md, by hand; those that the page leaves out are
// false.
var members = map[string]map[string]bool{
	apisName: {
		"identifier": true, "name": true, "scopes": true, "active": true,
		"subject_type_authorization.user.policy": true, "subject_type_authorization.client.policy": true,
	},
	clientsName: {
		"name": true, "description": true, "app_type": true, "grant_types": true, "callbacks": true, "allowed_logout_urls": true,
		"token_endpoint_auth_method": true, "is_first_party": true, "global": true,
		"oidc_logout.backchannel_logout_urls": true, "require_pushed_authorization_requests": true, "require_proof_of_possession": true,
		"allowed_origins": true, "web_origins": true,
	},
	grantsName: {"client_id": true, "audience": true, "scope": true, "subject_type": true},
	// People choose their passwords themselves, through a link; connection has no meaning; blocked is an
	// action.
	peopleName: {"email": true, "name": true, "password": false, "connection": false, "blocked": false, "email_verified": false},
	rolesName:  {"name": true, "description": true},
}

func TestFieldsMatchTheContract(t *testing.T) {
	for name, want := range members {
		s := table(name)
		for path, there := range want {
			if f := s.field(path); there != (f != nil && f.set == nil && (f.made() || f.changed())) {
				t.Errorf("%s: %s is a field: %v, want %v", name, path, !there, there)
			}
		}
		for i := range s.fields {
			if f := &s.fields[i]; f.set == nil && !want[f.path] {
				t.Errorf("%s: server/API.md has no %s", name, f.path)
			}
		}
	}
}

// Each action has its documented effect at the tenant, and the tenant refuses everything that the table
// locks.
func TestActionsAgainstTheTenant(t *testing.T) {
	w := newWorld(t)
	client := w.must("POST", "clients", `{"name":"Shop"}`).Text("client_id")
	public := w.must("POST", "clients", `{"name":"Page","app_type":"spa"}`).Text("client_id")
	grant := w.must("POST", "client-grants",
		`{"client_id":"`+client+`","audience":"`+issuer+`/me/","scope":[],"subject_type":"user"}`).Text("id")
	api := w.must("POST", "resource-servers", `{"identifier":"https://x","name":"X"}`).Text("id")
	person := w.must("POST", "users", `{"email":"ana@example.com"}`).Text("user_id")
	role := w.must("POST", "roles", `{"name":"R"}`).Text("id")
	w.must("PATCH", "resource-servers/me", `{"active":false}`)
	for _, x := range []struct{ section, id, action, effect string }{
		{apisName, "me", "activate", `"active":true`},
		{apisName, "me", "activate", "hidden"},
		{apisName, "management", "activate", "hidden"},
		{apisName, "me", "delete", "locked"},
		{apisName, "management", "delete", "locked"},
		{clientsName, client, "rotate", `"client_secret":`},
		{clientsName, public, "rotate", "locked"},
		{clientsName, tenant.EditorClient, "rotate", "locked"},
		{clientsName, tenant.EditorClient, "delete", "locked"},
		{peopleName, person, "link", `"ticket":"` + issuer},
		{peopleName, person, "unblock", "hidden"},
		{peopleName, person, "block", `"blocked":true`},
		{peopleName, person, "block", "hidden"},
		{peopleName, person, "link", "locked"},
		{peopleName, person, "unblock", `"blocked":false`},
		{grantsName, grant, "delete", ""},
		{clientsName, client, "delete", ""},
		{apisName, api, "delete", ""},
		{rolesName, role, "delete", ""},
		{peopleName, person, "delete", ""},
	} {
		s := table(x.section)
		a := s.action(x.action)
		entry, err := w.client.Object(t.Context(), root+s.path+"/"+x.id)
		if err != nil {
			t.Fatalf("%+v: %v", x, err)
		}
		f := facts{entry: entry}
		hidden := a.hidden != nil && a.hidden(f)
		if hidden != (x.effect == "hidden") {
			t.Errorf("%+v: hidden: %v", x, hidden)
		}
		if locked := reason(a.locked, f) != ""; locked != (x.effect == "locked") {
			t.Errorf("%+v: locked: %v", x, locked)
		}
		if hidden {
			continue
		}
		path := s.path + "/" + x.id
		if a.word != "" {
			path += "/" + a.word
		}
		answer, err := w.send(a.method, path, a.body)
		if (err != nil) != (x.effect == "locked") {
			t.Errorf("%+v: the tenant says %v", x, err)
		}
		if err == nil && !strings.Contains(string(schema.Encode(answer)), x.effect) && answer != nil {
			t.Errorf("%+v: the tenant answers %s", x, schema.Encode(answer))
		}
		if _, err := w.client.Object(t.Context(), root+s.path+"/"+x.id); (err != nil) != a.ends() && x.effect != "locked" {
			t.Errorf("%+v: afterwards the entry is %v", x, err)
		}
	}
}

// why returns the reason why a field of an entry is read-only, "" if it is not.
func why(s *section, path string, entry *schema.Object) string {
	x := facts{entry: entry}
	return reason(s.locked, x) + s.field(path).why(x)
}

// The tenant refuses changes of fields that are read-only in the form; the remaining reasons are the
// page's own.
func TestLockedFieldsAgainstTheTenant(t *testing.T) {
	w := newWorld(t)
	for _, x := range []struct{ section, id, path, value string }{
		{apisName, "management", "name", "x"},
		{apisName, "management", "active", "false"},
		{apisName, "management", "subject_type_authorization.user.policy", "allow_all"},
		{apisName, "me", "name", "x"},
		{apisName, "me", "scopes", ""},
		{apisName, "me", "subject_type_authorization.client.policy", "allow_all"},
		{clientsName, tenant.EditorClient, "name", "x"},
		{clientsName, tenant.EditorClient, "global", "false"},
	} {
		s := table(x.section)
		entry, err := w.client.Object(t.Context(), root+s.path+"/"+x.id)
		if err != nil {
			t.Fatal(err)
		}
		if why(s, x.path, entry) == "" {
			t.Errorf("%s %s: %s can be changed", x.section, x.id, x.path)
		}
		was := w.draft(s, x.id)
		now := maps.Clone(was)
		now[x.path] = x.value
		if _, err := w.run(s, x.id, was, now); err == nil || client.CodeOf(err) == "" {
			t.Errorf("%s %s: the tenant lets %s change (%v)", x.section, x.id, x.path, err)
		}
	}
	me := table(apisName)
	entry, err := w.client.Object(t.Context(), root+"resource-servers/me")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"active", "subject_type_authorization.user.policy"} {
		if r := why(me, path, entry); r != "" {
			t.Errorf("%s of the account API is locked: %s", path, r)
		}
	}
}

// The tenant's problems appear at the controls that they concern, even if rows were left blank.
func TestProblemsAgainstTheTenant(t *testing.T) {
	w := newWorld(t)
	shop := w.must("POST", "clients", `{"name":"Shop"}`).Text("client_id")
	api := w.must("POST", "resource-servers", `{"identifier":"https://x","name":"X"}`).Text("id")
	person := w.must("POST", "users", `{"email":"ana@example.com"}`).Text("user_id")
	for _, x := range []struct {
		section, id string
		change      draft
		want        []string
	}{
		{
			clientsName, shop,
			draft{"callbacks": "https://ok/" + record + record + "bad" + record + "worse" + record},
			[]string{"callbacks[2]", "callbacks[3]"},
		},
		{clientsName, shop, draft{"name": "", "allowed_logout_urls": record + "data:x" + record}, []string{"allowed_logout_urls[1]", "name"}},
		{clientsName, "", draft{"name": strings.Repeat("x", 151)}, []string{"name"}},
		{
			clientsName, shop,
			draft{"oidc_logout.backchannel_logout_urls": record + "http://out.example/" + record},
			[]string{"oidc_logout.backchannel_logout_urls[1]"},
		},
		{
			clientsName, shop,
			draft{"oidc_logout.backchannel_logout_urls": "https://a/" + record + "https://b/" + record},
			[]string{"oidc_logout.backchannel_logout_urls[1]"},
		},
		{
			clientsName, shop,
			draft{"allowed_origins": record + "https://a/" + record, "web_origins": "http://a" + record},
			[]string{"allowed_origins[1]", "web_origins[0]"},
		},
		{
			apisName, api,
			draft{"scopes": unit + record + "a b" + unit + "x" + record + "openid" + unit + record},
			[]string{"scopes[1].value", "scopes[2].value"},
		},
		{apisName, api, draft{"scopes": "a" + unit + strings.Repeat("x", 501) + record}, []string{"scopes[0].description"}},
		{apisName, "", draft{"name": "", "identifier": ""}, []string{"identifier", "name"}},
		{grantsName, "", draft{"client_id": "", "audience": ""}, []string{"audience", "client_id"}},
		{
			grantsName, "",
			draft{"client_id": shop, "audience": issuer + "/me/", "scope": "read:me:factors", "subject_type": "client"},
			[]string{"subject_type"},
		},
		{grantsName, "", draft{"client_id": shop, "audience": issuer + "/me/", "scope": "fly", "subject_type": "user"}, []string{"scope"}},
		{peopleName, person, draft{"email": "nobody"}, []string{"email"}},
		{peopleName, person, draft{"roles": "rol_account" + record + "rol_none"}, []string{"roles"}},
		{peopleName, person, draft{"permissions": issuer + "/me/" + unit + "fly"}, []string{"permissions"}},
	} {
		s := table(x.section)
		was := s.read(nil, nil)
		if x.id != "" {
			was = w.draft(s, x.id)
		}
		now := maps.Clone(was)
		maps.Copy(now, x.change)
		plan := s.plan(x.id, was, now)
		if len(plan) != 1 {
			t.Errorf("%+v: %d requests", x, len(plan))
			continue
		}
		_, err := w.send(plan[0].method, plan[0].path, plan[0].body)
		e, ok := errors.AsType[*client.Error](err)
		if !ok {
			t.Errorf("%+v: the tenant says %v", x, err)
			continue
		}
		if got := slices.Sorted(maps.Keys(s.placed(plan[0], now, e.Problems))); !slices.Equal(got, x.want) {
			t.Errorf("%+v: problems at %q, want %q: %+v", x.change, got, x.want, e.Problems)
		}
	}
}
