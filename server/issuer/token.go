package issuer

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/dpop"
)

// OffersDPoP reports whether the server binds tokens to keys of the kind that package dpop makes (RFC 9449, section 5.1).
func (m *Metadata) OffersDPoP() bool { return slices.Contains(m.DPoPAlgs, string(dpop.Algorithm)) }

// Bound reports whether an access token of this type is bound to a key. The answer of the token endpoint decides, whatever the request
// proved. RFC 9449, section 5; types are compared without case (RFC 6749, section 5.1).
func Bound(tokenType string) bool { return strings.EqualFold(tokenType, "DPoP") }

// Token makes a token request. ask sends it with the client of the oauth2 package in ctx. With a key, which may be nil, the request proves
// its possession, so that the server can bind the tokens to it. If the server requires a nonce, Token calls ask once more, since a client
// assertion must not be sent twice; the first request changed nothing then (RFC 9449, section 8).
func (s *Server) Token(ctx context.Context, key *dpop.Key, ask func(ctx context.Context) (*oauth2.Token, error)) (*oauth2.Token, error) {
	client := *s.http
	if key == nil {
		return ask(context.WithValue(ctx, oauth2.HTTPClient, &client))
	}
	p := &prover{next: client.Transport, key: key, latest: &s.nonce, nonce: s.nonce.Get(), now: s.c.Now}
	client.Transport = p
	ctx = context.WithValue(ctx, oauth2.HTTPClient, &client)
	sent := p.nonce
	t, err := ask(ctx)
	if Refused(err, "use_dpop_nonce") && p.nonce != sent {
		t, err = ask(ctx)
	}
	return t, err
}

// prover adds a proof to the requests of one exchange, which are sent one after the other.
type prover struct {
	next   http.RoundTripper
	key    *dpop.Key
	latest *dpop.Nonce // of the server
	nonce  string      // for the next request: that of another exchange may be for its key only
	now    func() time.Time
}

// RoundTrip implements http.RoundTripper.
func (p *prover) RoundTrip(r *http.Request) (*http.Response, error) {
	proof, err := p.key.Proof(r.Method, r.URL.String(), "", p.nonce, p.now())
	if err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // a round tripper must
		}
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Header.Set("DPoP", proof)
	res, err := p.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if nonce := p.latest.Learn(res.Header.Get("DPoP-Nonce")); nonce != "" {
		p.nonce = nonce
	}
	return res, nil
}
