package selfcheck

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/refusal"
)

// maxHops bounds the redirects within the tenant.
const maxHops = 5

// callback begins a sign-in that shows nothing (prompt=none). A tenant that accepts the client, the callback, the audience and the scopes
// answers with a redirect to the callback that says that nobody is signed in.
func (r *run) callback(ctx context.Context) Result {
	switch {
	case r.meta == nil:
		return undiscovered()
	case r.PublicURL == "":
		return unknownAddress()
	}
	state, to := rand.Text(), ""
	o := oauth2.Config{ClientID: r.Options.Remote.ClientID, Endpoint: r.meta.Endpoint(), RedirectURL: r.redirect(), Scopes: r.Scopes}
	options := []oauth2.AuthCodeOption{
		oidc.Nonce(rand.Text()), oauth2.S256ChallengeOption(oauth2.GenerateVerifier()), oauth2.SetAuthURLParam("prompt", "none"),
	}
	if r.Audience != "" {
		options = append(options, oauth2.SetAuthURLParam("audience", r.Audience))
	}
	to = o.AuthCodeURL(state, options...)
	jar, err := cookiejar.New(nil)
	if err != nil {
		return failed(err, "")
	}
	client := &http.Client{
		Transport: r.server.Client().Transport, Timeout: callTime, Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for range maxHops {
		next, result := r.hop(ctx, client, to, state)
		if next == "" {
			return result
		}
		to = next
	}
	return Result{Status: Warn, Detail: "the tenant redirects too often to see its answer", Remedy: seeForYourself}
}

const seeForYourself = "Open the editor in a browser and sign in: the page of a failed sign-in names what the tenant refuses."

// hop requests one address of the tenant. It returns the next address within the tenant, or else the result.
func (r *run) hop(ctx context.Context, client *http.Client, to, state string) (next string, result Result) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, to, nil)
	if err != nil {
		return "", failed(err, reach)
	}
	req.Header.Set("Accept", "text/html")
	res, err := client.Do(req)
	if err != nil {
		return "", failed(err, reach)
	}
	_ = res.Body.Close() // the status and the headers are enough
	at, err := res.Location()
	switch {
	case err != nil && (res.StatusCode >= 500 || res.StatusCode == http.StatusFailedDependency):
		detail := fmt.Sprintf("the authorization endpoint failed with status %d", res.StatusCode)
		return "", Result{Status: Fail, Detail: detail, Remedy: "Try again later."}
	case err != nil && res.StatusCode >= 400:
		// With a wrong callback or client, a tenant must not redirect: RFC 6749, section 4.1.2.1.
		_, remedy := r.sent().Explain(refusal.Callback)
		_, check := r.sent().Explain(refusal.Client)
		return "", Result{
			Status: Fail, Remedy: remedy + " " + check,
			Detail: fmt.Sprintf("the tenant refuses the callback or the client with a page (status %d)", res.StatusCode),
		}
	case err != nil:
		return "", Result{
			Status: Warn, Remedy: seeForYourself,
			Detail: fmt.Sprintf("the tenant shows a page (status %d) although it was asked to show nothing", res.StatusCode),
		}
	}
	q := at.Query()
	back := is(at, r.redirect())
	switch {
	case q.Get("error") != "":
		return "", r.answered(q, back, state)
	case back:
		return "", Result{Status: OK, Detail: r.redirect()}
	case at.Host == req.URL.Host && at.Scheme == req.URL.Scheme:
		return at.String(), Result{}
	}
	return "", Result{
		Status: Warn, Remedy: seeForYourself,
		Detail: "the tenant redirects to " + at.Host + " although it was asked to show nothing",
	}
}

// answered judges an error of the authorization endpoint.
func (r *run) answered(q url.Values, back bool, state string) Result {
	kind := refusal.OfAuthorization(q.Get("error"), q.Get("error_description"))
	switch {
	case back && q.Get("state") != state:
		return Result{Status: Fail, Detail: "the tenant answers with another state", Remedy: "No sign-in can work with this tenant."}
	case back && q.Has("iss") && q.Get("iss") != r.server.Issuer():
		return Result{Status: Fail, Detail: "the tenant answers as another issuer", Remedy: "Set --issuer to the issuer that the tenant names."}
	case back && kind == refusal.Silent:
		return Result{Status: OK, Detail: r.redirect()}
	case kind == refusal.Unavailable:
		return Result{Status: Fail, Detail: "the authorization endpoint failed", Remedy: "Try again later."}
	case kind == refusal.Denied || kind == refusal.Silent:
		return Result{Status: Warn, Detail: "the tenant ends the sign-in for a reason of its own", Remedy: seeForYourself}
	}
	return r.explained(kind)
}

// explained returns the result for what was refused of a sign-in.
func (r *run) explained(kind refusal.Kind) Result {
	detail, remedy := r.sent().Explain(kind)
	return Result{Status: Fail, Detail: trimmed(detail), Remedy: remedy}
}

// is reports whether two addresses are equal, apart from their queries.
func is(at *url.URL, other string) bool {
	u := *at
	u.RawQuery, u.Fragment, u.ForceQuery = "", "", false
	return u.String() == other
}
