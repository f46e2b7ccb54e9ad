package tenant

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz"
)

// domain is the tenant at one of its addresses: the canonical domain or the custom one. The counters and memories of its parts are shared
// between both.
type domain struct {
	host    string // of requests for it, in lower case and without the scheme's default port
	scheme  string
	as      *authz.Handler
	api, me http.Handler
}

// errSameHost is returned for two addresses that browsers cannot distinguish: cookies and passkeys belong to hosts.
var errSameHost = errors.New("the custom domain must have a host of its own")

// domains returns the domains of the tenant, the canonical one first. There is only one if custom is "".
func domains(canonical, custom string) ([]access.Domain, error) {
	out := []access.Domain{{Issuer: canonical, Canonical: canonical, Other: custom}}
	if custom == "" {
		return out, nil
	}
	a, err1 := url.Parse(canonical)
	b, err2 := url.Parse(custom)
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("read addresses: %w", err)
	}
	if strings.EqualFold(a.Hostname(), b.Hostname()) {
		return nil, errSameHost
	}
	return append(out, access.Domain{Issuer: custom, Canonical: canonical, Other: canonical}), nil
}

// hostOf returns the host of an address as requests name it: in lower case, without the scheme's default port.
func hostOf(scheme, host string) string {
	port := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return strings.TrimSuffix(strings.ToLower(host), port)
}

// at returns the domain that a request is for. The host must match as a whole. Any other host means the canonical domain, since health
// checks and proxies also reach the tenant by names that it does not know. Headers that claim another host are not read. No token, link or
// address is derived from the host: those come from the configuration.
func (h *handler) at(r *http.Request) *domain {
	for i := range h.domains[1:] {
		if d := &h.domains[i+1]; hostOf(d.scheme, r.Host) == d.host {
			return d
		}
	}
	return &h.domains[0]
}
