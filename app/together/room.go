package together

import (
	"slices"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Want is what a page asks the server for next.
type Want int

// What a page wants.
const (
	Nothing Want = iota
	Read         // what has happened since Number in Name, or the whole form if Name is ""
	Open         // a room of its own, in place of Instead
	Tell         // Entry
)

// Times of a Room.
const (
	// tellPause is the pause between two entries of a page, so that not every key press is sent.
	tellPause = 150 * time.Millisecond
	// secondPause is how much longer the pause gets each time that another page was faster: the first time there is none, and it stays below
	// tellPause. With many pages that tell at once, the server would refuse some of them for a while if they did not wait.
	secondPause = 10 * time.Millisecond
	// failPause is the pause after a request that failed. It is doubled for each request that was refused, up to maxDoubled times.
	failPause  = 2 * time.Second
	maxDoubled = 5
	// stalePause is the pause before the page reads a room again whose form contains another saved version than the page has. stalePatience is
	// how long the page waits for the room to take the present saved version. After that nobody is awake in the room, and the page opens its own.
	stalePause, stalePatience = time.Second, 6 * time.Second
)

// maxBehind is how often in a row a page asks for what an event has announced and the answer lacks.
const maxBehind = 2

// Part is an answer of the server about a room.
type Part struct {
	Room    string
	Number  int
	ETag    string
	Form    *schema.Object // the shared form, nil if Entries lead to it
	People  []string       // those who have edited Form since it was saved last, the last first; names of long ago may be missing
	Entries []live.Entry
	Closed  bool // the room is not there
}

// Room is a page's part in a shared form. A Room with only its exported fields set is that of a page that is alone. A Room is not safe for
// concurrent use.
type Room struct {
	Page  string
	Edits bool     // the person may change the form
	Own   live.Own // see [live.Copy.Owns]

	linked    bool       // the stream of events is open
	others    bool       // other pages have the form open
	id        string     // the room that the page is in, "" for none
	copy      *live.Copy // nil outside a room
	announced string     // the room of the form, as the server announced it last; "" for none
	known     int        // the number of its shared form
	queue     map[int]live.Entry
	busy      bool
	again     time.Time // no request before
	instead   string    // a room that is to be replaced
	stale     time.Time // since when the room contains another saved version than the page
	who       string    // whose entry was taken last
	etag      string    // of the saved form that the page has told or was told of
	wanted    bool      // the saved form must be read first
	second    int       // how often in a row another page was faster
	behind    int       // how many answers in a row lacked what an event has announced
	refused   int       // how many requests the server has refused since it took an entry
}

// Hello takes the beginning of a stream: whether others have the form open, and in data the room of the form with the number of its shared form.
func (r *Room) Hello(others bool, data *schema.Object) {
	r.linked, r.others = true, others
	r.announce(data.Text("room"), number(data, "number"))
	r.again, r.refused = time.Time{}, 0
}

// Rename gives the page another name, since the one that it has belongs to somebody else. The page stays in its room, with its offer.
func (r *Room) Rename(page string) {
	if r.Page = page; r.copy != nil {
		r.copy.Rename(page)
	}
}

// Unlinked records that the stream has ended. The page works alone until it is back.
func (r *Room) Unlinked() { r.linked = false }

// Forget leaves the room for good, as the pages of one browser do when the server is back. Do not pass answers that arrive later to the Room.
func (r *Room) Forget() {
	*r = Room{Page: r.Page, Edits: r.Edits, Own: r.Own}
}

// Others records whether other pages have the form open.
func (r *Room) Others(others bool) { r.others = others }

// Edit takes an event about an entry. The event of a large entry does not contain it.
func (r *Room) Edit(data *schema.Object) {
	n := number(data, "number")
	r.announce(data.Text("room"), n)
	v, ok := data.Get("entry")
	if !ok || data.Text("room") != r.id || r.copy == nil || n <= r.copy.Number() {
		return
	}
	if e, err := live.ReadEntry(v); err == nil {
		r.queue[n] = e
	}
}

func (r *Room) announce(room string, number int) {
	if room != r.announced {
		r.known = 0
	}
	r.announced, r.known = room, max(r.known, number)
	if r.id != "" && room != r.id {
		r.leave()
	}
}

// leave leaves the room. What others did stays in the form, as if the page had done it.
func (r *Room) leave() { r.id, r.copy, r.queue = "", nil, nil }

// ID returns the room that the page is in, "" for none.
func (r *Room) ID() string { return r.id }

// Joined reports whether the page is in a room with others.
func (r *Room) Joined() bool { return r.copy != nil && r.others && r.linked }

// Who returns the name of the person whose work was taken last, "" for nobody or several people.
func (r *Room) Who() string { return r.who }

// met notes whose work is in a whole form.
func (r *Room) met(p Part) {
	if r.who = ""; len(p.People) == 1 {
		r.who = p.People[0]
	}
}

// Request is a request of a page. Done takes its answer.
type Request struct {
	Want
	Room   string
	Number int
	Entry  live.Entry
	Saved  *model.Form // of Open
	ETag   string
}

// State is a page as it is now.
type State struct {
	Saved, Local *model.Form
	ETag         string // of Saved, "" if the tenant has none
	Unsaved      bool
	Now          time.Time
}

// Next returns the next request, which the page must make, and how long to wait before the next call, 0 for until the next event. If there is nothing
// to ask, the Want of the request is Nothing.
func (r *Room) Next(s State) (Request, time.Duration) {
	switch {
	case !r.linked || r.busy:
		return Request{}, 0
	case s.Now.Before(r.again):
		return Request{}, r.again.Sub(s.Now)
	}
	q := r.next(s)
	r.busy = q.Want != Nothing
	return q, 0
}

func (r *Room) next(s State) Request {
	opens := r.others && r.Edits && (s.Unsaved && r.announced == "" || r.announced != "" && r.announced == r.instead)
	switch {
	case r.copy == nil && r.announced != "" && !opens:
		return Request{Want: Read, Number: -1}
	case r.copy == nil && opens:
		return Request{Want: Open, Room: r.instead, Saved: s.Saved, ETag: s.ETag}
	case r.copy == nil:
		return Request{}
	case r.known > r.copy.Number():
		if _, ok := r.queue[r.copy.Number()+1]; !ok {
			return Request{Want: Read, Room: r.id, Number: r.copy.Number()}
		}
		return Request{} // TakeNext takes it
	case !r.others || !r.Edits:
		return Request{}
	}
	if e, ok := r.copy.Offered(); ok { // its answer was lost
		return Request{Want: Tell, Room: r.id, Entry: e}
	}
	etag := r.copy.ETag()
	if etag == s.ETag {
		r.etag = etag
	}
	if s.ETag != r.etag { // the page has it from the tenant
		etag = s.ETag
	}
	if e, ok := r.copy.Offer(s.Local, etag, 0); ok {
		r.again = s.Now.Add(tellPause)
		return Request{Want: Tell, Room: r.id, Entry: e}
	}
	return Request{}
}

// Failed records that a request got no answer, or that the server refused it. The server would refuse the same request again, so the page then
// leaves the room and reads the form anew, each time after a longer pause: what it has may be what the server refuses.
func (r *Room) Failed(now time.Time, refused bool) {
	r.busy, r.again = false, now.Add(failPause<<min(r.refused, maxDoubled))
	if refused {
		r.refused++
		r.leave()
	}
}

// Done takes the answer to a request. If the page has to take a step, ok is true.
func (r *Room) Done(q Request, p Part, s State) (step live.Step, ok bool) {
	r.busy = false
	if p.Closed {
		r.leave()
		r.instead = ""
		if r.announced == q.Room || q.Room == "" {
			r.announced, r.known = "", 0
		}
		return live.Step{}, false
	}
	if r.copy == nil {
		return r.join(p, s)
	}
	if p.Room != r.id {
		return live.Step{}, false
	}
	if q.Want == Read && p.Number <= r.copy.Number() && p.Number < r.known {
		// An event may be ahead of the answer, so the page asks again; in the end the answer counts.
		if r.again, r.behind = s.Now.Add(failPause), r.behind+1; r.behind > maxBehind {
			r.known, r.behind = p.Number, 0
		}
		return live.Step{}, false
	}
	r.known, r.behind = max(r.known, p.Number), 0
	switch {
	case q.Want != Tell:
	case slices.ContainsFunc(p.Entries, q.Entry.Does):
		r.second, r.refused = 0, 0
	default: // another page was faster, and with the pause between two entries it would be again
		r.again = s.Now.Add(min(tellPause, time.Duration(r.second)*secondPause))
		r.second++
	}
	for _, e := range p.Entries {
		if e.Number > r.copy.Number() {
			r.queue[e.Number] = e
		}
	}
	if p.Form != nil && p.Number != r.copy.Number() {
		r.met(p)
		clear(r.queue)
		return r.copy.Leap(s.Local, p.Number, model.FromTree(p.Form), p.ETag), true
	}
	return live.Step{}, false
}

// join joins the room of an answer. If its form contains another saved version than the page, the page must get the present one first.
func (r *Room) join(p Part, s State) (live.Step, bool) {
	r.announce(p.Room, p.Number)
	if p.Form == nil {
		return live.Step{}, false
	}
	if p.ETag != s.ETag && p.ETag != "" && s.ETag != "" {
		r.wanted, r.again = true, s.Now.Add(stalePause)
		switch {
		case r.stale.IsZero():
			r.stale = s.Now
		case s.Now.Sub(r.stale) > stalePatience:
			r.instead, r.stale = p.Room, time.Time{}
		}
		return live.Step{}, false
	}
	r.etag = s.ETag
	r.met(p)
	r.id, r.queue, r.stale, r.instead = p.Room, map[int]live.Entry{}, time.Time{}, ""
	local := s.Local
	if !r.Edits {
		local = s.Saved // what others did in another room is not the reader's work
	}
	var step live.Step
	r.copy, step = live.Join(r.Page, s.Saved, local, p.Number, model.FromTree(p.Form), p.ETag)
	r.copy.Owns(r.Own)
	return step, true
}

// Wanted reports, once, that the page must read the saved form: the room is ahead of it or behind.
func (r *Room) Wanted() bool {
	w := r.wanted
	r.wanted = false
	return w
}

// TakeNext takes the next entry of the shared form, if it is there.
func (r *Room) TakeNext(s State) (step live.Step, ok bool) {
	if r.copy == nil {
		return step, false
	}
	number := r.copy.Number() + 1
	e, ok := r.queue[number]
	if !ok {
		return step, false
	}
	delete(r.queue, number)
	step, err := r.copy.Take(s.Local, e)
	if err != nil { // the copy is broken or differs: the form is read anew, and what the page has is merged into it
		r.leave()
		return step, false
	}
	if !step.Own {
		r.who = e.Name
	}
	return step, true
}

// Forks returns the values of the page that others have changed, too, and that the person has not decided.
func (r *Room) Forks(local *model.Form) []merge.Conflict {
	if r.copy == nil {
		return nil
	}
	return r.copy.Forks(local)
}

// Decide records that the person has decided forks.
func (r *Room) Decide(forks []merge.Conflict) {
	if r.copy != nil {
		r.copy.Decide(forks)
	}
}

// ToSave returns the form that a save sends: the local one without the forks.
func (r *Room) ToSave(local *model.Form) *model.Form {
	if r.copy == nil || len(r.copy.Forks(local)) == 0 {
		return local
	}
	return r.copy.Mine(local)
}

// Told reports whether others have everything that the page has to tell.
func (r *Room) Told(local *model.Form) bool { return !r.Joined() || !r.Edits || r.copy.Same(local) }

// Saved returns the recent shared form whose content equals a saved form. It returns nil if there is none; the page's work is then based on the
// previous saved version.
func (r *Room) Saved(saved *model.Form) *model.Form {
	if r.copy == nil {
		return nil
	}
	return r.copy.Find(saved)
}
