package selfcheck

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/refusal"
	"github.com/formgraph/formgraph/server/servicetoken"
	"github.com/formgraph/formgraph/server/upstream"
)

// Config is what the checks try.
type Config struct {
	Options *config.Config
	// PublicURL is the editor's address without a trailing slash; "" if it is not known before the server starts.
	PublicURL string
	// Scopes and Audience are those that a sign-in requests; Audience is "" for none.
	Scopes   []string
	Audience string
	// Transport makes the calls. It must not follow redirects by itself.
	Transport http.RoundTripper
	// Tokens returns the source of the service client's token, which calls over a transport; it is not used without a service client.
	Tokens func(transport http.RoundTripper) (*servicetoken.Source, error)
	Now    func() time.Time
}

// callTime bounds a call of the authorization server.
const callTime = 10 * time.Second

// run is what the checks of one run share.
type run struct {
	Config

	clocks *clocks
	server *issuer.Server
	meta   *issuer.Metadata // nil until the tenant is discovered
	// tokens and api are nil without a service client that has a token.
	tokens *servicetoken.Source
	api    *upstream.Client
}

// Checks returns the checks of a new run, in their order.
func Checks(c Config) []Check {
	checks := []Check{{"configuration", c.configuration}, {"address", c.address}, {"proxy", c.proxy}}
	if !c.Options.Remote.Given() {
		return checks
	}
	r := &run{Config: c, clocks: &clocks{next: c.Transport, now: c.Now}}
	r.server = issuer.New(issuer.Config{
		Issuer: c.Options.Remote.Issuer, Transport: r.clocks, Timeout: callTime, Now: c.Now, SignIn: true,
	})
	checks = append(checks, Check{"discovery", r.discovery}, Check{"keys", r.keys}, Check{"callback", r.callback})
	if r.service() {
		checks = append(checks, Check{"client", r.signInClient}, Check{"token", r.serviceToken})
	} else {
		checks = append(checks, Check{"token", r.signInClient})
	}
	return append(checks, Check{"list", r.list}, Check{"flows", r.flows}, Check{"clock", r.clock})
}

func (c Config) service() bool { return c.Options.Remote.Service != nil }

// sent returns what a sign-in sends.
func (c Config) sent() refusal.Sent {
	o := c.Options.Remote
	return refusal.Sent{Issuer: o.Issuer, ClientID: o.ClientID, Callback: c.redirect(), Audience: c.Audience, Scopes: c.Scopes}
}

func (c Config) redirect() string { return c.PublicURL + "/bff/callback" }

// configuration says what is tried. A wrong configuration never gets here.
func (c Config) configuration(context.Context) Result {
	o := c.Options.Remote
	switch {
	case !o.Given():
		return Result{Status: OK, Detail: "the embedded tenant: there is nothing to check at a tenant"}
	case o.Service == nil:
		return Result{Status: OK, Detail: "remote tenant; " + o.ManagementURL + " is called with the token of the signed-in person"}
	}
	return Result{Status: OK, Detail: fmt.Sprintf("remote tenant; %s is called with the token of the service client %s; %s for who may edit, "+
		"%d for who may look", o.ManagementURL, o.Service.ClientID, count(len(o.Service.Rules.Edit), "rule"), len(o.Service.Rules.View))}
}

// undiscovered is the result of a check that needs the tenant's endpoints.
func undiscovered() Result {
	return Result{Status: Skip, Detail: "needs the endpoints that discovery finds"}
}

// found collects the findings of one check. The worst counts.
type found struct {
	status            Status
	details, remedies []string
}

func (f *found) add(s Status, detail, remedy string) {
	if f.status != Fail {
		f.status = s
	}
	f.details = append(f.details, detail)
	if remedy != "" {
		f.remedies = append(f.remedies, remedy)
	}
}

// result returns the findings, or ok if there are none.
func (f *found) result(ok string) Result {
	if f.status == "" {
		return Result{Status: OK, Detail: ok}
	}
	return Result{Status: f.status, Detail: strings.Join(f.details, "; "), Remedy: strings.Join(f.remedies, " ")}
}

// failed returns the result of a call that failed.
func failed(err error, remedy string) Result {
	return Result{Status: Fail, Detail: issuer.Quiet(err).Error(), Remedy: remedy}
}

// count returns a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}
