package management_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/tenant/management"
)

func TestAuthentication(t *testing.T) {
	f := newFixture(t)
	expired := f.all
	f.now = f.now.Add(11 * time.Minute)
	f.all = f.token("global", audience, management.Scopes()...)
	scopes := management.Scopes()
	for _, tt := range []struct {
		name, auth, message string
	}{
		{"none", "", "Missing authentication"},
		{"basic", "Basic Z2xvYmFsOng=", "Missing authentication"},
		{"no token", "Bearer", "Missing authentication"},
		{"text", "Bearer x.y.z", "Invalid token"},
		{"expired", "Bearer " + expired, "Invalid token"},
		{"another audience", "Bearer " + f.token("global", issuer+"/other/", scopes...), "Invalid token"},
		{"audience without slash", "Bearer " + f.token("global", strings.TrimSuffix(audience, "/"), scopes...), "Invalid token"},
		{"client not global", "Bearer " + f.token("local", audience, scopes...), "The client is not global"},
		{"client gone", "Bearer " + f.token("nobody", audience, scopes...), "The client is not global"},
	} {
		a := f.send(http.MethodGet, "/api/v2/forms", "", "Authorization", tt.auth)
		e := a.error(t)
		if a.StatusCode != http.StatusUnauthorized || e.Message != tt.message || !strings.HasPrefix(a.Header.Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("%s: %d %q, want 401 %q with a challenge", tt.name, a.StatusCode, e.Message, tt.message)
		}
	}
	if a := f.send(http.MethodGet, "/api/v2/forms", "", "Authorization", "bearer "+f.all); a.StatusCode != http.StatusOK {
		t.Errorf("scheme in lower case: %d, want 200", a.StatusCode)
	}
	// A cookie has no meaning here.
	if a := f.send(http.MethodGet, "/api/v2/forms", "", "Authorization", "", "Cookie", "fg="+f.all); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("token in a cookie: %d, want 401", a.StatusCode)
	}
}

func TestScopes(t *testing.T) {
	f := newFixture(t)
	for noun, prefix := range map[string]string{"forms": "ap_", "flows": "af_"} {
		for _, tt := range []struct{ method, path, verb string }{
			{http.MethodGet, "", "read"},
			{http.MethodHead, "", "read"},
			{http.MethodPost, "", "create"},
			{http.MethodGet, "/" + prefix + "x", "read"},
			{http.MethodPatch, "/" + prefix + "x", "update"},
			{http.MethodDelete, "/" + prefix + "x", "delete"},
		} {
			path, need := "/api/v2/"+noun+tt.path, tt.verb+":"+noun
			var others []string
			for _, s := range management.Scopes() {
				if s != need {
					others = append(others, s)
				}
			}
			others = append(others, need+"X", strings.TrimSuffix(need, "s"), need+"\tadmin")
			a := f.send(tt.method, path, "", "Authorization", "Bearer "+f.token("global", audience, others...))
			if a.StatusCode != http.StatusForbidden || !strings.Contains(a.Header.Get("WWW-Authenticate"), `scope="`+need+`"`) {
				t.Errorf("%s %s without %s: %d, want 403 that names it", tt.method, path, need, a.StatusCode)
			}
			if e := a.error(t); e.ErrorCode != "insufficient_scope" || !strings.HasSuffix(e.Message, ": "+need) {
				t.Errorf("%s %s: %+v, want insufficient_scope naming %s", tt.method, path, e, need)
			}
			a = f.send(tt.method, path, "", "Authorization", "Bearer "+f.token("global", audience, need))
			if a.StatusCode == http.StatusForbidden {
				t.Errorf("%s %s with %s alone: 403", tt.method, path, need)
			}
		}
	}
}

// Only a text of the right shape is an ID.
func TestPaths(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct {
		path   string
		status int
		code   string
	}{
		{"/api/v2/forms/..%2fusers", 400, "invalid_uri"},
		{"/api/v2/forms/%2e%2e", 400, "invalid_uri"},
		{"/api/v2/forms/a%2Fb", 400, "invalid_uri"},
		{"/api/v2/forms/a%00", 400, "invalid_uri"},
		{"/api/v2/forms/%0d%0a", 400, "invalid_uri"},
		{"/api/v2/forms/%252e", 400, "invalid_uri"},
		{"/api/v2/forms/%61p_x", 400, "invalid_uri"},
		{"/api/v2/forms/a;v=2", 400, "invalid_uri"},
		{"/api/v2/forms/", 400, "invalid_uri"},
		{"/api/v2/forms/..", 400, "invalid_uri"},
		{"/api/v2/forms/a/b", 400, "invalid_uri"},
		{"/api/v2/forms/" + strings.Repeat("a", 31), 400, "invalid_uri"},
		{"/api/v2/forms/" + strings.Repeat("a", 30), 404, "inexistent_form"},
		{"/api/v2/forms/ap_x?x=1", 404, "inexistent_form"},
		{"/api/v2/flows/af_x", 404, "inexistent_flow"},
		{"/api/v2/people", 404, "not_found"},
		{"/api/v2/users/a/b", 404, "not_found"},
		{"/api/v2/users/a/roles/b", 404, "not_found"},
		{"/api/v2/users/..%2fx/roles", 400, "invalid_uri"},
		{"/api/v2/users//roles", 400, "invalid_uri"},
		{"/api/v2/client_grants", 404, "not_found"},
		{"/api/v2", 404, "not_found"},
		{"/api/v2/", 404, "not_found"},
		{"/api/v2//forms", 404, "not_found"},
		{"/api/v2/Forms", 404, "not_found"},
	} {
		a := f.send(http.MethodGet, tt.path, "")
		if e := a.error(t); a.StatusCode != tt.status || e.ErrorCode != tt.code {
			t.Errorf("%s: %d %s, want %d %s", tt.path, a.StatusCode, e.ErrorCode, tt.status, tt.code)
		}
	}
	for path, want := range map[string]string{"/api/v2/forms": "GET, POST", "/api/v2/forms/ap_x": "DELETE, GET, PATCH"} {
		a := f.send(http.MethodPut, path, "{}", "X-HTTP-Method-Override", "PATCH")
		if a.error(t); a.StatusCode != http.StatusMethodNotAllowed || a.Header.Get("Allow") != want {
			t.Errorf("PUT %s: %d, Allow %q, want 405 and %q", path, a.StatusCode, a.Header.Get("Allow"), want)
		}
	}
}

func TestRateLimit(t *testing.T) {
	f := newFixtureAt(t, 50, 100)
	for i := range 100 {
		a := f.send(http.MethodGet, "/api/v2/forms", "")
		if a.StatusCode != http.StatusOK || a.Header.Get("X-RateLimit-Limit") != "100" ||
			a.Header.Get("X-RateLimit-Remaining") != strconv.Itoa(99-i) {
			t.Fatalf("request %d = %d with %s of %s left", i+1, a.StatusCode, a.Header.Get("X-RateLimit-Remaining"),
				a.Header.Get("X-RateLimit-Limit"))
		}
	}
	a := f.send(http.MethodGet, "/api/v2/forms", "")
	if e := a.error(t); a.StatusCode != http.StatusTooManyRequests || e.ErrorCode != "too_many_requests" ||
		a.Header.Get("Retry-After") != "1" ||
		a.Header.Get("X-RateLimit-Remaining") != "0" || a.Header.Get("X-RateLimit-Reset") != fmt.Sprint(f.now.Unix()+1) {
		t.Errorf("request 101 = %d %v", a.StatusCode, a.Header)
	}
	// Neither another client nor a stranger is affected, and a stranger has a limit too.
	if a := f.send(http.MethodGet, "/api/v2/forms", "", "Authorization",
		"Bearer "+f.token("second", audience, "read:forms")); a.StatusCode != http.StatusOK {
		t.Errorf("another client = %d, want 200", a.StatusCode)
	}
	for i := range 101 {
		want := http.StatusUnauthorized
		if i == 100 {
			want = http.StatusTooManyRequests
		}
		if a := f.send(http.MethodGet, "/api/v2/forms", "", "Authorization", ""); a.StatusCode != want {
			t.Fatalf("stranger's request %d = %d, want %d", i+1, a.StatusCode, want)
		}
	}
	f.now = f.now.Add(20 * time.Millisecond)
	if a := f.send(http.MethodGet, "/api/v2/forms", ""); a.StatusCode != http.StatusOK {
		t.Errorf("a fiftieth of a second later = %d, want 200", a.StatusCode)
	}
}

func TestStoreDown(t *testing.T) {
	db := sqlitetest.Open(t)
	f := newFixtureOn(t, db, 1000, 1000)
	f.seed()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	a := f.send(http.MethodGet, "/api/v2/forms", "")
	if a.error(t); a.StatusCode != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" {
		t.Errorf("without a store = %d, want 503", a.StatusCode)
	}
	if strings.Contains(a.body, "sql") {
		t.Errorf("body tells of the inside: %s", a.body)
	}
}
