package bff

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gorilla/sessions"

	mlive "github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/live"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/server/store"
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
	// readersTime is how long the tenant's answer that a person may read a form is remembered, and maxReaders is how many answers are.
	readersTime, maxReaders = time.Minute, 4096
	// maxEdits bounds the edits of an entry.
	maxEdits = 20_000
	// A session may make liveBurst requests about shared forms at once, and then liveRate per second: a page makes up to ten while its person
	// types. Each process counts for itself.
	liveRate, liveBurst = 40, 200
)

// together serves the shared forms. The tenant, which is asked for the form once a minute, decides whether a person may read it.
type together struct {
	*live.Rooms
	*live.People

	forms *forwarder
	now   func() time.Time
	limit *ratelimit.Limiter // of requests that tell others something, by session

	mu      sync.Mutex
	readers *recent.Map[reader, time.Time]
}

// reader is a session that may read a form.
type reader struct{ session, form string }

// newTogether returns what serves shared forms; nil without events.
func newTogether(c Config, forms *forwarder) *together {
	if c.Events == nil || c.Rooms == nil {
		return nil
	}
	count := ratelimit.Counting{Now: c.Now, Observe: c.Observe}
	return &together{
		Rooms: c.Rooms, People: c.People, forms: forms, now: c.Now, readers: recent.New[reader, time.Time](maxReaders),
		limit: count.Limiter("live", liveRate, liveBurst),
	}
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

// mayRead is forwarder.mayRead with a memory.
func (s *together) mayRead(w http.ResponseWriter, r *http.Request, ss *sessions.Session, form string) bool {
	who := reader{ss.ID, form}
	s.mu.Lock()
	at, ok := s.readers.Get(who)
	s.mu.Unlock()
	if ok && s.now().Sub(at) < readersTime {
		return true
	}
	if _, ok := s.forms.mayRead(w, r, ss, form); !ok {
		return false
	}
	s.mu.Lock()
	s.readers.Put(who, s.now())
	s.mu.Unlock()
	return true
}

// read answers GET with what has happened in the room of a form since a number.
func (s *together) read(w http.ResponseWriter, r *http.Request) {
	ss, p := s.forms.sessions.current(w, r)
	var room string
	var after int
	if p == nil {
		room, after, p = roomQuery(r)
	}
	if p != nil {
		p.Write(w, r)
		return
	}
	if !s.mayRead(w, r, ss, r.PathValue("id")) {
		return
	}
	part, err := s.Since(r.Context(), r.PathValue("id"), room, after)
	s.answer(w, r, part, err)
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
	ss, tab, body, ok := s.asked(w, r, maxBody)
	if !ok {
		return
	}
	id := r.PathValue("id")
	room := body.Text("room")
	if saved := body.Object("saved"); saved != nil {
		part, err := s.Open(r.Context(), id, body.Text("instead"), mlive.Content(saved), body.Text("etag"))
		s.answer(w, r, part, err)
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
	e.Page = tab
	e.Name, _ = ss.Values[keyName].(string)
	part, err := s.Append(r.Context(), id, room, e)
	s.answer(w, r, part, err)
}

// checkEntry refuses entries that no page sends.
func checkEntry(e mlive.Entry) error {
	if e.Number < 1 || e.Serial < 1 || len(e.Edits) > maxEdits || len(e.ETag) > maxIfMatch {
		return mlive.ErrEntry
	}
	for _, edit := range e.Edits {
		if !mlive.Shared(edit.Path) {
			return mlive.ErrEntry
		}
	}
	return nil
}

// asked reads a request of a page that edits. If it must not, asked writes the answer.
func (s *together) asked(w http.ResponseWriter, r *http.Request, limit int64) (ss *sessions.Session, tab string, body *schema.Object, ok bool) {
	ss, ok = s.forms.person(w, r)
	if !ok {
		return nil, "", nil, false
	}
	tab, p := tabOf(r)
	if p == nil && tab == "" {
		p = httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, "The header "+tabHeader+" must name the page.")
	}
	if p == nil && limit == maxBody && !s.mayEdit(ss) {
		p = noScope(updateForms)
	}
	if p == nil {
		p = tooOften(r, s.limit, ss.ID, "This browser sends too many changes at once. Wait a moment.")
	}
	if p == nil {
		body, p = readObject(w, r, limit, "The body must be a JSON object.")
	}
	if p != nil {
		p.Write(w, r)
		return nil, "", nil, false
	}
	return ss, tab, body, s.mayRead(w, r, ss, r.PathValue("id"))
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
	p := store.Presence{Form: form, Page: tab, State: schema.Encode(schema.NewObject(schema.Member{Key: "edits", Value: s.mayEdit(ss)}))}
	p.Sub, _ = ss.Values[keySubject].(string)
	p.Name, _ = ss.Values[keyName].(string)
	return p
}

// answer writes a part of a room, or the problem for an error. A form without a room is not an error: the page works alone.
func (s *together) answer(w http.ResponseWriter, r *http.Request, part live.Part, err error) {
	var tree *schema.Object
	switch {
	case err == nil:
		tree = partTree(part)
	case errors.Is(err, live.ErrClosed):
		tree = schema.NewObject(schema.Member{Key: "closed", Value: true})
	case errors.Is(err, live.ErrEdits):
		httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, "The edits do not fit the shared form.").Write(w, r)
		return
	case errors.Is(err, live.ErrLarge):
		httpx.NewProblem(http.StatusRequestEntityTooLarge, httpx.CodeTooLarge, "The shared form would be larger than 4 MiB.").Write(w, r)
		return
	default:
		s.forms.down(r.Context(), "shared forms", err).Write(w, r)
		return
	}
	sendTree(w, http.StatusOK, tree)
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
		return s.Close(ctx, q.form)
	}
	hello.Room, hello.Number = room, number
	return nil
}

// forget closes the room of a form that the tenant has deleted.
func (s *together) forget(r *http.Request, form string) {
	if s == nil {
		return
	}
	if err := s.Close(r.Context(), form); err != nil {
		s.forms.log.warn(r.Context(), "close room", err)
	}
}

// ToldEntry publishes an entry that was added to a room, or that a room was opened, as live.Config.Told.
func (e *Events) ToldEntry(form, room string, entry mlive.Entry) {
	data := schema.NewObject(schema.Member{Key: "room", Value: room}, schema.Member{Key: "number", Value: schema.IntNumber(entry.Number)})
	text := schema.Encode(data)
	if whole := schema.Encode(data.With("entry", entry.Tree())); entry.Number > 0 && len(whole) <= entryEvent {
		text = whole
	}
	e.publish(store.Message{Topic: topicOf(form), Kind: eventEdit, Data: text})
}

// Came publishes that a page has come or shows something else, as live.PeopleConfig.Came.
func (e *Events) Came(p store.Presence) {
	e.publish(store.Message{Topic: topicOf(p.Form), Kind: eventPresence, Data: schema.Encode(presenceTree(p))})
}

// Left publishes that a page has left, as live.PeopleConfig.Left.
func (e *Events) Left(form, page string) {
	data := schema.NewObject(schema.Member{Key: "page", Value: page}, schema.Member{Key: "left", Value: true})
	e.publish(store.Message{Topic: topicOf(form), Kind: eventPresence, Data: schema.Encode(data)})
}

// presenceTree returns a page as others are told of it.
func presenceTree(p store.Presence) *schema.Object {
	o := schema.NewObject(schema.Member{Key: "page", Value: p.Page}, schema.Member{Key: "sub", Value: p.Sub}, schema.Member{Key: "name", Value: p.Name})
	if state, problems := schema.Decode(p.State); len(problems) == 0 {
		o = o.With("shows", state)
	}
	return o
}
