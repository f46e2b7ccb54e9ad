package pages_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/tenant/authz/pages"
)

// The consent page names every scope that is granted, with or without an API, and says so if there is none.
func TestConsentNamesEveryScope(t *testing.T) {
	p, err := pages.New()
	if err != nil {
		t.Fatal(err)
	}
	who, what := []pages.Scope{{Words: "Know who you are", Scope: "openid"}}, []pages.Scope{{Words: "See forms", Scope: "read:forms"}}
	const nothing, in = "nothing more", "In <b>Forms</b>"
	for _, tt := range []struct {
		name        string
		page        pages.Page
		has, hasNot []string
	}{
		{"both", pages.Page{API: "Forms", Identity: who, Scopes: what}, []string{"openid", "read:forms", in}, []string{nothing}},
		{"without an API", pages.Page{Identity: who, Scopes: what}, []string{"openid", "read:forms"}, []string{nothing, "In <b>"}},
		{"nothing of the API", pages.Page{API: "Forms", Identity: who}, []string{"openid"}, []string{nothing, in}},
		{"nothing about the person", pages.Page{API: "Forms", Scopes: what}, []string{"read:forms", in}, []string{nothing}},
		{"only other scopes", pages.Page{Scopes: what}, []string{"read:forms"}, []string{nothing}},
		{"nothing", pages.Page{API: "Forms"}, []string{nothing}, []string{in}},
	} {
		w := httptest.NewRecorder()
		p.Render(w, http.StatusOK, "consent", tt.page)
		body := w.Body.String()
		for _, text := range tt.has {
			if strings.Count(body, text) != 1 {
				t.Errorf("%s: the page lacks %q, or repeats it: %s", tt.name, text, body)
			}
		}
		for _, text := range tt.hasNot {
			if strings.Contains(body, text) {
				t.Errorf("%s: the page says %q: %s", tt.name, text, body)
			}
		}
	}
}
