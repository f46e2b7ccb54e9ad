package selfcheck

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/refusal"
	"github.com/formgraph/formgraph/server/servicetoken"
)

// signInClient tries the credentials of the sign-in's client with a code that does not exist. The token endpoint judges the client first:
// RFC 6749, section 5.2.
func (r *run) signInClient(ctx context.Context) Result {
	if r.meta == nil {
		return undiscovered()
	}
	o := r.Options.Remote
	c := oauth2.Config{ClientID: o.ClientID, ClientSecret: o.ClientSecret, Endpoint: r.meta.Endpoint(), RedirectURL: r.redirect()}
	var key *dpop.Key
	if o.DPoP && r.meta.OffersDPoP() {
		made, err := dpop.NewKey()
		if err != nil {
			return failed(err, "")
		}
		key = made
	}
	_, err := r.server.Token(ctx, key, func(ctx context.Context) (*oauth2.Token, error) {
		return c.Exchange(ctx, "formgraph-check", oauth2.VerifierOption(oauth2.GenerateVerifier()))
	})
	re, ok := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case err == nil:
		return Result{Status: Fail, Detail: "the token endpoint accepted a code that does not exist", Remedy: "Do not use this tenant."}
	case !ok || re.Response == nil || re.Response.StatusCode >= http.StatusInternalServerError:
		return Result{Status: Fail, Detail: issuer.WithoutBody(err).Error(), Remedy: reach}
	case re.ErrorCode == "":
		return Result{
			Status: Warn, Remedy: seeForYourself,
			Detail: fmt.Sprintf("the token endpoint answered %d without an error code, which does not show whether it accepts the client",
				re.Response.StatusCode),
		}
	}
	switch kind := refusal.OfToken(re.ErrorCode, re.ErrorDescription); kind {
	case refusal.Code, refusal.Callback: // some tenants compare the callback first, and the made-up code has none
		return Result{Status: OK, Detail: "the tenant accepts the client " + o.ClientID + " and its secret"}
	case refusal.Client, refusal.Grant:
		return r.explained(kind)
	default:
		return Result{
			Status: Warn,
			Detail: fmt.Sprintf("the token endpoint answered %q, which does not show whether it accepts the client", short(re.ErrorCode)),
			Remedy: seeForYourself,
		}
	}
}

// serviceToken fetches a token of the service client and compares its scopes with those that the editor needs.
func (r *run) serviceToken(ctx context.Context) Result {
	tokens, err := r.Tokens(r.clocks)
	if err != nil {
		return failed(err, "The file must hold one private key, RSA or P-256, in PEM.")
	}
	if err := tokens.Check(ctx); err != nil {
		detail, remedy, ok := strings.Cut(issuer.Quiet(err).Error(), "; ")
		if !ok && errors.Is(err, servicetoken.ErrUnavailable) {
			remedy = "This machine must reach the token endpoint of --management-issuer, which is " + r.Options.Remote.Service.Issuer + "."
		}
		return Result{Status: Fail, Detail: detail, Remedy: sentence(remedy)}
	}
	r.tokens = tokens
	held := tokens.Scopes()
	var f found
	without := func(all, some []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(some, s) })
	}
	if lacks := without(servicetoken.Scopes(), held); len(lacks) > 0 {
		f.add(Warn, "the token lacks "+strings.Join(lacks, " "), "At the tenant, grant the client "+
			r.Options.Remote.Service.ClientID+" what people are to do. Without a scope, nobody can do what it allows.")
	}
	extra := slices.DeleteFunc(without(held, servicetoken.Scopes()), func(s string) bool { return !strings.Contains(s, ":") })
	if len(extra) > 0 {
		f.add(Warn, "the token holds more than it needs: "+short(strings.Join(extra, " ")), "At the tenant, remove these scopes from the client.")
	}
	return f.result("the service client " + r.Options.Remote.Service.ClientID + " holds " + strings.Join(held, " "))
}

// short bounds text of the tenant and drops what a terminal could obey.
func short(s string) string {
	s = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, ""))
	if len(s) > 200 {
		s = s[:200] + "..."
	}
	return s
}

// sentence begins text with a capital letter and ends it with a period.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	c, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(c)) + trimmed(s[n:]) + "."
}

func trimmed(s string) string { return strings.TrimSuffix(s, ".") }
