package bff

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/live"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
)

const (
	eventsPath = "/bff/events"
	// maxRead is how many messages are read at once. Their size is limited, too: store.MaxData.
	maxRead = 16
	// streamWrite is how long a write to a stream may take. A client that does not read is cut off.
	streamWrite = 10 * time.Second
	// readAgain is how soon messages are read again if the store could not be read.
	readAgain = time.Second
	// firstRetry and moreRetry are how long a browser waits before it connects again: the first, and a random part of the second, so that
	// those of a replica that shuts down do not all come at once.
	firstRetry, moreRetry = time.Second, 3 * time.Second
	// fullRetry is how soon a browser may try again if there are too many streams.
	fullRetry = 30 * time.Second
)

// eventStreams serves the streams of events.
type eventStreams struct {
	*Events

	together *together // nil if nobody edits together
	sessions signedIn
	forms    *forwarder
	gate     *httpx.Gate
	formID   func(given string) (id string, ok bool)
	log      journal
}

// helloJSON is the data of the first event of a stream, which is about the form as it is now.
type helloJSON struct {
	ETag string `json:"etag,omitempty"`
	// Missed reports that messages since the last one that the browser has seen may no longer be stored.
	Missed bool `json:"missed,omitempty"`
	// People are the other pages that have the form open, if this one has said its name.
	People []json.RawMessage `json:"people,omitempty"`
	// Room is the room of the form and Number that of its shared form, if there is one.
	Room   string `json:"room,omitempty"`
	Number int    `json:"number,omitempty"`
}

// endJSON is the data of the last event of a stream. A browser should not connect again by itself.
type endJSON struct {
	Reason string `json:"reason"`
}

// Reasons why a stream ends.
const (
	endSession = "session" // the session has ended, or its person may no longer use the editor
	endRights  = "rights"  // the person may no longer read the form
	endDeleted = "deleted" // the form is gone
)

// asked is what a browser asks for.
type asked struct {
	form  string
	after int64  // the last message that it has seen; 0 for none
	page  string // the page that is present from now on, "" for none
	room  string // the room that it is in, "" for none
	once  bool   // the stream ends after the first events, or after a time without any
}

// serve answers GET /bff/events. It does not extend the session: an open page is not one in use.
func (s *eventStreams) serve(w http.ResponseWriter, r *http.Request) {
	// A proxy that compresses a stream keeps it until it has enough to compress. RFC 9111, section 5.2.2.6.
	w.Header().Set("Cache-Control", "no-store, no-transform")
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", http.MethodGet)
		httpx.NewProblem(http.StatusMethodNotAllowed, httpx.CodeMethod, "This address takes GET.").Write(w, r)
		return
	}
	if s.gate.OtherSite(r) {
		s.log.refused(r.Context(), "csrf", "method", r.Method)
		httpx.NewProblem(http.StatusForbidden, httpx.CodeCSRF, "No other site may read this address.").Write(w, r)
		return
	}
	ss, p := s.sessions.current(w, r)
	if p != nil {
		p.Write(w, r)
		return
	}
	to := &wire{w: w, to: http.NewResponseController(w)}
	if strings.HasPrefix(r.URL.RawQuery, jointQuery) {
		s.join(to, r, ss)
		return
	}
	q, p := s.asked(r.URL.RawQuery, r.Header.Get("Last-Event-ID"))
	if p != nil {
		p.Write(w, r)
		return
	}
	leave, p := s.admit(ss)
	if p != nil {
		p.Write(w, r)
		return
	}
	defer leave()
	if p := s.carry(&stream{eventStreams: s, wire: to, r: r}, ss, q, func() { to.open(r) }); p != nil {
		s.forms.refuse(w, r, p)
	}
}

// carry runs a stream from its beginning to its end, or returns why it may not begin. opens is called before anything is written.
func (s *eventStreams) carry(st *stream, ss *sessions.Session, q asked, opens func()) *httpx.Problem {
	var stop func()
	st.topic, st.reads, st.once = s.topic(q.form), right{ss.ID, q.form, readForms}, q.once
	st.wake, stop = s.Messages.Listen(st.topic)
	defer stop()
	hello, p := s.begin(st, ss, q)
	if p == nil {
		opens()
		_, ended := s.Observe.Begin(st.r.Context(), observe.Stream, "")
		ended(st.run(hello))
	}
	if st.leave != nil {
		st.leave()
	}
	return p
}

// admit counts a stream, or returns why there may be no more.
func (s *eventStreams) admit(ss *sessions.Session) (leave func(), p *httpx.Problem) {
	full := func(code httpx.Code, detail string) *httpx.Problem {
		return &httpx.Problem{Status: http.StatusTooManyRequests, Code: code, Detail: detail, RetryAfter: fullRetry}
	}
	select {
	case <-s.ending:
		return nil, &httpx.Problem{
			Status: http.StatusServiceUnavailable, Code: httpx.CodeUnavailable, Detail: "The server is shutting down.", RetryAfter: firstRetry,
		}
	default:
	}
	leave, own := s.enter(ss.ID)
	switch {
	case leave != nil:
		return leave, nil
	case own:
		return nil, full(httpx.CodeRateLimited, "Too many forms are open at once. Close some tabs.")
	default:
		return nil, full(httpx.CodeBusy, "The server has too many open editors.")
	}
}

// asked reads a query. header is the one that a browser sends when it connects again by itself; it counts more than the query.
func (s *eventStreams) asked(query, header string) (q asked, p *httpx.Problem) {
	wrong := func(detail string) *httpx.Problem {
		return httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, detail)
	}
	given, err := url.ParseQuery(query)
	count := 0
	for _, name := range []string{"form", "after", "page", "room", "once"} {
		if len(given[name]) == 1 {
			count++
		}
	}
	if err != nil || len(given["form"]) != 1 || len(given) > count {
		return q, wrong("The query may hold form, after, page, room and once, each once, and must hold form.")
	}
	for name, to := range map[string]*string{"page": &q.page, "room": &q.room} {
		if *to = given.Get(name); *to != "" && !tabPattern.MatchString(*to) {
			return q, wrong("The " + name + " must be 1 to 64 letters, digits, _ or -.")
		}
	}
	if q.once = given.Has("once"); q.once {
		q.page = "" // others would see it come and go
	}
	var ok bool
	if q.form, ok = s.formID(given.Get("form")); !ok {
		return q, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidID, "The id is malformed.")
	}
	last := given.Get("after")
	if header != "" {
		last = header
	}
	if last == "" {
		return q, nil
	}
	if q.after, err = strconv.ParseInt(last, 10, 64); err != nil || q.after < 0 {
		return q, wrong("The last event must be the number of an event.")
	}
	return q, nil
}

// begin decides whether the person may read the form, as the tenant says, and where the stream starts. It starts before the tenant is asked:
// a save after that is an event, and one before it is in the ETag.
func (s *eventStreams) begin(st *stream, ss *sessions.Session, q asked) (hello helloJSON, p *httpx.Problem) {
	latest, err := s.Messages.Latest(st.r.Context(), st.topic, s.Now())
	if err != nil {
		return hello, s.sessions.storeDown(st.r.Context(), err)
	}
	st.at = latest
	if q.after > 0 {
		next, err := s.Messages.ReadMessages(st.r.Context(), st.topic, q.after, 1)
		if err != nil {
			return hello, s.sessions.storeDown(st.r.Context(), err)
		}
		hello.Missed = len(next) > 0 && next[0].Missed() ||
			q.after < s.Messages.KeptSince(s.Now()) || q.after > max(latest, s.Now().Add(store.LatestAge).UnixMicro())
		if !hello.Missed {
			st.at = q.after
		}
	}
	res, p := s.forms.ask(st.r, ss, q.form, readForms)
	if p != nil {
		return hello, p
	}
	hello.ETag = res.Header.Get("ETag")
	if q.page == "" || s.together == nil {
		return hello, nil
	}
	switch err := s.together.enter(st, ss, q, &hello); {
	case errors.Is(err, live.ErrTaken):
		return hello, pageTaken()
	case err != nil:
		return hello, s.sessions.storeDown(st.r.Context(), err)
	}
	return hello, nil
}

// A stream tells one page about its form: in a response of its own, or as a part of a joint stream.
type stream struct {
	*eventStreams

	wire  *wire
	part  string // the part of the joint stream, "" in a response of its own
	r     *http.Request
	topic string
	wake  <-chan struct{}
	at    int64  // the last message that was sent, or after which the stream starts
	leave func() // ends the presence of the page; nil for none
	// reads is the right that the stream needs, and unknown is when the tenant last did not say whether the person has it.
	reads   right
	unknown time.Time
	once    bool // see asked
}

// errCut means that the client does not read.
var errCut = errors.New("the client does not read the stream")

// run sends events until one side ends the stream, and returns the outcome.
func (s *stream) run(hello helloJSON) (outcome string) {
	if s.tell("hello", s.at, hello) != nil {
		return "cut"
	}
	beat := time.NewTicker(s.Heartbeat)
	defer beat.Stop()
	first := s.at
	for {
		again, over, err := s.catchUp()
		switch {
		case err == nil && over == "" && s.once && s.at != first:
			return "asked"
		case over != "":
			return s.end(over)
		case errors.Is(err, errMissed):
			return "missed"
		case err != nil:
			return s.broken()
		}
		select {
		case <-s.r.Context().Done():
			return "left"
		case <-s.ending:
			return "shutdown"
		case <-s.wake:
		case <-again:
		case <-beat.C:
			if over := s.over(); over != "" {
				return s.end(over)
			}
			if s.once {
				return "asked"
			}
			if s.part == "" && s.wire.beat() != nil { // a joint stream has a beat of its own
				return s.broken()
			}
		}
	}
}

// broken returns the outcome of a stream that cannot be written to.
func (s *stream) broken() string {
	if s.r.Context().Err() != nil {
		return "left"
	}
	return "cut"
}

// errMissed means that the store has forgotten messages that the stream has not sent. The browser connects again, and is told so.
var errMissed = errors.New("messages were forgotten")

// end tells the browser why the stream ends, and returns the outcome.
func (s *stream) end(reason string) (outcome string) {
	_ = s.tell("end", s.at, endJSON{reason})
	return map[string]string{endSession: "session_ended", endRights: "rights_ended", endDeleted: "form_deleted"}[reason]
}

// catchUp sends all messages after the last one, unless the stream is over: then it sends only that the form was deleted, and returns why. If the
// store cannot be read, the returned channel says when to try again.
func (s *stream) catchUp() (again <-chan time.Time, over string, err error) {
	for {
		found, err := s.Messages.ReadMessages(s.r.Context(), s.topic, s.at, maxRead)
		if err != nil {
			return time.After(readAgain), "", nil // the failure of a database is reported by every other request
		}
		if len(found) > 0 && !s.forms.rights.hold(s.reads) {
			over = s.over()
		}
		for _, m := range found {
			if m.Missed() {
				return nil, over, errMissed
			}
			if over != "" && m.Kind != eventDeleted {
				continue
			}
			if err := s.send(m.Kind, m.Number, m.Data); err != nil {
				return nil, over, err
			}
			s.at = m.Number
			s.Observe.Count(s.r.Context(), observe.Event, m.Kind, "sent")
		}
		if len(found) < maxRead || over != "" {
			return nil, over, nil
		}
	}
}

// session returns the session of a stream as it is now, or why the stream must end: the session has ended, or its person may no longer use the
// editor. While sessions cannot be read, it returns neither.
func (s *eventStreams) session(r *http.Request) (ss *sessions.Session, over string) {
	ss, err := s.sessions.New(r, s.sessions.CookieName())
	switch {
	case err != nil:
		return nil, ""
	case ss.IsNew || s.sessions.access.admit(ss) != nil:
		return nil, endSession
	}
	return ss, ""
}

// over returns why the stream must end, or "": as session, or the person may no longer read the form. While the sessions cannot be read, or the
// tenant does not answer, the stream continues.
func (s *stream) over() (reason string) {
	ss, over := s.session(s.r)
	switch {
	case ss == nil:
		return over
	case s.forms.rights.hold(s.reads) || s.Now().Sub(s.unknown) < askTime:
		return ""
	}
	ctx, cancel := context.WithTimeout(s.r.Context(), askTime)
	defer cancel()
	_, p := s.forms.askNow(s.r.WithContext(ctx), ss, s.reads.form, readForms)
	switch {
	case p == nil:
		return ""
	case p.Code == httpx.CodeSession:
		return endSession
	case p.Status == http.StatusNotFound:
		return endDeleted
	case refuses(p.Status):
		return endRights
	}
	s.unknown = s.Now()
	return ""
}

// tell sends an event of our own.
func (s *stream) tell(kind string, id int64, data any) error {
	src, err := json.Marshal(data)
	if err != nil {
		src = []byte("{}") // not reached: the data are our own
	}
	return s.send(kind, id, src)
}

// send sends an event with its data as JSON. A line break in it would begin another field, but JSON needs none. In a joint stream, the id has
// the part before it.
func (s *stream) send(kind string, id int64, data []byte) error {
	of := ""
	if s.part != "" {
		of = s.part + ":"
	}
	line := strings.NewReplacer("\r", " ", "\n", " ").Replace(string(data))
	return s.wire.write(fmt.Sprintf("id: %s%d\nevent: %s\ndata: %s\n\n", of, id, kind, line))
}

// A wire is the response that streams are written to, one or several at once.
type wire struct {
	mu sync.Mutex
	w  http.ResponseWriter
	to *http.ResponseController
}

// open makes the response a stream of events. Nothing is sent yet, and nobody else may use the wire.
func (s *wire) open(r *http.Request) {
	httpx.SetStream(r)
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")                             // nginx would collect events until its buffer is full
	retry := firstRetry + rand.N(moreRetry)                      //nolint:gosec // no secret
	_, _ = fmt.Fprintf(s.w, "retry: %d\n", retry.Milliseconds()) // sent with the first event, which fails if this does
}

func (s *wire) beat() error { return s.write("event: beat\ndata: {}\n\n") }

// write sends text now, or returns errCut. The deadline is only for this write: that of the server would end the stream.
func (s *wire) write(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.to.SetWriteDeadline(time.Now().Add(streamWrite))
	_, err := s.w.Write([]byte(text)) // #nosec G705 -- text/event-stream, and nosniff
	if err = errors.Join(err, s.to.Flush()); err != nil {
		return fmt.Errorf("%w: %w", errCut, err)
	}
	_ = s.to.SetWriteDeadline(time.Time{})
	return nil
}
