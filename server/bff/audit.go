package bff

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/upstream"
)

// auditCall logs a change: who made it, of what, from which version to which, and its outcome. If the browser disconnected first, the entry
// records that: the change may have been made.
func (f *forwarder) auditCall(r *http.Request, c call, ss *sessions.Session, req upstream.Request, res *upstream.Response, err error) {
	if c.event == "" {
		return
	}
	outcome, status := "answered", 0
	id, before, after := r.PathValue("id"), req.IfMatch, ""
	switch {
	case err == nil:
		status, before, after = res.Status, cmp.Or(res.Before, before), res.Header.Get("ETag")
		if id == "" && success(res) {
			id = createdID(res.Body)
		}
	case r.Context().Err() != nil:
		outcome = "browser_left"
	case errors.Is(err, upstream.ErrTimeout):
		outcome = "timeout"
	default:
		outcome = "failed"
	}
	f.auditOutcome(r, c, ss, "id", id, "method", r.PathValue("method"), "before", before, "after", after, "outcome", outcome, "status", status)
}

// auditRefusal logs a change that this server refused without a call.
func (f *forwarder) auditRefusal(r *http.Request, c call, ss *sessions.Session, status int) {
	if c.event != "" {
		f.auditOutcome(r, c, ss, "id", r.PathValue("id"), "method", r.PathValue("method"), "outcome", "refused", "status", status)
	}
}

func (f *forwarder) auditOutcome(r *http.Request, c call, ss *sessions.Session, what ...any) {
	who := []any{"sub", ss.Values[keySubject]}
	// The tenant's own log names the service client only, so an address is of use here.
	if email, ok := ss.Values[keyEmail].(string); ok && email != "" && ss.Values[keyClaims] != nil {
		who = append(who, "email", clipped(email))
	}
	f.log.audit(r.Context(), c.event, append(who, what...)...)
}

// createdID returns the ID in the answer to a creation, or "".
func createdID(body []byte) string {
	var made struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(body, &made) != nil {
		return ""
	}
	return clipped(made.ID)
}
