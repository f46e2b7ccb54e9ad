package guard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/sample/guard"
)

// FuzzCheck wants that no header makes the guard panic, answer anything but 400, 401 or 503, or let a
// request pass that has no credential of ours.
func FuzzCheck(f *testing.F) {
	fx := newFixture(f, guard.Allowed)
	token := fx.bound(nil)
	proof := fx.proof(token, "/x", nil, nil)
	f.Add("DPoP "+token, proof, "/x")
	f.Add("Bearer "+fx.bearer(nil), "", "/a%2Fb?x")
	f.Add("Bearer a.b.c", "a.b.c", "/")
	f.Add("DPoP "+strings.Replace(token, ".", "..", 1), proof+","+proof, "//")
	f.Fuzz(func(t *testing.T, authorization, proof, path string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x", nil)
		r.Header["Authorization"], r.Header["Dpop"] = []string{authorization}, []string{proof}
		r.URL.Path, r.URL.RawPath = path, ""
		p, refused := fx.Check(r)
		if (p == nil) == (refused == nil) {
			t.Fatalf("%v and %v", p, refused)
		}
		if refused != nil && refused.Status != 400 && refused.Status != 401 && refused.Status != 503 {
			t.Errorf("status %d", refused.Status)
		}
		if p != nil && p.Name != "ana" {
			t.Errorf("%q passes", p.Name)
		}
	})
}
