package bff

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/upstream"
)

// scenarioFiles serves the files of scenarios. They are kept here because the management API has no place for them. Whether a person may
// read the scenarios of a form is decided by the tenant, which is asked for the form.
type scenarioFiles struct {
	stored store.Documents
	forms  *forwarder
	now    func() time.Time
}

// noScenarios is the file of a form that has none yet.
var noScenarios = func() []byte {
	text, err := (&scenario.File{}).Text()
	if err != nil {
		panic(err) // it is short
	}
	return text
}()

// fileTag returns the ETag of a file.
func fileTag(file []byte) string {
	sum := sha256.Sum256(file)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// read answers GET with the file of a form.
func (s *scenarioFiles) read(w http.ResponseWriter, r *http.Request) {
	ss, ok := s.person(w, r)
	if !ok {
		return
	}
	if _, ok = s.forms.mayRead(w, r, ss, r.PathValue("id")); !ok {
		return
	}
	file := noScenarios
	switch d, err := s.stored.Get(r.Context(), r.PathValue("id")); {
	case err == nil:
		file = d.Body
	case !errors.Is(err, store.ErrNotFound):
		s.down(r.Context(), err).Write(w, r)
		return
	}
	s.answer(w, r, file)
}

// person returns the session of a request that takes no query. If there is none, person writes the answer.
func (s *scenarioFiles) person(w http.ResponseWriter, r *http.Request) (*sessions.Session, bool) {
	ss, p := s.forms.sessions.current(w, r)
	if p == nil {
		_, p = forwardQuery(r, nil, nil)
	}
	if p != nil {
		p.Write(w, r)
		return nil, false
	}
	s.forms.sessions.Touch(r.Context(), ss)
	return ss, true
}

func (s *scenarioFiles) answer(w http.ResponseWriter, r *http.Request, file []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("ETag", fileTag(file))
	if _, err := w.Write(file); err != nil { //nolint:gosec // JSON, and nosniff
		s.forms.log.warn(r.Context(), "write scenarios", err)
	}
}

// errReplaced means that the file is no longer the one that the request names.
var errReplaced = errors.New("another file is stored")

// write answers PUT, which replaces the file that If-Match names.
func (s *scenarioFiles) write(w http.ResponseWriter, r *http.Request) {
	ss, ok := s.person(w, r)
	if !ok {
		return
	}
	entry := personOf(ss)
	entry.Event, entry.Object, entry.ObjectID = "scenarios_saved", "form", r.PathValue("id")
	entry.Before, entry.Outcome = r.Header.Get("If-Match"), audit.Refused
	file, p := s.asked(w, r, ss)
	if p != nil {
		if entry.Status = p.Status; p.Status == http.StatusForbidden {
			s.forms.log.audit(r, entry)
		}
		p.Write(w, r)
		return
	}
	if _, ok = s.forms.mayRead(w, r, ss, r.PathValue("id")); !ok {
		return
	}
	entry.Outcome, entry.Status, entry.After = audit.Answered, http.StatusOK, fileTag(file)
	switch err := s.replace(r.Context(), r.PathValue("id"), entry.Before, file); {
	case errors.Is(err, errReplaced):
		entry.Status, entry.After = http.StatusPreconditionFailed, ""
		p = httpx.NewProblem(entry.Status, httpx.CodeConflict, "Somebody else has saved the scenarios meanwhile. Read them again.")
	case err != nil:
		p = s.down(r.Context(), err)
		entry.Outcome, entry.Status, entry.After = audit.Failed, p.Status, ""
	}
	s.forms.log.audit(r, entry)
	if p != nil {
		p.Write(w, r)
		return
	}
	s.answer(w, r, file)
}

// asked returns the file of a request in its canonical form.
func (s *scenarioFiles) asked(w http.ResponseWriter, r *http.Request, ss *sessions.Session) ([]byte, *httpx.Problem) {
	if !slices.Contains(s.forms.sessions.access.scopes(ss), updateForms) {
		return nil, noScope(updateForms)
	}
	if tags := r.Header.Values("If-Match"); len(tags) != 1 || tags[0] == "" || len(tags[0]) > maxIfMatch {
		return nil, httpx.NewProblem(http.StatusPreconditionRequired, httpx.CodePrecondition,
			"The header If-Match must be the ETag of the scenarios that are replaced.")
	}
	body, p := httpx.ReadJSON(w, r, maxBody)
	if p != nil {
		return nil, p
	}
	file, problems := scenario.Read(body)
	if file != nil {
		for i := range file.Scenarios {
			problems = append(problems, file.Scenarios[i].Faults...)
		}
	}
	var text []byte
	if len(problems) == 0 {
		text, problems = scenario.Canonical(body)
	}
	if len(problems) > 0 {
		return nil, &httpx.Problem{
			Status: http.StatusBadRequest, Code: httpx.CodeInvalidBody,
			Detail: "The body is not a file of scenarios: " + problems[0].Error() + ".", Problems: problems[:min(len(problems), maxFileProblems)],
		}
	}
	return text, nil
}

// maxFileProblems is the maximum number of problems in an answer.
const maxFileProblems = 100

// replace stores the file of a form in place of the one with the ETag, or returns errReplaced.
func (s *scenarioFiles) replace(ctx context.Context, form, tag string, file []byte) error {
	_, err := s.stored.Update(ctx, form, s.now(), func(d store.Document) (store.Document, error) {
		if fileTag(d.Body) != tag {
			return d, errReplaced
		}
		d.Body = file
		return d, nil
	})
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if tag != fileTag(noScenarios) {
		return errReplaced
	}
	if bytes.Equal(file, noScenarios) {
		return nil
	}
	if _, err = s.stored.Create(ctx, store.Document{ID: form, Created: s.now(), Body: file}); errors.Is(err, store.ErrConflict) {
		return errReplaced
	}
	return err
}

// forget deletes the file of a form that the tenant has deleted. Without it, the file would only take space: no form gets the ID again.
func (s *scenarioFiles) forget(r *http.Request, c call, res *upstream.Response) {
	if c.eventOf() != eventDeleted || !success(res) {
		return
	}
	if err := s.stored.Delete(r.Context(), r.PathValue("id")); err != nil && !errors.Is(err, store.ErrNotFound) {
		s.forms.log.warn(r.Context(), "delete scenarios", err)
	}
}

// down logs an error of the store and returns the problem to answer with.
func (s *scenarioFiles) down(ctx context.Context, err error) *httpx.Problem {
	if !errors.Is(err, context.Canceled) {
		s.forms.log.fail(ctx, "scenarios", err)
	}
	p := &httpx.Problem{
		Status: http.StatusServiceUnavailable, Code: httpx.CodeUnavailable,
		Detail: "The server cannot reach the scenarios right now. Try again.", RetryAfter: retryLater,
	}
	switch {
	case errors.Is(err, store.ErrFull):
		p.Detail, p.Remedy = "The server cannot store scenarios: its disk is full.", remedyFull
	case errors.Is(err, store.ErrReadOnly):
		p.Detail, p.Remedy = "The server cannot store scenarios: its database is read-only.", remedyReadOnly
	}
	return p
}
