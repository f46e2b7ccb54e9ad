package client

import (
	"errors"
	"math"
	"net/url"
	"time"

	"github.com/formgraph/formgraph/model/schema"
)

// Kinds of events about a form.
const (
	Hello   = "hello"   // a stream begins; the event has the ETag of the form as it is now
	Saved   = "saved"   // somebody saved the form
	Deleted = "deleted" // somebody deleted the form
	Comment = "comment" // somebody commented on the form, or changed a comment
	Ended   = "end"     // the stream ends, for one of the reasons below

	Edit     = "edit"     // an entry of the form that people edit together
	Presence = "presence" // somebody has come, shows something else, or has left
	// Notes means that somebody changed the notes on the canvas.
	Notes = "notes"
	// Settings means that somebody changed what holds for everybody who edits the form.
	Settings = "settings"
)

// Reasons why a stream ends and is not opened again by itself.
const (
	EndSession = "session" // the session has ended
	EndRights  = "rights"  // the person may not read the form any more
	EndDeleted = "deleted" // the form is gone
)

// EndOf returns the reason for which a stream must end if a request about its form fails with an error, "" for none.
func EndOf(err error) (reason string) {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return ""
	}
	switch e.Status {
	case 401:
		return EndSession
	case 403:
		return EndRights
	case 404:
		return EndDeleted
	}
	return ""
}

// FormEvent is an event of the stream about a form.
type FormEvent struct {
	Kind      string
	ETag      string // of the new version; "" where the tenant has none
	Name, Sub string // who did it
	Tab       string // the tab that did it; see Client.Tab
	Missed    bool   // of Hello: events since the last one may be lost
	Reason    string // of Ended
	Data      *schema.Object
	AsYouGo   bool // of Settings: editors save the form as it is edited
}

// Stream is what a page asks of a stream of events. Page makes it present, in Room if it is in one.
type Stream struct {
	Form, Page, Room string
	After            string // the id of the last event that the page has seen, "" for none
	Once             string // "1" for a stream that ends after its first events
}

// Address returns the address of the stream.
func (s Stream) Address() string {
	query := "form=" + url.QueryEscape(s.Form)
	add := func(name, value string) {
		if value != "" {
			query += "&" + name + "=" + url.QueryEscape(value)
		}
	}
	add("after", s.After)
	add("page", s.Page)
	add("room", s.Room)
	add("once", s.Once)
	return "/bff/events?" + query
}

// ReadEvent reads an event of a stream. It reports false if the data are not a JSON object.
func ReadEvent(kind, data string) (FormEvent, bool) {
	v, ps := schema.DecodeGrown([]byte(data))
	o, ok := v.(*schema.Object)
	if len(ps) > 0 || !ok {
		return FormEvent{}, false
	}
	e := FormEvent{Kind: kind, ETag: o.Text("etag"), Name: o.Text("name"), Sub: o.Text("sub"), Tab: o.Text("tab"), Reason: o.Text("reason"), Data: o}
	missed, _ := o.Get("missed")
	e.Missed = missed == true
	on, _ := o.Object("settings").Get("save_as_you_go")
	e.AsYouGo = on == true
	return e, true
}

const (
	// hideTime is how long a hidden page keeps its stream. With HTTP/1.1, browsers have six connections to a server for all their tabs.
	hideTime = time.Minute
	// firstRetry and lastRetry are the shortest and the longest wait before a stream is opened again.
	firstRetry, lastRetry = 2 * time.Second, 2 * time.Minute
	// goodTime is how long a stream must last to count as one that works: the next wait is the shortest again. Some proxies cut a stream that
	// tells nothing for a while.
	goodTime = 10 * time.Second
)

// Link decides when a page has a stream of events. The zero Link is that of a hidden page. It is not safe for concurrent use.
type Link struct {
	visible, offline bool
	ended            bool      // for a reason that does not pass by itself
	left             time.Time // when the page was hidden
	opened, retry    time.Time
	tries            int
}

// See records whether the page is visible and the browser has a network. If either has improved, the wait after a failure is over. A link that
// has ended stays ended.
func (l *Link) See(visible, online bool, now time.Time) {
	if visible && !l.visible || online && l.offline {
		l.tries, l.retry = 0, time.Time{}
	}
	if l.visible && !visible {
		l.left = now
	}
	l.visible, l.offline = visible, !online
}

// Again lets the stream be opened at once, such as after a sign-in.
func (l *Link) Again() { l.ended, l.tries, l.retry = false, 0, time.Time{} }

// Opened records that the stream was opened.
func (l *Link) Opened(now time.Time) { l.opened = now }

// End records that the server has ended the stream. None is opened until Again is called.
func (l *Link) End() { l.ended = true }

// Ended reports whether the server has ended the stream.
func (l *Link) Ended() bool { return l.ended }

// Failed records that the stream was refused or has ended. random returns a number from 0 up to 1, so that not all browsers come back at once.
func (l *Link) Failed(now time.Time, random func() float64) {
	if now.Sub(l.opened) >= goodTime {
		l.tries = 0
	}
	wait := min(float64(lastRetry), float64(firstRetry)*math.Pow(2, float64(l.tries)))
	l.retry = now.Add(time.Duration(wait * (1 + random()) / 2))
	l.tries++
}

// Next reports whether the page should have a stream now; open reports that it has one. If wait is not 0, ask again after it.
func (l *Link) Next(open bool, now time.Time) (want bool, wait time.Duration) {
	switch {
	case l.offline || l.ended:
		return false, 0
	case !l.visible:
		if rest := l.left.Add(hideTime).Sub(now); open && rest > 0 {
			return true, rest
		}
		return false, 0
	case !open && now.Before(l.retry):
		return false, l.retry.Sub(now)
	}
	return true, 0
}
