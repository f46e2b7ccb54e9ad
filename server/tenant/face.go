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

// face is the tenant at one of its addresses. What its parts count and remember is shared with the other.
type face struct {
	host    string // of requests for it, in lower case and without the scheme's own port
	scheme  string
	as      *authz.Handler
	api, me http.Handler
}

// errSameHost is returned for two addresses that browsers cannot distinguish: cookies and passkeys know hosts.
var errSameHost = errors.New("the custom domain must have a host of its own")

// faces returns the addresses of the tenant, the canonical one first; "" means no custom one.
func faces(canonical, custom string) ([]access.Face, error) {
	out := []access.Face{{Issuer: canonical, Canonical: canonical, Other: custom}}
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
	return append(out, access.Face{Issuer: custom, Canonical: canonical, Other: canonical}), nil
}

// hostOf returns how a request names the host of an address: in lower case, without the port that the
// scheme has by itself.
func hostOf(scheme, host string) string {
	port := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return strings.TrimSuffix(strings.ToLower(host), port)
}

// at returns the face that a request is for. The host is compared whole; every other host is the canonical
// face, since the tenant is also reached by names it does not know: a health check by address, a proxy.
// Headers that claim another host are not read. Whatever is said here, no token, link or address is made of
// it: those come of the configuration.
func (h *handler) at(r *http.Request) *face {
	for i := range h.faces[1:] {
		if f := &h.faces[i+1]; hostOf(f.scheme, r.Host) == f.host {
			return f
		}
	}
	return &h.faces[0]
}
