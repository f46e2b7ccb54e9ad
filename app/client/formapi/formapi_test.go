package formapi_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

const stored = `{"id":"ap_1","name":"Stored","created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:06Z"}`

// server gives every request the same response and records the requests.
type server struct {
	status int
	body   string
	kind   string // its type
	etag   string
	copied string // its copy
	sent   []client.Request
}

// Fetch implements client.Fetcher.
func (s *server) Fetch(_ context.Context, r client.Request) (client.Response, error) {
	s.sent = append(s.sent, r)
	return client.Response{Status: s.status, Body: []byte(s.body), Header: func(name string) string {
		return map[string]string{"ETag": s.etag, "X-ETag": s.copied, "Content-Type": s.kind}[name]
	}}, nil
}

// answering returns a client whose server answers with a status and a body.
func answering(status int, body string) *client.Client {
	return client.New(&server{status: status, body: body, kind: map[bool]string{true: "text/html"}[strings.HasPrefix(body, "<")]})
}

// base is the form of which patches are saved.
var base = model.FromTree(schema.NewObject(schema.Member{Key: "id", Value: "ap_1"}, schema.Member{Key: "name", Value: "Stored"}))

// call is a call of the package without its result.
type call func(context.Context, *client.Client) error

// save returns the call that saves a patch for a version of the form, "" for any.
func save(p model.Patch, etag string) call {
	return func(ctx context.Context, c *client.Client) error {
		_, _, err := formapi.Save(ctx, c, base, p, etag, false)
		return err
	}
}

// calls is every call of the package.
var calls = map[string]call{
	"list":       func(ctx context.Context, c *client.Client) error { _, err := formapi.List(ctx, c); return err },
	"flows":      func(ctx context.Context, c *client.Client) error { _, err := formapi.Flows(ctx, c); return err },
	"flow trees": func(ctx context.Context, c *client.Client) error { _, err := formapi.FlowTrees(ctx, c); return err },
	"read": func(ctx context.Context, c *client.Client) error {
		_, _, err := formapi.Read(ctx, c, "ap_1")
		return err
	},
	"versions": func(ctx context.Context, c *client.Client) error {
		_, _, err := formapi.Versions(ctx, c, "ap_1", 0, false)
		return err
	},
	"describe": func(ctx context.Context, c *client.Client) error {
		_, err := formapi.Describe(ctx, c, "ap_1", 7, "A", "B")
		return err
	},
	"blame": func(ctx context.Context, c *client.Client) error {
		_, err := formapi.ReadBlame(ctx, c, "ap_1")
		return err
	},
	"last changes": func(ctx context.Context, c *client.Client) error { _, err := formapi.LastChanges(ctx, c); return err },
	"version": func(ctx context.Context, c *client.Client) error {
		_, err := formapi.ReadVersion(ctx, c, "ap_1", "7")
		return err
	},
	"comments": func(ctx context.Context, c *client.Client) error {
		_, err := formapi.Kept(ctx, c, "ap_1", "comments", nil)
		return err
	},
	"create": func(ctx context.Context, c *client.Client) error {
		_, err := formapi.Create(ctx, c, model.New("f"))
		return err
	},
	"save":   save(model.Patch{}, `"v7"`),
	"delete": func(ctx context.Context, c *client.Client) error { return formapi.Delete(ctx, c, "ap_1") },
}

func tree(t *testing.T, src string) *schema.Object {
	t.Helper()
	v, ps := schema.Decode([]byte(src))
	if len(ps) > 0 {
		t.Fatal(ps)
	}
	return v.(*schema.Object)
}

// What each call sends, as server/API.md describes it.
func TestRequests(t *testing.T) {
	form := model.FromTree(tree(t, `{"name":"New","style":{"css":"a{}"}}`))
	patch := model.PatchFromTree(tree(t, `{"name":"é","style":null}`))
	for _, tt := range []struct {
		name         string
		answer       string
		call         call
		method, path string
		body         string // "" for none
		match        string
	}{
		{"list", `[]`, calls["list"], "GET", "/bff/api/forms?per_page=100&page=0", "", ""},
		{"flows", `[]`, calls["flows"], "GET", "/bff/api/flows?per_page=100&page=0", "", ""},
		{"flow trees", `[]`, calls["flow trees"], "GET", "/bff/api/flows?per_page=100&page=0", "", ""},
		{"read", stored, calls["read"], "GET", "/bff/api/forms/ap_1", "", ""},
		{"versions", `{"versions":[]}`, calls["versions"], "GET", "/bff/api/forms/ap_1/versions?include_totals=true&per_page=100&page=0&named=false", "", ""},
		{"describe", `{"version":7}`, calls["describe"], "PATCH", "/bff/api/forms/ap_1/versions/7", `{"name":"A","note":"B"}`, ""},
		{"blame", `{"nodes":{}}`, calls["blame"], "GET", "/bff/api/forms/ap_1/blame", "", ""},
		{"last changes", `[]`, calls["last changes"], "GET", "/bff/api/changes?per_page=100&page=0", "", ""},
		{"comments", `{"comments":[]}`, calls["comments"], "GET", "/bff/api/forms/ap_1/comments", "", ""},
		{"version", `{"version":7,"form":` + stored + `}`, calls["version"], "GET", "/bff/api/forms/ap_1/versions/7", "", ""},
		{
			"create", stored, func(ctx context.Context, c *client.Client) error { _, err := formapi.Create(ctx, c, form); return err }, "POST",
			"/bff/api/forms", `{"name":"New","style":{"css":"a{}"}}`, "",
		},
		{"save", stored, save(patch, `"v7"`), "PATCH", "/bff/api/forms/ap_1", `{"name":"é","style":null}`, `"v7"`},
		{"delete", "", calls["delete"], "DELETE", "/bff/api/forms/ap_1", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{status: 200, body: tt.answer}
			if err := tt.call(t.Context(), client.New(s)); err != nil {
				t.Fatal(err)
			}
			if len(s.sent) != 1 {
				t.Fatalf("%d requests were sent, want one", len(s.sent))
			}
			match, conditional := s.sent[0].Header["If-Match"]
			if got := s.sent[0]; got.Method != tt.method || got.Path != tt.path || string(got.Body) != tt.body || match != tt.match ||
				conditional != (tt.match != "") || got.Header["X-If-Match"] != tt.match {
				t.Errorf("sent %+v, want %s %s %s for %q", got, tt.method, tt.path, tt.body, tt.match)
			}
		})
	}
}

// The error of the server reaches the caller as it is, and an answer that cannot be read is never an empty result.
func TestFailures(t *testing.T) {
	for name, call := range calls {
		err := call(t.Context(), answering(412, `{"code":"conflict","detail":"It was changed."}`))
		if e, ok := errors.AsType[*client.Error](err); !ok || e.Status != 412 || e.Code != "conflict" || e.Detail != "It was changed." {
			t.Errorf("%s: the error is %+v, want the conflict", name, err)
		}
		if err := call(t.Context(), answering(200, "<!doctype html>")); client.CodeOf(err) != client.CodeOffline || strings.Contains(err.Error(), "<") {
			t.Errorf("%s: a page gave %v", name, err)
		}
		if name == "delete" {
			continue // its answer is ignored
		}
		if err := call(t.Context(), answering(200, "ok")); err == nil || client.CodeOf(err) != "" {
			t.Errorf("%s: a text gave %v, want an error without a code", name, err)
		}
	}
}

// A form under another id, or none, must not be taken for the one asked for.
func TestAnotherForm(t *testing.T) {
	for _, body := range []string{`{"id":"ap_2","name":"n"}`, `{"name":"n"}`, `{"id":7,"name":"n"}`, `{"id":"AP_1","name":"n"}`} {
		for _, name := range []string{"read", "save"} {
			if err := calls[name](t.Context(), answering(200, body)); err == nil || client.CodeOf(err) != "" {
				t.Errorf("%s: %s gave %v, want an error without a code", name, body, err)
			}
		}
	}
	if err := calls["create"](t.Context(), answering(201, `{"name":"n"}`)); err == nil {
		t.Error("create took a form without an id")
	}
}

func TestFormAndETag(t *testing.T) {
	c := client.New(&server{status: 200, body: stored, etag: `"v8"`})
	f, etag, err := formapi.Read(t.Context(), c, "ap_1")
	if err != nil || etag != `"v8"` || f.Name != "Stored" || !schema.Equal(f.Tree(), tree(t, stored)) {
		t.Errorf("the form is %v with %q (%v)", f, etag, err)
	}
	f, etag, err = formapi.Save(t.Context(), c, base, model.Patch{}, `"v7"`, false)
	if err != nil || etag != `"v8"` || f.UpdatedAt != "2026-01-02T03:04:06Z" {
		t.Errorf("the saved form is %v with %q (%v)", f, etag, err)
	}
	c = answering(201, stored)
	if f, err := formapi.Create(t.Context(), c, model.New("Stored")); err != nil || f.ID != "ap_1" {
		t.Errorf("the new form is %v (%v)", f, err)
	}
	if _, etag, err := formapi.Read(t.Context(), c, "ap_1"); err != nil || etag != "" {
		t.Errorf("without an ETag it is %q (%v)", etag, err)
	}
}

// Without an ETag, nothing is sent before the form at the server was compared.
func TestSaveWithoutETag(t *testing.T) {
	patch := model.PatchFromTree(tree(t, `{"name":"New"}`))
	s := &server{status: 200, body: stored}
	if _, _, err := formapi.Save(t.Context(), client.New(s), base, patch, "", false); err != nil || len(s.sent) != 2 ||
		s.sent[0].Method != "GET" || s.sent[1].Method != "PATCH" || s.sent[1].Header["If-Match"] != "" {
		t.Errorf("sent %+v (%v)", s.sent, err)
	}
	s = &server{status: 200, body: strings.Replace(stored, "Stored", "Theirs", 1)}
	if _, _, err := formapi.Save(t.Context(), client.New(s), base, patch, "", false); client.CodeOf(err) != client.CodeConflict || len(s.sent) != 1 {
		t.Errorf("over a form of others, sent %+v (%v)", s.sent, err)
	}
}

// A proxy that changes or takes away ETag leaves its copy alone.
func TestCopyOfETag(t *testing.T) {
	for _, etag := range []string{"", `W/"v8"`} {
		s := &server{status: 200, body: stored, etag: etag, copied: `"v8"`}
		if _, got, err := formapi.Read(t.Context(), client.New(s), "ap_1"); err != nil || got != `"v8"` {
			t.Errorf("beside %q it is %q (%v)", etag, got, err)
		}
		_, got, err := formapi.File(t.Context(), client.New(s), "ap_1", formapi.Scenarios)
		if err != nil || got != `"v8"` {
			t.Errorf("of a file beside %q it is %q (%v)", etag, got, err)
		}
		_, err = formapi.SaveFile(t.Context(), client.New(s), "ap_1", formapi.Scenarios, schema.NewObject(), got)
		if sent := s.sent[len(s.sent)-1].Header; err != nil || sent["If-Match"] != got || sent["X-If-Match"] != got {
			t.Errorf("sent %v (%v)", sent, err)
		}
	}
}

// The largest form can be read: the answer has an id and dates beside what its author sent.
func TestLargestFormIsRead(t *testing.T) {
	answer := strings.Replace(stored, `"Stored"`, `"Stored","translations":{"de":{"x":"`+strings.Repeat("x", schema.MaxBytes)+`"}}`, 1)
	if _, _, err := formapi.Read(t.Context(), answering(200, answer), "ap_1"); err != nil {
		t.Errorf("got %.200v", err)
	}
}

// Forms and flows are listed in the tenant's order. A date that cannot be parsed is zero.
func TestListedFormsAndFlows(t *testing.T) {
	c := answering(200, `[{"id":"2","name":"B","created_at":"2026-01-02T03:04:05.678Z","updated_at":"yesterday","actions":[]},{"id":"1"}]`)
	forms, err := formapi.List(t.Context(), c)
	want := []formapi.Summary{{ID: "2", Name: "B", CreatedAt: time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)}, {ID: "1"}}
	if err != nil || !slices.Equal(forms, want) {
		t.Errorf("the forms are %+v (%v), want %+v", forms, err, want)
	}
	flows, err := formapi.Flows(t.Context(), c)
	if want := []formapi.Flow{{ID: "2", Name: "B"}, {ID: "1"}}; err != nil || !slices.Equal(flows, want) {
		t.Errorf("the flows are %+v (%v), want %+v", flows, err, want)
	}
	trees, err := formapi.FlowTrees(t.Context(), c)
	if err != nil || len(trees) != 2 || !trees[0].Has("actions") {
		t.Errorf("the flows are %v (%v), want two with all that is known", trees, err)
	}
}

// Tenants choose the shapes of ids.
func TestIDsOfOtherShapes(t *testing.T) {
	for id, want := range map[string]string{
		"auth0|65f": "/bff/api/forms/auth0%7C65f", "urn:x:1": "/bff/api/forms/urn:x:1", "a.b-c_d": "/bff/api/forms/a.b-c_d",
		"a b/ü?#%": "/bff/api/forms/a%20b%2F%C3%BC%3F%23%25",
	} {
		body := string(schema.Encode(schema.NewObject(schema.Member{Key: "id", Value: id})))
		server := &server{status: 200, body: body}
		c := client.New(server)
		if _, _, err := formapi.Read(t.Context(), c, id); err != nil {
			t.Error(err)
		}
		if _, _, err := formapi.Save(t.Context(), c, &model.Form{ID: id}, model.PatchFromTree(schema.NewObject()), `"v"`, false); err != nil {
			t.Error(err)
		}
		if err := formapi.Delete(t.Context(), c, id); err != nil {
			t.Error(err)
		}
		for _, r := range server.sent {
			if r.Path != want {
				t.Errorf("%s of %s goes to %s, want %s", r.Method, id, r.Path, want)
			}
		}
	}
}

// Blame names the version that changed an element last, and the list the last change of each form that was saved here.
func TestBlameAndLastChanges(t *testing.T) {
	b, err := formapi.ReadBlame(t.Context(), answering(200, `{"versions":[{"version":7,"author":"Ana","kept":true},{"version":3,"kept":false}],
		"nodes":{"a":7},"components":{"a":3},"rules":{"a":{"r":7}}}`), "ap_1")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		node, component, rule string
		number                int
		kept                  bool
	}{{"a", "", "", 7, true}, {"a", "a", "", 3, false}, {"a", "", "r", 7, true}, {"b", "", "", 0, true}, {"a", "", "x", 0, true}, {"a", "x", "", 0, true}} {
		v, kept := b.Of(tt.node, tt.component, tt.rule)
		if (v == nil) != (tt.number == 0) || v != nil && v.Number != tt.number || kept != tt.kept {
			t.Errorf("%s %s %s: %+v, %v", tt.node, tt.component, tt.rule, v, kept)
		}
	}
	last, err := formapi.LastChanges(t.Context(), answering(200, `[{"id":"a"},{"id":"b","version":2,"author":"Ana","saved_at":"2026-01-02T12:00:00Z"}]`))
	if err != nil || len(last) != 1 || last["b"].Author != "Ana" || last["b"].SavedAt.Hour() != 12 {
		t.Errorf("%+v, %v", last, err)
	}
}

// The first author of a version is the person who saved it.
func TestFirstAuthor(t *testing.T) {
	for author, want := range map[string]string{"": "", "Ana": "Ana", "Ana with Bo Berg, Cy": "Ana"} {
		if got := formapi.FirstAuthor(author); got != want {
			t.Errorf("%q: got %q, want %q", author, got, want)
		}
	}
}
