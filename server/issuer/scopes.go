package issuer

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/server/dpop/jws"
)

// maxToken bounds the access tokens in which claims are looked for, in bytes.
const maxToken = 64 << 10

// ClaimedScopes returns the scopes that an access token claims to hold, if it is a JWT with the claim scope (RFC 9068, section 2.2.3) or
// permissions, which some tenants use for the same. The token is the API's to verify, so this is only a hint for answers of a token
// endpoint that name no scope although fewer were granted than requested. ok is false when the token has neither claim.
func ClaimedScopes(access string) (scopes []string, ok bool) {
	if len(access) > maxToken {
		return nil, false
	}
	m, err := jws.Parse(access)
	if err != nil {
		return nil, false
	}
	for _, name := range []string{"scope", "permissions"} {
		v, has := m.Body.Get(name)
		if !has {
			continue
		}
		switch v := v.(type) {
		case string:
			scopes, ok = append(scopes, strings.Fields(v)...), true
		case []any:
			ok = true
			for _, item := range v {
				if s, isText := item.(string); isText {
					scopes = append(scopes, s)
				}
			}
		}
	}
	slices.Sort(scopes)
	return slices.Compact(scopes), ok
}
