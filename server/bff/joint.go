package bff

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
)

// A joint stream has the streams of several pages as its parts: with HTTP/1.1, a browser has six connections to a server for all its windows.
// The browser names the stream, and posts which parts it shall have. The process that gets this need not be the one that has the stream, so it
// tells that by a message, whose topic only requests of the same session lead to.

const (
	streamsPath = "/bff/api/streams"
	jointQuery  = "joint="
	// maxChange bounds the body of a change, in bytes: the ID of a form at a remote tenant may have 128 characters, each escaped.
	maxChange = 2 << 10
	// kindChange is the kind of the message about a change.
	kindChange = "change"
)

// change says that a joint stream has a part from now on, or no longer.
type change struct {
	Stream string `json:"stream"`
	Part   string `json:"part"`
	Query  string `json:"query,omitempty"` // of the part, as for a stream of its own; "" ends it
}

// jointOwner returns what the streams of a session have in common. The id of the session itself is a secret.
func jointOwner(ss *sessions.Session) string {
	sum := sha256.Sum256([]byte("stream " + ss.ID))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// ownerText tells a browser which session a stream belongs to: a stream of an earlier session does not hear of changes by this one.
func ownerText(ss *sessions.Session) string { return `{"owner":"` + jointOwner(ss) + `"}` }

// jointTopic returns the topic of changes. There is one for all streams of a session, so that one session takes the room of one topic.
func jointTopic(ss *sessions.Session) string { return "stream/" + jointOwner(ss) }

// change answers POST: a joint stream gets a part, or loses one. Whether it may have the part, the stream says.
func (s *eventStreams) change(w http.ResponseWriter, r *http.Request) {
	ss, p := s.sessions.current(w, r) // as the stream itself, this does not extend the session
	if p == nil {
		p = s.forms.work.begin(r, ss)
	}
	var data []byte
	if p == nil {
		data, p = s.readChange(w, r)
	}
	if p != nil {
		p.Write(w, r)
		return
	}
	if _, err := s.Messages.Publish(r.Context(), store.Message{Topic: jointTopic(ss), Kind: kindChange, Data: data}, s.Now()); err != nil {
		s.sessions.storeDown(r.Context(), err).Write(w, r)
		return
	}
	httpx.WriteEncoded(w, http.StatusOK, []byte(ownerText(ss)))
}

// readChange reads a change, and returns the message about it.
func (s *eventStreams) readChange(w http.ResponseWriter, r *http.Request) (data []byte, p *httpx.Problem) {
	body, p := readObject(w, r, maxChange, "The body must be a JSON object.")
	if p != nil {
		return nil, p
	}
	c := change{body.Text("stream"), body.Text("part"), body.Text("query")}
	if !tabPattern.MatchString(c.Stream) || !tabPattern.MatchString(c.Part) {
		return nil, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody,
			"The stream and the part must be 1 to 64 letters, digits, _ or -.")
	}
	if c.Query != "" {
		q, p := s.asked(c.Query, "")
		if p == nil && q.once {
			p = httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, "A part of a stream does not end by itself.")
		}
		if p != nil {
			return nil, p
		}
	}
	if data, err := json.Marshal(c); err == nil {
		return data, nil
	}
	return nil, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidBody, "The body must be text.") // not reached: it was JSON
}

// joint is a joint stream.
type joint struct {
	*eventStreams

	wire  *wire
	r     *http.Request // its context ends with the stream
	ss    *sessions.Session
	cut   func() // ends the stream
	name  string
	topic string
	wake  <-chan struct{}
	at    int64 // the last message that was read

	running sync.WaitGroup // the parts
	mu      sync.Mutex
	parts   map[string]func() // ends a part
}

// join answers the request for a joint stream.
func (s *eventStreams) join(to *wire, r *http.Request, ss *sessions.Session) {
	name := r.URL.RawQuery[len(jointQuery):]
	if !tabPattern.MatchString(name) {
		httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, "The name of a stream must be 1 to 64 letters, digits, _ or -.").Write(to.w, r)
		return
	}
	leave, p := s.admit(ss)
	if p != nil {
		p.Write(to.w, r)
		return
	}
	defer leave()
	j := &joint{eventStreams: s, wire: to, ss: ss, name: name, topic: jointTopic(ss), parts: map[string]func(){}}
	var stop func()
	j.wake, stop = s.Messages.Listen(j.topic)
	defer stop()
	var err error
	if j.at, err = s.Messages.Latest(r.Context(), j.topic, s.Now()); err != nil {
		s.sessions.storeDown(r.Context(), err).Write(to.w, r)
		return
	}
	ctx, cut := context.WithCancel(r.Context())
	defer j.running.Wait()
	defer cut()
	j.r, j.cut = r.WithContext(ctx), cut
	to.open(r)
	if to.write("event: joined\ndata: "+ownerText(ss)+"\n\n") == nil {
		j.run()
	}
}

// run begins and ends parts, as it is told to, until one side ends the stream.
func (j *joint) run() {
	beat := time.NewTicker(j.Heartbeat)
	defer beat.Stop()
	for {
		again, missed := j.changes()
		if missed {
			return // the browser connects again
		}
		select {
		case <-j.r.Context().Done():
			return
		case <-j.ending:
			return
		case <-j.wake:
		case <-again:
		case <-beat.C:
			if _, over := j.session(j.r); over != "" {
				j.end(over)
				return
			}
			if j.wire.beat() != nil {
				return
			}
		}
	}
}

// changes carries out all changes since the last one. If they cannot be read, the returned channel says when to try again. missed reports that
// some were forgotten.
func (j *joint) changes() (again <-chan time.Time, missed bool) {
	for {
		found, err := j.Messages.ReadMessages(j.r.Context(), j.topic, j.at, maxRead)
		if err != nil {
			return time.After(readAgain), false
		}
		for _, m := range found {
			var c change
			if m.Missed() || json.Unmarshal(m.Data, &c) != nil {
				return nil, true
			}
			j.at = m.Number
			if c.Stream == j.name {
				j.apply(c)
			}
		}
		if len(found) < maxRead {
			return nil, false
		}
	}
}

// apply carries out a change. A part that is there, or gone, already, is left as it is.
func (j *joint) apply(c change) {
	j.mu.Lock()
	defer j.mu.Unlock()
	stop := j.parts[c.Part]
	switch {
	case c.Query == "" && stop != nil:
		stop()
	case c.Query != "" && stop == nil:
		ctx, stop := context.WithCancel(j.r.Context())
		st := &stream{eventStreams: j.eventStreams, wire: j.wire, part: c.Part, r: j.r.WithContext(ctx)}
		leave, p := j.admit(j.ss)
		if p != nil {
			stop()
			j.closed(st)
			return
		}
		j.parts[c.Part] = stop
		j.running.Go(func() {
			defer stop()
			j.serve(st, c.Query)
			leave()
			if ctx.Err() == nil {
				j.closed(st)
			}
			j.mu.Lock()
			defer j.mu.Unlock()
			delete(j.parts, c.Part)
		})
	}
}

// serve runs a part from its beginning to its end, if there may be one.
func (j *joint) serve(st *stream, query string) {
	q, p := j.asked(query, "")
	if p != nil {
		return // not reached: it was checked
	}
	ss, over := j.session(st.r) // each part has its own: it is used at the same time as the others
	switch {
	case over != "":
		st.end(over)
	case ss != nil:
		_ = j.carry(st, ss, q, func() {}) // the browser asks why, as after the end of a stream of its own
	}
}

// closed says that a part has ended. The browser may begin another one.
func (j *joint) closed(st *stream) {
	if st.tell("closed", 0, struct{}{}) != nil {
		j.cut()
	}
}

// end says why all parts end.
func (j *joint) end(reason string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for part := range j.parts {
		(&stream{eventStreams: j.eventStreams, wire: j.wire, part: part}).end(reason)
	}
}
