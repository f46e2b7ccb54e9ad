package authz

import (
	"net/url"
	"strings"
)

// resourceKey is the parameter of RFC 8707, which means what audience means.
const resourceKey = "resource"

// target returns what the tokens of a request are for, as it was asked: audience, or resource in its place. When
// both are given they must mean the same. A token of ours is for one API, so that there is one resource.
// RFC 8707, section 2.
func (h *Handler) target(p params) (string, *Error) {
	audience, resource := p["audience"], p[resourceKey]
	if resource == "" {
		return audience, nil
	}
	if u, err := url.Parse(resource); err != nil || !u.IsAbs() || strings.ContainsAny(resource, "# ") {
		return "", badTarget("resource must be one absolute URI without a fragment")
	}
	if audience != "" && h.audience(audience) != h.audience(resource) {
		return "", badTarget("resource and audience name two APIs")
	}
	return resource, nil
}
