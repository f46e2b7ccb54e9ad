package bff

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/formgraph/formgraph/server/admission"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/upstream"
)

// maxClaims bounds the claims that a session keeps, in bytes.
const maxClaims = 16 << 10

// errLater means that the user info endpoint may answer later.
var errLater = errors.New("user info endpoint is not available")

// userInfo returns the claims of the user info endpoint, and none if the issuer has no such endpoint. It refuses those of another subject.
// OpenID Connect Core, section 5.3. The error wraps errLater when it is worth trying again.
func (i *Identity) userInfo(ctx context.Context, p *provider, access upstream.Credential, subject string) (admission.Claims, error) {
	if p.meta.UserInfo == "" {
		return nil, nil //nolint:nilnil // no claims
	}
	res, err := i.askUserInfo(ctx, p.meta.UserInfo, access)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close() //nolint:errcheck // what was read decides
	if res.StatusCode >= http.StatusInternalServerError || res.StatusCode == http.StatusTooManyRequests {
		return nil, fmt.Errorf("%w: status %d", errLater, res.StatusCode)
	}
	kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" || res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask for user info: status %d with type %q", res.StatusCode, clipped(kind))
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errLater, err)
	}
	c, err := admission.ParseClaims(text)
	if err != nil {
		return nil, err
	}
	if c.Text("sub") != subject {
		return nil, errors.New("ask for user info: it is about another subject")
	}
	return c, nil
}

// askUserInfo calls the user info endpoint, with a bound token once more if its proof is refused.
func (i *Identity) askUserInfo(ctx context.Context, address string, access upstream.Credential) (*http.Response, error) {
	var nonce string
	for again := true; ; again = false {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
		if err != nil {
			return nil, fmt.Errorf("ask for user info: %w", err)
		}
		if err := access.Present(req, cmp.Or(nonce, i.nonce.Get()), i.c.Now()); err != nil {
			return nil, fmt.Errorf("ask for user info: %w", err)
		}
		req.Header.Set("Accept", "application/json")
		res, err := i.server.Client().Do(req)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errLater, issuer.Quiet(err))
		}
		if access.Key == nil {
			return res, nil
		}
		nonce = i.nonce.Learn(res.Header.Get("DPoP-Nonce"))
		if !again || !upstream.ProofRefused(res.StatusCode, res.Header) {
			return res, nil
		}
		_ = res.Body.Close() // only the header matters
	}
}

// compact returns the claims that the session stores: all of them, or only those that the rules need if all exceed maxClaims bytes.
func (a *serviceAccess) compact(ctx context.Context, c admission.Claims) (string, error) {
	text, err := json.Marshal(c)
	if err == nil && len(text) > maxClaims {
		a.log.warn(ctx, "claims", fmt.Errorf("%d bytes are too many for a session: only those that the rules name are kept", len(text)))
		text, err = json.Marshal(a.Rules.Needed(c))
	}
	if err != nil {
		return "", fmt.Errorf("keep claims: %w", err)
	}
	if len(text) > maxClaims {
		return "", fmt.Errorf("keep claims: those that the rules name have %d bytes, may have %d", len(text), maxClaims)
	}
	return string(text), nil
}
