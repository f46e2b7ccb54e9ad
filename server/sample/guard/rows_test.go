package guard_test

import (
	"crypto/elliptic"
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/sample/guard"
)

// Bound tokens, subjects and scopes: the guard trusts the content of the tenant's tokens and nothing else.
func TestRows(t *testing.T) {
	t.Run("84 a bound token as Bearer", func(t *testing.T) {
		for mode, want := range map[guard.Mode]int{guard.Allowed: 401, guard.Required: 401, guard.Disabled: 200} {
			f := newFixture(t, mode)
			if a := f.send("/x", "Authorization", "Bearer "+f.bound(nil)); a.status != want {
				t.Errorf("%s: %d, want %d", mode, a.status, want)
			}
		}
	})
	t.Run("85 a token with a proof by another key", func(t *testing.T) {
		for _, mode := range []guard.Mode{guard.Allowed, guard.Required} {
			f := newFixture(t, mode)
			token, own := f.bound(nil), f.key
			f.key = newEC(elliptic.P256())
			a := f.send("/x", "Authorization", "DPoP "+token, "DPoP", f.proof(token, "/x", nil, nil))
			if a.status != 401 || a.code != "invalid_token" {
				t.Errorf("%s: %d %s", mode, a.status, a.code)
			}
			f.key = own
			if a := f.send("/x", "Authorization", "DPoP "+token, "DPoP", f.proof(token, "/x", nil, nil)); a.status != 200 {
				t.Errorf("%s, its own key afterwards: %d", mode, a.status)
			}
		}
	})
	t.Run("87 the scope of the token and nothing more", func(t *testing.T) {
		f := newFixture(t, guard.Allowed)
		gate := f.Require(echo(), "SCOPE_admin")
		for name, claims := range map[string]object{
			"permissions":       {"scope": "read:users", "permissions": []string{"admin"}},
			"scp":               {"scope": nil, "scp": "admin"},
			"authorities":       {"scope": "read:users", "authorities": []string{"SCOPE_admin"}},
			"the prefix itself": {"scope": "SCOPE_admin"},
			"an address of it":  {"scope": "https://api.example/admin"},
		} {
			if a := f.sendTo(gate, "/x", "Authorization", "Bearer "+f.bearer(claims)); a.status != 403 {
				t.Errorf("%s: %d, want 403", name, a.status)
			}
		}
	})
	t.Run("88 words of scopes exactly", func(t *testing.T) {
		f := newFixture(t, guard.Allowed)
		gate := f.Require(echo(), "SCOPE_update:forms")
		var thousand []string
		for i := range 1000 {
			thousand = append(thousand, fmt.Sprint("s", i))
		}
		many := strings.Join(thousand, " ")
		for scope, want := range map[string]int{
			"update:forms": 200, "read:forms update:forms": 200, "  update:forms  x": 200,
			"update:formsX": 403, "Xupdate:forms": 403, "update:form": 403, "UPDATE:FORMS": 403, "update:forms,admin": 403, "update:*": 403,
			"update:forms\tadmin": 403, "admin\nupdate:forms": 403,
			"update:forms\u00a0admin": 403, "update:forms\u2028x": 403, "update:forms\x00": 403,
			"": 403, " ": 403,
			many: 403, many + " update:forms": 200, "update:forms " + many: 200,
		} {
			if a := f.sendTo(gate, "/x", "Authorization", "Bearer "+f.bearer(object{"scope": scope})); a.status != want {
				t.Errorf("scope %.40q: %d, want %d", scope, a.status, want)
			}
		}
		// More than a token holds.
		a := f.sendTo(gate, "/x", "Authorization", "Bearer "+f.bearer(object{"scope": strings.Repeat("update:forms ", 1000)}))
		if a.status != 401 {
			t.Errorf("a huge token: %d, want 401", a.status)
		}
	})
}
