package tokens_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// grants answers for every authorization.
type grants struct {
	live bool
	err  error
}

func (g grants) FamilyLive(context.Context, string) (bool, error) { return g.live, g.err }

// A token of a revoked authorization is refused, even at another address of the tenant; a token without an authorization is not. If the
// store fails, the client may try again. Every refusal names the client.
func TestRevokedGrant(t *testing.T) {
	m := newMint(t)
	m.Tokens = m.At(issuer)
	for _, tt := range []struct {
		name, grant string
		grants      tokens.Grants
		status      int
	}{
		{"nobody knows grants", "g", nil, 200},
		{"live", "g", grants{live: true}, 200},
		{"revoked", "g", grants{}, 401},
		{"no grant", "", grants{}, 200},
		{"down", "g", grants{err: errors.New("down")}, 503},
	} {
		m.Grants = tt.grants
		raw, _, err := m.IssueAccess(tokens.Access{Subject: "u", ClientID: "c", Audience: audience, GrantID: tt.grant})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, issuer, nil)
		r.Header.Set("Authorization", "Bearer "+raw)
		for _, at := range []*tokens.Tokens{m.Tokens, m.At(issuer)} {
			a, refused := at.VerifyRequest(r, audience, nil)
			if tt.status == http.StatusOK {
				if refused != nil || a.GrantID != tt.grant {
					t.Errorf("%s: %+v, %v, want the token of %q", tt.name, a, refused, tt.grant)
				}
				continue
			}
			if refused == nil || refused.Status != tt.status || refused.ClientID != "c" || a.Subject != "" {
				t.Errorf("%s: %+v, %+v, want %d for client c", tt.name, a, refused, tt.status)
			}
		}
	}
}
