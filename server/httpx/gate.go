package httpx

import (
	"fmt"
	"net/http"
)

// Gate distinguishes requests of our own pages from those that another site makes a browser send. It requires a header that no form and no
// plain fetch can set, and for unsafe methods it checks the origin that the browser states. http.CrossOriginProtection alone accepts
// requests that have neither Sec-Fetch-Site nor Origin, and those with Sec-Fetch-Site: none.
type Gate struct {
	origin string
	cookie string
	cross  *http.CrossOriginProtection
}

// NewGate returns the gate for the pages at origin, written as in the Origin header. cookie is the name of the session cookie.
func NewGate(origin, cookie string) (*Gate, error) {
	cross := http.NewCrossOriginProtection()
	// A proxy in front may change the Host header; the origin is what browsers see.
	if err := cross.AddTrustedOrigin(origin); err != nil {
		return nil, fmt.Errorf("trust the public address: %w", err)
	}
	return &Gate{origin: origin, cookie: cookie, cross: cross}, nil
}

// Check returns nil when the request may proceed. It reads headers only.
func (g *Gate) Check(r *http.Request) *Problem {
	deny := NewProblem(http.StatusForbidden, CodeCSRF, "This request must come from the editor's own pages and carry the header X-CSRF: 1.")
	if v := r.Header.Values("X-CSRF"); len(v) != 1 || v[0] != "1" {
		return deny
	}
	if g.OtherSite(r) {
		return deny
	}
	site := r.Header.Values("Sec-Fetch-Site")
	origin := r.Header.Values("Origin")
	if safe(r.Method) {
		return nil
	}
	if g.cross.Check(r) != nil {
		return deny
	}
	if len(r.CookiesNamed(g.cookie)) == 0 {
		return nil
	}
	if len(site) == 1 {
		if site[0] != "same-origin" {
			return deny
		}
		return nil
	}
	if len(origin) != 1 {
		return deny
	}
	return nil
}

// CheckForm returns nil when a page of ours submitted the form that a request carries. A form cannot send the header that Check wants, so the
// browser must state our origin: each browser does with a POST, in Sec-Fetch-Site or, if it is older, in Origin.
func (g *Gate) CheckForm(r *http.Request) *Problem {
	site, origin := r.Header.Values("Sec-Fetch-Site"), r.Header.Values("Origin")
	ours := len(site) == 1 && site[0] == "same-origin" || len(site) == 0 && len(origin) == 1
	if !ours || g.OtherSite(r) || g.cross.Check(r) != nil {
		return NewProblem(http.StatusForbidden, CodeCSRF, "This request must come from the editor's own pages.")
	}
	return nil
}

// Foreign reports whether a request states an origin that is not ours, whatever else it contains. A browser states the origin of the page
// that sends a request, or none.
func (g *Gate) Foreign(r *http.Request) bool {
	origin := r.Header.Values("Origin")
	return len(origin) > 1 || len(origin) == 1 && origin[0] != g.origin
}

// OtherSite reports whether a request says that the page of another origin sent it. A request may be without such a statement.
func (g *Gate) OtherSite(r *http.Request) bool {
	site := r.Header.Values("Sec-Fetch-Site")
	return g.Foreign(r) || len(site) > 1 || len(site) == 1 && (site[0] == "cross-site" || site[0] == "same-site")
}

func safe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead
}
