package oauth

import (
	"net/url"
	"strings"
)

// resourceKey is the parameter of RFC 8707, another name for audience.
const resourceKey = "resource"

// Target returns the audience that a request names by audience or by resource. If it has both, they must name the same API after resolve
// has replaced aliases. A token is for one API, so there is only one resource. RFC 8707, section 2.
func Target(p Params, resolve func(string) string) (string, *Error) {
	audience, resource := p["audience"], p[resourceKey]
	if resource == "" {
		return audience, nil
	}
	if u, err := url.Parse(resource); err != nil || !u.IsAbs() || strings.ContainsAny(resource, "# ") {
		return "", BadTarget("resource must be one absolute URI without a fragment")
	}
	if audience != "" && resolve(audience) != resolve(resource) {
		return "", BadTarget("resource and audience name two APIs")
	}
	return resource, nil
}
