package authz

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// implicit is the grant of clients that take ID tokens from the authorization endpoint.
const implicit = "implicit"

// checkIDToken checks a request for an ID token straight from the authorization endpoint: the implicit flow without
// an access token, for applications that only need an identity. Such a token is sent by form_post
// alone, since an address would leave it in histories and logs, and the nonce is what binds it to the request.
// OpenID Connect Core, section 3.2.2; RFC 9700, section 2.1.2.
func (q *request) checkIDToken() *oauth.Error {
	switch {
	case !slices.Contains(q.client.GrantTypes, implicit):
		return oauth.NewError(http.StatusBadRequest, "unauthorized_client", "the application needs the grant implicit for the response type id_token")
	case !q.formPost:
		return oauth.InvalidRequest("the response type id_token needs the response mode form_post")
	case q.nonce == "":
		return oauth.InvalidRequest("nonce is missing")
	case !slices.Contains(q.scope, access.OpenID):
		return oauth.InvalidScope("the scope must hold openid")
	}
	// Without an access token no other scope has a meaning, and nothing can be refreshed.
	q.scope = slices.DeleteFunc(q.scope, func(s string) bool { return !access.Identity(s) || s == access.Offline })
	return nil
}

// newIDToken returns an ID token for the signed-in person. The authorization is kept, so that the application is
// notified when the person signs out.
func (h *Handler) newIDToken(ctx context.Context, q *request, s store.SignIn, scope []string) (string, *oauth.Error) {
	f := newFamily(q, s, scope, h.Now())
	err := h.Store.CreateFamily(ctx, f)
	if errors.Is(err, store.ErrNotFound) {
		return "", oauth.LoginRequired(errSignedOut)
	}
	if err != nil {
		return "", h.journal.Unavailable(ctx, "create family", err)
	}
	return h.idToken(ctx, q.client, &proof{userID: s.UserID, family: &f, nonce: q.nonce}, scope, "")
}

// newFamily returns the authorization of a request by a signed-in person.
func newFamily(q *request, s store.SignIn, scope []string, now time.Time) store.Family {
	life := onlineLife
	if slices.Contains(scope, access.Offline) {
		life = familyLife
	}
	return store.Family{
		ID: tokens.NewSecret(), ClientID: q.client.ID, UserID: s.UserID, SignInID: s.ID, AuthTime: s.AuthTime, ACR: q.met(s), AMR: s.AMR,
		Audience: q.audience, Scope: scope, Expires: now.Add(life), Device: s.Device, Basis: store.Basis{SignInID: s.ID, AMR: s.AMR},
	}
}
