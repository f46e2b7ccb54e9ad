package together

import (
	"strconv"

	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
)

// Local keeps a room for the pages of one browser while the server is away, as the server does for all pages. One of the pages has the Local. The
// zero Local has no room.
type Local struct {
	Page string // makes the names of rooms unique

	room    string
	rooms   int
	tree    *schema.Object
	etag    string
	entries []live.Entry
}

// Answer answers a request. told is the data of the event that the other pages must hear, nil for none. It returns false for a request that the
// server would refuse.
func (l *Local) Answer(q Request) (p Part, told *schema.Object, ok bool) {
	switch {
	case q.Want == Open && q.Room == l.room:
		l.rooms++
		l.room = l.Page + "-" + strconv.Itoa(l.rooms)
		l.tree, l.etag, l.entries = live.Content(q.Saved.Tree()), q.ETag, nil
		return l.since(-1), l.event(nil), true
	case l.room == "" || q.Want != Open && q.Room != "" && q.Room != l.room:
		return Part{Closed: true}, nil, true
	case q.Want == Open:
		return l.since(-1), nil, true
	case q.Want == Tell && q.Entry.Number == len(l.entries)+1:
		tree, err := schema.Patch(l.tree, q.Entry.Edits)
		if err != nil {
			return Part{}, nil, false
		}
		l.tree, l.entries = tree, append(l.entries, q.Entry)
		if q.Entry.ETag != "" {
			l.etag = q.Entry.ETag
		}
		return l.since(q.Entry.Number - 1), l.event(&q.Entry), true
	case q.Want == Tell:
		return l.since(q.Entry.Number - 1), nil, true
	}
	return l.since(q.Number), nil, true
}

// Head returns the room and the number of its shared form.
func (l *Local) Head() (room string, number int) { return l.room, len(l.entries) }

func (l *Local) since(after int) Part {
	p := Part{Room: l.room, Number: len(l.entries), ETag: l.etag}
	if after < 0 || after > len(l.entries) {
		p.Form = l.tree
		return p
	}
	p.Entries = l.entries[after:]
	return p
}

func (l *Local) event(e *live.Entry) *schema.Object {
	o := schema.NewObject(schema.Member{Key: "room", Value: l.room}, schema.Member{Key: "number", Value: schema.IntNumber(len(l.entries))})
	if e != nil {
		o = o.With("entry", e.Tree())
	}
	return o
}
