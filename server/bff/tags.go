package bff

import (
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/server/httpx"
)

// Some proxies take the header ETag off an answer, or If-Match off a request. The editor therefore gets and sends copies of them under names
// that mean nothing to a proxy.
const (
	tagCopy   = "X-ETag"
	matchCopy = "X-If-Match"
)

// maxIfMatch bounds the header If-Match in bytes.
const maxIfMatch = 256

// setTag sets the tag of an answer.
func setTag(h http.Header, tag string) {
	h.Set("ETag", tag)
	h.Set(tagCopy, tag)
}

// ifMatch returns the condition of a request, "" for none.
func ifMatch(r *http.Request) (string, *httpx.Problem) {
	lines := r.Header.Values(matchCopy)
	if len(lines) == 0 {
		lines = r.Header.Values("If-Match")
	}
	match := strings.Join(lines, ", ")
	if len(match) > maxIfMatch {
		return "", httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, "The header If-Match must be at most 256 bytes.")
	}
	return match, nil
}
