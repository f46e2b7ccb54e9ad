package kit

import (
	"context"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// searchPause is how long input must pause before the server is asked.
const searchPause = 250 * time.Millisecond

// Calls makes the calls of a page; they end with its life.
type Calls struct {
	Life   Life
	Client *client.Client
	// Done is called on the page's goroutine after each answer; err is nil after a success.
	Done func(ctx app.Context, err error)
}

// List is a list on the server, which pages and searches it. The page shows the parts that were read. Only the
// answer to the latest request counts.
type List struct {
	Path string // begins with /bff/; its query narrows the list
	ID   string // the member that identifies a row
	Size int    // number of rows in a part

	Rows    []*schema.Object // without duplicates
	Total   int              // number of rows that match the search
	Query   string           // the search input; Rows follow a moment later
	Loading bool
	Err     error // why the latest request failed

	found string // the query of Rows
	next  string // cursor of the next part
	turn  int    // number of the latest request
	stop  context.CancelFunc
}

// Begun reports whether the list has ever been requested.
func (l *List) Begun() bool { return l.turn > 0 }

// More reports whether the list continues after Rows.
func (l *List) More() bool { return l.next != "" }

// Load reads the first part again. Until it arrives, the current rows stay.
func (l *List) Load(ctx app.Context, c Calls) { l.read(ctx, c, 0, "") }

// Search searches for the input once it pauses.
func (l *List) Search(ctx app.Context, c Calls, query string) {
	l.Query = query
	l.read(ctx, c, searchPause, "")
}

// Continue reads the next part, unless there is none or a request is in progress.
func (l *List) Continue(ctx app.Context, c Calls) {
	if l.More() && !l.Loading {
		l.read(ctx, c, 0, l.next)
	}
}

// read reads a part after a delay. It supersedes any request in progress.
func (l *List) read(ctx app.Context, c Calls, pause time.Duration, from string) {
	if l.stop != nil {
		l.stop()
	}
	var wait context.Context
	wait, l.stop = context.WithCancel(c.Life.Context())
	l.turn++
	l.Loading, l.Err = true, nil
	turn, path, query, size := l.turn, l.Path, l.Query, l.Size
	c.Life.Async(ctx, func(context.Context) func(app.Context) {
		select {
		case <-wait.Done():
			return nil
		case <-time.After(pause):
		}
		part, err := c.Client.Find(wait, path, query, from, size)
		return func(ctx app.Context) {
			if l.turn != turn {
				return
			}
			l.stop()
			l.accept(part, query, from, err)
			c.Done(ctx, err)
		}
	})
}

// accept stores the answer to the latest request.
func (l *List) accept(part client.Part, query, from string, err error) {
	l.Loading, l.Err = false, err
	switch {
	case err != nil && query != l.found:
		l.Rows, l.Total, l.next = nil, 0, "" // they are not results of this search
	case err != nil:
	case from == "":
		l.found, l.Total, l.next = query, part.Total, part.Next
		l.Rows = l.without(nil, part.Rows)
	default:
		l.next = part.Next
		l.Rows = append(slices.Clip(l.Rows), l.without(l.Rows, part.Rows)...)
	}
}

// without returns the rows of a part that are not yet among others: a row that was added to the list may be
// received again.
func (l *List) without(others, part []*schema.Object) []*schema.Object {
	seen := map[string]bool{}
	for _, o := range others {
		seen[o.Text(l.ID)] = true
	}
	var out []*schema.Object
	for _, o := range part {
		if id := o.Text(l.ID); !seen[id] {
			seen[id] = true
			out = append(out, o)
		}
	}
	return out
}

// Put replaces a row in place, if it was read.
func (l *List) Put(row *schema.Object) {
	if i := l.index(row.Text(l.ID)); i >= 0 {
		l.Rows = slices.Clone(l.Rows)
		l.Rows[i] = row
	}
}

// Add inserts a new row before the others.
func (l *List) Add(row *schema.Object) {
	if l.index(row.Text(l.ID)) < 0 {
		l.Rows = slices.Insert(slices.Clone(l.Rows), 0, row)
		l.Total++
	}
}

// Remove removes a row.
func (l *List) Remove(id string) {
	if i := l.index(id); i >= 0 {
		l.Rows = slices.Delete(slices.Clone(l.Rows), i, i+1)
		l.Total--
	}
}

func (l *List) index(id string) int {
	return slices.IndexFunc(l.Rows, func(o *schema.Object) bool { return o.Text(l.ID) == id })
}
