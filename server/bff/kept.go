package bff

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
)

// What the requests for things that this server keeps beside forms have in common: comments, links, versions, files and shared forms.

// keptIDBytes is the size of the random ID of a comment or a link.
const keptIDBytes = 15

// newKeptID returns the ID of a new comment or link.
func newKeptID(random io.Reader) (string, error) {
	id := make([]byte, keptIDBytes)
	_, err := io.ReadFull(random, id)
	return base64.RawURLEncoding.EncodeToString(id), err
}

// formID returns the ID of a form, from a segment of a path.
func formID(segment string) string {
	id, err := url.PathUnescape(segment)
	if err != nil {
		return segment // not reached: the router has unescaped it
	}
	return id
}

// momentText returns a time as it is answered.
func momentText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// readObject reads a body that must be a JSON object of up to limit bytes. The detail says what it must be.
func readObject(w http.ResponseWriter, r *http.Request, limit int64, detail string) (*schema.Object, *httpx.Problem) {
	body, p := httpx.ReadJSON(w, r, limit)
	if p != nil {
		return nil, p
	}
	tree, problems := schema.Decode(body)
	o, ok := tree.(*schema.Object)
	if !ok || len(problems) > 0 {
		return nil, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, detail)
	}
	return o, nil
}

// tooOften takes a token of a limit. It returns the problem with a detail if there is none.
func tooOften(r *http.Request, limit *ratelimit.Limiter, of, detail string) *httpx.Problem {
	state := limit.Take(r.Context(), of)
	if state.Allowed {
		return nil
	}
	return &httpx.Problem{Status: http.StatusTooManyRequests, Code: httpx.CodeRateLimited, RetryAfter: state.Wait, Detail: detail}
}

// entryOf returns the entry of what a person does with something kept beside the form of a request.
func entryOf(r *http.Request, ss *sessions.Session, event, detail string) store.AuditEntry {
	entry := personOf(ss)
	entry.Event, entry.Object, entry.ObjectID, entry.Detail = event, "form", r.PathValue("id"), detail
	return entry
}

// done records in the audit log what a person did. If it failed with a problem, done writes that as the answer. It reports whether it did not.
func (f *forwarder) done(w http.ResponseWriter, r *http.Request, entry store.AuditEntry, p *httpx.Problem) bool {
	if p != nil {
		entry.Status = p.Status
	}
	f.log.audit(r, entry)
	if p != nil {
		p.Write(w, r)
	}
	return p == nil
}

// sendTree answers with a JSON value of the model.
func sendTree(w http.ResponseWriter, status int, tree any) {
	httpx.WriteEncoded(w, status, schema.Encode(tree))
}
