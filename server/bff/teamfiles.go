package bff

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/app/note"
	"github.com/formgraph/formgraph/app/translate/sources"
	"github.com/formgraph/formgraph/model/run/scenario"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/upstream"
	"github.com/formgraph/formgraph/web/etag"
)

// teamFile serves the files of a kind that the team has beside forms. They are kept here because the management API has no place for them.
// Whether a person may read the file of a form is decided by the tenant, which is asked for the form.
type teamFile struct {
	kind   *fileKind
	stored store.Files
	forms  *forwarder
	now    func() time.Time
}

// fileKind is what differs between the kinds of files.
type fileKind struct {
	name   string // in addresses and messages
	event  string // in the audit log
	stored func(store.Team) store.Files
	none   []byte // the file of a form that has none yet
	// canonical returns a file as it is kept. The problems are those of a body that is no such file.
	canonical func(body []byte) ([]byte, schema.Problems)
	told      telling
}

// telling is whether an event, with the name of the kind, tells whoever has the form open of a new file.
type telling uint8

const (
	untold    telling = iota
	told              // without the file
	toldWhole         // with the file
)

// fileKinds are the kinds of files.
func fileKinds() []fileKind {
	none, err := (&scenario.File{}).Text()
	if err != nil {
		panic(err) // it is short
	}
	return []fileKind{
		{"scenarios", "scenarios_saved", store.Team.Scenarios, none, canonicalScenarios, untold},
		{"sources", "sources_saved", store.Team.Sources, (*sources.Records)(nil).Text(), canonicalSources, untold},
		{"settings", "settings_saved", store.Team.Settings, settingsText(false), canonicalSettings, toldWhole},
		{"notes", "notes_saved", store.Team.Notes, schema.Encode(note.List(nil).File()), canonicalNotes, told},
	}
}

// canonicalSources returns a file of sources as it is kept.
func canonicalSources(body []byte) ([]byte, schema.Problems) {
	records, problems := sources.Read(body)
	if len(problems) > 0 {
		return nil, problems
	}
	return records.Text(), nil
}

// canonicalNotes returns a file of notes as it is kept.
func canonicalNotes(body []byte) ([]byte, schema.Problems) {
	list, problems := note.Read(body)
	if len(problems) > 0 {
		return nil, problems
	}
	return schema.Encode(list.File()), nil
}

// settingsTable is the table of the settings of a form.
var settingsTable = schema.Table{{Name: saveAsYouGo, Spec: schema.Bool{}, Required: true}}

// saveAsYouGo is the setting by which editors save a form as it is edited.
const saveAsYouGo = "save_as_you_go"

func settingsText(on bool) []byte {
	return schema.Encode(schema.NewObject(schema.Member{Key: saveAsYouGo, Value: on}))
}

// canonicalSettings returns the settings of a form as they are kept.
func canonicalSettings(body []byte) ([]byte, schema.Problems) {
	tree, problems := schema.Decode(body)
	if len(problems) == 0 {
		problems = schema.Check(settingsTable, tree)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	on, _ := tree.(*schema.Object).Get(saveAsYouGo)
	return settingsText(on == true), nil
}

// canonicalScenarios returns a file of scenarios as it is kept.
func canonicalScenarios(body []byte) ([]byte, schema.Problems) {
	file, problems := scenario.Read(body)
	if file != nil {
		for i := range file.Scenarios {
			problems = append(problems, file.Scenarios[i].Faults...)
		}
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return scenario.Canonical(body)
}

// teamFiles returns the files of every kind.
func teamFiles(of store.Team, forms *forwarder, now func() time.Time) []*teamFile {
	var files []*teamFile
	for _, k := range fileKinds() {
		files = append(files, &teamFile{&k, k.stored(of), forms, now})
	}
	return files
}

// fileTag returns the ETag of a file.
func fileTag(file []byte) string {
	sum := sha256.Sum256(file)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// read answers GET with the file of a form.
func (s *teamFile) read(w http.ResponseWriter, r *http.Request) {
	ss, ok := s.forms.person(w, r)
	if !ok {
		return
	}
	if _, ok = s.forms.reads(w, r, ss, r.PathValue("id")); !ok {
		return
	}
	file := s.kind.none
	switch d, err := s.stored.Get(r.Context(), r.PathValue("id")); {
	case err == nil:
		file = d.Body
	case !errors.Is(err, store.ErrNotFound):
		s.forms.down(r.Context(), s.kind.name, err).Write(w, r)
		return
	}
	s.answer(w, r, ss, file)
}

// person returns the session of a request that takes no query. If there is none, person writes the answer.
func (f *forwarder) person(w http.ResponseWriter, r *http.Request) (*sessions.Session, bool) {
	ss, p := f.sessions.current(w, r)
	if p == nil {
		_, p = forwardQuery(r, nil, nil)
	}
	if p != nil {
		p.Write(w, r)
		return nil, false
	}
	f.sessions.Touch(r.Context(), ss)
	return ss, true
}

func (s *teamFile) answer(w http.ResponseWriter, r *http.Request, ss *sessions.Session, file []byte) {
	s.forms.work.spend(ss, len(file))
	w.Header().Set("Content-Type", "application/json")
	setTag(w.Header(), fileTag(file))
	if _, err := w.Write(file); err != nil { // #nosec G705 -- JSON, and nosniff
		s.forms.log.warn(r.Context(), "write "+s.kind.name, err)
	}
}

// errReplaced means that the file is no longer the one that the request names.
var errReplaced = errors.New("another file is stored")

// write answers PUT, which replaces the file that If-Match names.
func (s *teamFile) write(w http.ResponseWriter, r *http.Request) {
	ss, ok := s.forms.person(w, r)
	if !ok {
		return
	}
	entry := entryOf(r, ss, s.kind.event, "")
	entry.Outcome = audit.Refused
	var file []byte
	var tab string
	var p *httpx.Problem
	if entry.Before, p = ifMatch(r); p == nil {
		tab, p = tabOf(r)
	}
	if p == nil {
		p = s.forms.work.begin(r, ss)
	}
	if p == nil {
		p = s.forms.holds(r, ss, r.PathValue("id"), updateForms)
	}
	if p == nil {
		file, p = s.asked(w, r, entry.Before)
	}
	if p == nil {
		_, p = s.forms.ask(r, ss, r.PathValue("id"), readForms)
	}
	if p != nil {
		if entry.Status = p.Status; p.Status == http.StatusForbidden {
			s.forms.log.audit(r, entry)
		}
		s.forms.refuse(w, r, p)
		return
	}
	entry.Outcome, entry.Status, entry.After = audit.Answered, http.StatusOK, fileTag(file)
	switch err := s.replace(r.Context(), r.PathValue("id"), etag.Read(entry.Before), file); {
	case errors.Is(err, errReplaced):
		entry.After = ""
		p = httpx.NewProblem(http.StatusPreconditionFailed, httpx.CodeConflict, "Somebody else has saved the "+s.kind.name+" meanwhile. Read them again.")
	case err != nil:
		p = s.forms.down(r.Context(), s.kind.name, err)
		entry.Outcome, entry.After = audit.Failed, ""
	}
	if s.forms.done(w, r, entry, p) {
		s.answer(w, r, ss, file)
		s.tell(r, ss, tab, file)
	}
}

// tell tells whoever has the form open of a new file, if its kind is told.
func (s *teamFile) tell(r *http.Request, ss *sessions.Session, tab string, file []byte) {
	if s.kind.told == untold || s.forms.events == nil {
		return
	}
	id, by := r.PathValue("id"), who(ss)
	if s.kind.told != toldWhole {
		file = nil
	}
	data, err := json.Marshal(struct {
		savedJSON
		Settings json.RawMessage `json:"settings,omitempty"`
	}{savedJSON{Form: formID(id), Name: by.Name, Subject: by.ID, Tab: s.forms.ownTab(r, ss, tab)}, file})
	if err != nil {
		s.forms.log.fail(r.Context(), "write event", err)
		return
	}
	s.forms.events.tell(id, s.kind.name, data)
}

// asked returns the file of a request with a condition in its canonical form.
func (s *teamFile) asked(w http.ResponseWriter, r *http.Request, match string) ([]byte, *httpx.Problem) {
	if match == "" {
		return nil, httpx.NewProblem(http.StatusPreconditionRequired, httpx.CodePrecondition,
			"The header If-Match must be the ETag of the "+s.kind.name+" that are replaced.")
	}
	body, p := httpx.ReadJSON(w, r, maxBody)
	if p != nil {
		return nil, p
	}
	text, problems := s.kind.canonical(body)
	if len(problems) > 0 {
		return nil, &httpx.Problem{
			Status: http.StatusBadRequest, Code: httpx.CodeInvalidBody,
			Detail: "The body is not a file of " + s.kind.name + ": " + problems[0].Error() + ".", Problems: problems[:min(len(problems), maxFileProblems)],
		}
	}
	return text, nil
}

// maxFileProblems is the maximum number of problems in an answer.
const maxFileProblems = 100

// replace stores the file of a form in place of the one that want names, or returns errReplaced. Whoever replaces a file has read it, so "*"
// names none.
func (s *teamFile) replace(ctx context.Context, form string, want etag.Condition, file []byte) error {
	holds := func(now []byte) bool { return !want.Any() && want.Holds(fileTag(now)) }
	_, err := s.stored.Update(ctx, form, s.now(), func(d store.Document) (store.Document, error) {
		if !holds(d.Body) {
			return d, errReplaced
		}
		d.Body = file
		return d, nil
	})
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if !holds(s.kind.none) {
		return errReplaced
	}
	if bytes.Equal(file, s.kind.none) {
		return nil
	}
	if _, err = s.stored.Create(ctx, store.Document{ID: form, Created: s.now(), Body: file}); errors.Is(err, store.ErrConflict) {
		return errReplaced
	}
	return err
}

// forget deletes what is kept beside a form that a call has deleted, before that is answered. It continues if the browser leaves.
func (f *forwarder) forget(r *http.Request, c call, res *upstream.Response) {
	if c.eventOf() != eventDeleted || !success(res) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), orphansLimit)
	defer cancel()
	if err := f.orphans.forget(ctx, r.PathValue("id")); err != nil {
		f.log.warn(r.Context(), "delete what was kept beside a form", err)
	}
}

// down logs an error of the store of what this server keeps, such as scenarios, and returns the problem to answer with.
func (f *forwarder) down(ctx context.Context, what string, err error) *httpx.Problem {
	if !errors.Is(err, context.Canceled) {
		f.log.fail(ctx, what, err)
	}
	p := &httpx.Problem{
		Status: http.StatusServiceUnavailable, Code: httpx.CodeUnavailable,
		Detail: "The server cannot reach the " + what + " right now. Try again.", RetryAfter: retryLater,
	}
	switch {
	case errors.Is(err, store.ErrFull):
		p.Detail, p.Remedy = "The server cannot store "+what+": its disk is full.", remedyFull
	case errors.Is(err, store.ErrReadOnly):
		p.Detail, p.Remedy = "The server cannot store "+what+": its database is read-only.", remedyReadOnly
	}
	return p
}
