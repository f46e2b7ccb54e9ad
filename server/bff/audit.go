package bff

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/upstream"
)

// auditCall records a change: who made it, the object, the versions before and after, and the outcome. If the browser disconnected before
// the response, the entry says so, because the change may have been made.
func (f *forwarder) auditCall(r *http.Request, c call, ss *sessions.Session, req upstream.Request, res *upstream.Response, err error) {
	e := store.AuditEntry{Outcome: audit.Answered, ObjectID: r.PathValue("id"), Before: req.IfMatch}
	switch {
	case err == nil:
		e.Status, e.After = res.Status, res.Header.Get("ETag")
		// For a conflict, Before is the version that the user had; otherwise it is the version that was replaced.
		if res.Status != http.StatusPreconditionFailed {
			e.Before = cmp.Or(res.Before, e.Before)
		}
		if e.ObjectID == "" && success(res) {
			e.ObjectID = createdID(res.Body)
		}
	case r.Context().Err() != nil:
		e.Outcome = audit.BrowserLeft
	case errors.Is(err, upstream.ErrTimeout):
		e.Outcome = audit.Timeout
	default:
		e.Outcome = audit.Failed
	}
	f.audit(r, c, ss, e)
}

// auditRefusal records a change that this server refused without calling the tenant.
func (f *forwarder) auditRefusal(r *http.Request, c call, ss *sessions.Session, status int) {
	f.audit(r, c, ss, store.AuditEntry{Outcome: audit.Refused, ObjectID: r.PathValue("id"), Status: status})
}

// audit completes an entry about a call. Reads are not recorded.
func (f *forwarder) audit(r *http.Request, c call, ss *sessions.Session, e store.AuditEntry) {
	if c.event == "" {
		return
	}
	by := personOf(ss)
	e.Event, e.Object, e.Detail, e.Subject, e.Email = c.event, c.object(), r.PathValue("method"), by.Subject, by.Email
	f.log.audit(r, e)
}

// object returns the kind of object that a call concerns, such as form or client_grant.
func (c call) object() string {
	return strings.ReplaceAll(strings.TrimSuffix(c.resource, "s"), "-", "_")
}

// personOf returns an entry with the user of a session.
func personOf(ss *sessions.Session) store.AuditEntry {
	subject, _ := ss.Values[keySubject].(string)
	email, _ := ss.Values[keyEmail].(string)
	return store.AuditEntry{Subject: subject, Email: email}
}

// createdID returns the ID in the answer to a creation, or "".
func createdID(body []byte) string {
	var made struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(body, &made) != nil {
		return ""
	}
	return made.ID
}
