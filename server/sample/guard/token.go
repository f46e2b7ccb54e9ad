package guard

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/dpop/jws"
)

// Limits of an access token.
const (
	maxToken = 8 << 10
	skew     = 5 * time.Second // tolerated difference between the tenant's clock and ours
)

// A tokenFault is why an access token is not accepted: a fixed text, plain ASCII without quotes, that repeats nothing from the token.
type tokenFault string

func (f tokenFault) Error() string { return string(f) }

// Principal is the subject for whom a request is made, according to the access token.
type Principal struct {
	// Name is the claim sub.
	Name string
	// Authorities lists "SCOPE_" followed by each word of the claim scope, in order.
	Authorities []string
	// Issuer is the claim iss, Audience all values of aud, and Email the claim email, "" for none.
	Issuer   string
	Audience []string
	Email    string
	// Scope is the claim scope, unchanged.
	Scope string

	key string // cnf.jkt, "" for a token that is not bound
}

// Has reports whether the principal has one of the authorities.
func (p *Principal) Has(authorities ...string) bool {
	return slices.ContainsFunc(authorities, func(a string) bool { return slices.Contains(p.Authorities, a) })
}

// verify checks an access token: RS256 with a key of the tenant, the tenant's issuer, our audience, and the times. The error is a
// tokenFault or errNoKeys.
func (g *Guard) verify(ctx context.Context, token string) (*Principal, error) {
	bad := func(why string) (*Principal, error) { return nil, tokenFault(why) }
	if len(token) > maxToken {
		return bad("it is too long")
	}
	m, err := jws.Parse(token)
	if err != nil {
		return bad("it is " + err.Error())
	}
	typ, given := m.Header.Get("typ")
	if name, _ := typ.(string); given && !isAccess(name) {
		return bad("typ is not that of an access token") // RFC 9068, section 4; the vendor's are JWT
	}
	kid := m.Header.Text("kid")
	if kid == "" {
		return bad("kid is missing")
	}
	// Unverified content is used only to choose the tenant to ask.
	key, err := g.keys.key(ctx, kid, m.Body.Text("iss"))
	if err != nil {
		return nil, err
	}
	if key == nil {
		return bad("it is from another issuer, or signed by a key that the tenant does not have")
	}
	if !m.RS256(key) {
		return bad("it has no RS256 signature by the key")
	}
	return g.read(m.Body)
}

// isAccess reports whether a header's typ is that of an access token.
func isAccess(typ string) bool {
	return strings.EqualFold(typ, "JWT") || strings.EqualFold(typ, "at+jwt") || strings.EqualFold(typ, "application/at+jwt")
}

// read checks the claims of a token whose signature is valid.
func (g *Guard) read(o *schema.Object) (*Principal, error) {
	bad := func(why string) (*Principal, error) { return nil, tokenFault(why) }
	p := &Principal{Name: o.Text("sub"), Issuer: o.Text("iss"), Email: o.Text("email"), Scope: o.Text("scope")}
	switch aud, _ := o.Get("aud"); aud := aud.(type) {
	case string:
		p.Audience = []string{aud}
	case []any:
		for _, a := range aud {
			s, ok := a.(string)
			if !ok {
				return bad("aud is not a list of names")
			}
			p.Audience = append(p.Audience, s)
		}
	}
	now := g.config.Now()
	exp, hasExp := instant(o, "exp")
	nbf, hasNbf := instant(o, "nbf")
	iat, hasIat := instant(o, "iat")
	switch {
	case !slices.Contains(p.Audience, g.config.Audience):
		return bad("aud does not name this API")
	case p.Name == "":
		return bad("sub is missing")
	case !hasExp:
		return bad("exp is missing or not a time")
	case !now.Before(exp.Add(skew)):
		return bad("exp is past")
	case o.Has("nbf") && (!hasNbf || now.Add(skew).Before(nbf)):
		return bad("nbf is in the future or not a time")
	case o.Has("iat") && (!hasIat || now.Add(skew).Before(iat)):
		return bad("iat is in the future or not a time")
	case o.Has("scope") && !isText(o, "scope"):
		return bad("scope is not a string")
	}
	// Only spaces separate words: RFC 6749, section 3.3. A tab within a word must not split it.
	for word := range strings.SplitSeq(p.Scope, " ") {
		if word != "" {
			p.Authorities = append(p.Authorities, "SCOPE_"+word)
		}
	}
	if o.Has("cnf") {
		// A token bound in an unknown way must not be treated as unbound.
		if p.key = o.Object("cnf").Text("jkt"); !isThumbprint(p.key) {
			return bad("cnf names no key")
		}
	}
	return p, nil
}

// instant reads a NumericDate. RFC 7519, section 2.
func instant(o *schema.Object, name string) (time.Time, bool) {
	v, _ := o.Get(name)
	n, ok := v.(schema.Number)
	if !ok {
		return time.Time{}, false
	}
	f, err := json.Number(n).Float64()
	if err != nil || f < 0 || f > 1<<53 {
		return time.Time{}, false
	}
	return time.Unix(int64(f), 0), true
}

func isText(o *schema.Object, name string) bool {
	v, _ := o.Get(name)
	_, ok := v.(string)
	return ok
}

// isThumbprint reports whether s is a SHA-256 digest in base64url.
func isThumbprint(s string) bool {
	const digits = 43
	return len(s) == digits && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}
