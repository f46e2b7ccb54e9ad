package bff

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gorilla/sessions"

	mlive "github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/live"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/web/etag"
)

// Kinds of events of people who edit a form together.
const (
	eventEdit     = "edit"     // an entry of the shared form
	eventPresence = "presence" // a page has come, shows something else, or has left
)

const (
	// maxShown bounds what a page shows to others, in bytes of JSON.
	maxShown = 16 << 10
	// entryEvent bounds the entries that events carry, in bytes. Of a larger one, the event has only the number.
	entryEvent = 48 << 10
	// maxEdits bounds the edits of an entry.
	maxEdits = 20_000
)

// together serves the shared forms.
type together struct {
	*live.Rooms
	*live.People

	forms *forwarder
}

// newTogether returns what serves shared forms; nil without events.
func newTogether(c Config, forms *forwarder) *together {
	if c.Events == nil || c.Rooms == nil {
		return nil
	}
	return &together{Rooms: c.Rooms, People: c.People, forms: forms}
}

func (s *together) routes() []route {
	if s == nil {
		return nil
	}
	form := "/bff/api/forms/" + wildcard
	return []route{
		newRoute(form+"/live", true, endpoint{http.MethodGet, s.read}, endpoint{http.MethodPost, s.write}),
		newRoute(form+"/presence", true, endpoint{http.MethodPost, s.show}),
	}
}

// read answers GET with what has happened in the room of a form since a number.
func (s *together) read(w http.ResponseWriter, r *http.Request) {
	ss, p := s.forms.sessions.current(w, r)
	var room string
	var after int
	if p == nil {
		room, after, p = roomQuery(r)
	}
	if p == nil {
		p = s.forms.work.wait(r, ss)
	}
	if p == nil {
		p = s.forms.holds(r, ss, r.PathValue("id"), readForms)
	}
	if p != nil {
		s.forms.refuse(w, r, p)
		return
	}
	part, err := s.Since(r.Context(), r.PathValue("id"), room, after)
	s.answer(w, r, ss, part, err)
}

// roomQuery reads the query of a request about a room: the room and the number that the page has, both or neither.
func roomQuery(r *http.Request) (room string, after int, p *httpx.Problem) {
	if r.URL.RawQuery == "" {
		return "", -1, nil
	}
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err == nil && len(q) == 2 && len(q["room"]) == 1 && len(q["after"]) == 1 && tabPattern.MatchString(q.Get("room")) {
		if n, err := strconv.ParseUint(q.Get("after"), 10, 31); err == nil {
			return q.Get("room"), int(n), nil
		}
	}
	return "", 0, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, "The query may hold room and after, both or neither, each once.")
}

// write answers POST, which opens a room or adds an entry to it.
func (s *together) write(w http.ResponseWriter, r *http.Request) {
	ss, tab, body, ok := s.asked(w, r, maxBody, updateForms)
	if !ok {
		return
	}
	id := r.PathValue("id")
	room := body.Text("room")
	if saved := body.Object("saved"); saved != nil {
		s.open(w, r, ss, body)
		return
	}
	v, _ := body.Get("entry")
	e, err := mlive.ReadEntry(v)
	if err == nil {
		err = checkEntry(e)
	}
	if err != nil || room == "" {
		httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody,
			"The body must have room and entry, or saved and etag.").Write(w, r)
		return
	}
	if len(e.Edits) > maxEdits {
		httpx.NewProblem(http.StatusRequestEntityTooLarge, httpx.CodeTooLarge,
			fmt.Sprintf("An entry may have at most %d edits. Send them in several entries.", maxEdits)).Write(w, r)
		return
	}
	e.Page = tab
	e.Name = who(ss).Name
	part, err := s.Append(r.Context(), id, room, ownerOf(ss), e)
	s.answer(w, r, ss, part, err)
}

// open opens a room with the saved form, which the tenant is asked for: others would take it for the form that they have.
func (s *together) open(w http.ResponseWriter, r *http.Request, ss *sessions.Session, body *schema.Object) {
	id, version, saved := r.PathValue("id"), body.Text("etag"), mlive.Content(body.Object("saved"))
	res, ok := s.forms.reads(w, r, ss, id)
	if !ok {
		return
	}
	if is := res.Header.Get("ETag"); is != "" {
		tree, _ := schema.DecodeGrown(res.Body)
		form, _ := tree.(*schema.Object)
		switch {
		case !etag.Read(version).Holds(is):
			httpx.NewProblem(http.StatusPreconditionFailed, httpx.CodeConflict, "The form was saved meanwhile. Read it again.").Write(w, r)
			return
		case !schema.Equal(saved, mlive.Content(form)):
			httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, "The saved form is not that of its version.").Write(w, r)
			return
		}
		version = is
	}
	part, err := s.Open(r.Context(), id, body.Text("instead"), saved, version)
	s.answer(w, r, ss, part, err)
}

// ownerOf returns whose the pages of a session are. The id of the session itself is a secret.
func ownerOf(ss *sessions.Session) string {
	sum := sha256.Sum256([]byte("page " + ss.ID))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// checkEntry refuses entries that no page sends.
func checkEntry(e mlive.Entry) error {
	if e.Number < 1 || e.Serial < 1 || len(e.ETag) > maxIfMatch {
		return mlive.ErrEntry
	}
	for _, edit := range e.Edits {
		if !mlive.Shared(edit.Path) {
			return mlive.ErrEntry
		}
	}
	return nil
}

// asked reads a request of a page, with a body of up to limit bytes, for which a person who may read the form must have scopes. If they have not,
// asked writes the answer.
func (s *together) asked(w http.ResponseWriter, r *http.Request, limit int64, scopes ...string) (ss *sessions.Session, tab string, body *schema.Object, ok bool) {
	ss, ok = s.forms.person(w, r)
	if !ok {
		return nil, "", nil, false
	}
	tab, p := tabOf(r)
	if p == nil && tab == "" {
		p = httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, "The header "+tabHeader+" must name the page.")
	}
	if p == nil {
		p = s.forms.work.begin(r, ss)
	}
	if p == nil {
		body, p = readObject(w, r, limit, "The body must be a JSON object.")
	}
	for _, scope := range append(scopes, readForms) {
		if p == nil {
			p = s.forms.holds(r, ss, r.PathValue("id"), scope)
		}
	}
	if p == nil {
		if err := s.Check(r.Context(), r.PathValue("id"), tab, ownerOf(ss)); err != nil {
			p = s.refused(r, "people", err)
		}
	}
	if p != nil {
		s.forms.refuse(w, r, p)
		return nil, "", nil, false
	}
	return ss, tab, body, true
}

// refused returns the problem for an error about a page.
func (s *together) refused(r *http.Request, of string, err error) *httpx.Problem {
	if errors.Is(err, live.ErrTaken) {
		return pageTaken()
	}
	return s.forms.down(r.Context(), of, err)
}

func pageTaken() *httpx.Problem {
	return httpx.NewProblem(http.StatusConflict, httpx.CodePageTaken, "The name of this page belongs to another session. Take another name.")
}

func (s *together) mayEdit(ss *sessions.Session) bool {
	return slices.Contains(s.forms.sessions.access.scopes(ss), updateForms)
}

// show answers POST: the page shows something else to others, such as what is selected. Readers do that, too.
func (s *together) show(w http.ResponseWriter, r *http.Request) {
	ss, tab, body, ok := s.asked(w, r, maxShown)
	if !ok {
		return
	}
	p := s.presence(ss, r.PathValue("id"), tab)
	p.State = schema.Encode(body.With("edits", s.mayEdit(ss)))
	if err := s.Tell(r.Context(), p); err != nil {
		s.forms.down(r.Context(), "people", err).Write(w, r)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// presence returns the presence of the page of a session, which shows others whether its person may edit.
func (s *together) presence(ss *sessions.Session, form, tab string) store.Presence {
	shows := schema.NewObject(schema.Member{Key: "edits", Value: s.mayEdit(ss)})
	p := store.Presence{Form: form, Page: tab, Owner: ownerOf(ss), State: schema.Encode(shows)}
	by := who(ss)
	p.Sub, p.Name = by.ID, by.Name
	return p
}

// answer writes a part of a room, or the problem for an error. A form without a room is not an error: the page works alone.
func (s *together) answer(w http.ResponseWriter, r *http.Request, ss *sessions.Session, part live.Part, err error) {
	s.forms.work.spend(ss, part.Work)
	tree := schema.NewObject(schema.Member{Key: "closed", Value: true})
	switch {
	case err == nil:
		tree = partTree(part)
	case !errors.Is(err, live.ErrClosed):
		s.partProblem(r, err).Write(w, r)
		return
	}
	body := schema.Encode(tree)
	s.forms.work.spend(ss, len(body))
	httpx.WriteEncoded(w, http.StatusOK, body)
}

// partProblem returns the problem for an error about a room.
func (s *together) partProblem(r *http.Request, err error) *httpx.Problem {
	wrong := func(detail string) *httpx.Problem {
		return httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, detail)
	}
	large := func(detail string) *httpx.Problem {
		return httpx.NewProblem(http.StatusRequestEntityTooLarge, httpx.CodeTooLarge, detail)
	}
	switch {
	case errors.Is(err, live.ErrEdits):
		return wrong("The edits do not fit the shared form.")
	case errors.Is(err, mlive.ErrDeep):
		return wrong(fmt.Sprintf("The shared form would nest deeper than %d.", schema.MaxDepth))
	case errors.Is(err, mlive.ErrShape):
		return wrong("The shared form would not be a form any more: " + err.Error() + ".")
	case errors.Is(err, mlive.ErrMany):
		return large(fmt.Sprintf("The shared form would have more than %d values.", schema.MaxValues))
	case errors.Is(err, live.ErrLarge):
		return large("The shared form would be larger than 4 MiB.")
	case errors.Is(err, schema.ErrMoves):
		return large(fmt.Sprintf("The edits would move more than %d elements of arrays and objects. Send them in several entries.", live.MaxMoves))
	}
	return s.refused(r, "shared forms", err)
}

func partTree(p live.Part) *schema.Object {
	members := []schema.Member{{Key: "room", Value: p.Room}, {Key: "number", Value: schema.IntNumber(p.Number)}, {Key: "etag", Value: p.ETag}}
	if p.Accepted {
		members = append(members, schema.Member{Key: "accepted", Value: true})
	}
	if p.Form != nil {
		people := make([]any, len(p.People))
		for i, name := range p.People {
			people[i] = name
		}
		return schema.NewObject(append(members, schema.Member{Key: "form", Value: p.Form}, schema.Member{Key: "people", Value: people})...)
	}
	entries := make([]any, len(p.Entries))
	for i, e := range p.Entries {
		entries[i] = e.Tree()
	}
	return schema.NewObject(append(members, schema.Member{Key: "entries", Value: entries})...)
}

// enter makes the page of a stream present, and tells it who else is there and what they share. An empty room ends when somebody comes who was not
// in it: its people have kept their unsaved work.
func (s *together) enter(st *stream, ss *sessions.Session, q asked, hello *helloJSON) error {
	ctx := st.r.Context()
	others, leave, err := s.Enter(ctx, s.presence(ss, q.form, q.page))
	if err != nil {
		return err
	}
	st.leave = leave
	for _, o := range others {
		hello.People = append(hello.People, schema.Encode(presenceTree(o)))
	}
	room, number, err := s.Head(ctx, q.form)
	switch {
	case errors.Is(err, live.ErrClosed):
		return nil
	case err != nil:
		return err
	case len(others) == 0 && q.room != room:
		return s.CloseRoom(ctx, room)
	}
	hello.Room, hello.Number = room, number
	return nil
}

// ToldEntry publishes an entry that was added to a room, or that a room was opened, as live.Config.Told.
func (e *Events) ToldEntry(form, room string, entry mlive.Entry) {
	data := schema.NewObject(schema.Member{Key: "room", Value: room}, schema.Member{Key: "number", Value: schema.IntNumber(entry.Number)})
	text := schema.Encode(data)
	if whole := schema.Encode(data.With("entry", entry.Tree())); entry.Number > 0 && len(whole) <= entryEvent {
		text = whole
	}
	e.tell(form, eventEdit, text)
}

// Came publishes that a page has come or shows something else, as live.PeopleConfig.Came.
func (e *Events) Came(p store.Presence) {
	e.tellState(p.Form, eventPresence, p.Page, schema.Encode(presenceTree(p)))
}

// Left publishes that a page has left, as live.PeopleConfig.Left.
func (e *Events) Left(form, page string) {
	data := schema.NewObject(schema.Member{Key: "page", Value: page}, schema.Member{Key: "left", Value: true})
	e.tellState(form, eventPresence, page, schema.Encode(data))
}

// presenceTree returns a page as others are told of it.
func presenceTree(p store.Presence) *schema.Object {
	o := schema.NewObject(schema.Member{Key: "page", Value: p.Page}, schema.Member{Key: "sub", Value: p.Sub}, schema.Member{Key: "name", Value: p.Name})
	if state, problems := schema.Decode(p.State); len(problems) == 0 {
		o = o.With("shows", state)
	}
	return o
}
