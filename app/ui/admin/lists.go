package admin

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/model/schema"
)

const (
	pageSize = 100 // rows a request brings; the API's maximum
	logSize  = 50  // lines of the log a request brings
	rowStep  = 100 // rows that are drawn at first, and more at each press
	maxPages = 100 // bounds what a server that answers every page alike can make the browser do
)

// list is what the page knows of a section's entries.
type list struct {
	rows    []*schema.Object
	loading bool
	whole   bool // there are no more
	err     error
	pages   int // read so far
	drawn   int // rows that may be drawn
	query   string
	turn    int // which reading is the present one: answers of an earlier one come too late
}

// load reads a list that was not read yet; again reads it in any case.
func (p *desk) load(ctx app.Context, s *section, again bool) {
	l := p.lists[s.name]
	if l == nil {
		l = &list{drawn: rowStep}
		p.lists[s.name] = l
	} else if !again && l.err == nil {
		return
	}
	l.turn++
	l.pages, l.err, l.whole = 0, nil, false
	p.read(ctx, s, l)
}

// read reads the next page of a log, or all pages that a list has left. Rows are seen as they come.
func (p *desk) read(ctx app.Context, s *section, l *list) {
	l.loading = true
	turn, page, log := l.turn, l.pages, s.log
	path, size, last := root+s.path, pageSize, maxPages
	if log {
		size, last = logSize, page+1
		if p.logType != "" {
			path += "?type=" + p.logType
		}
	}
	ctx.Async(func() {
		for ; page < last; page++ {
			rows, err := p.client.Page(p.life.Context(), path, page, size)
			first, done := page == 0, err != nil || len(rows) < size || page+1 == last
			p.later(ctx, func(app.Context) {
				if l.turn != turn {
					return
				}
				if first && err == nil {
					l.rows = nil // until now those of the reading before are seen
				}
				l.rows = s.sorted(joined(l.rows, rows, s.id), p.facts(nil, nil))
				l.pages++
				l.whole = err == nil && len(rows) < size
				if done {
					l.loading, l.err = false, err
					if err != nil {
						p.told(err)
					}
				}
			})
			if done {
				return
			}
		}
	})
}

// put shows an entry as it is now in its list; nil takes it away.
func (p *desk) put(s *section, id string, entry *schema.Object) {
	l := p.lists[s.name]
	if l == nil {
		return
	}
	rows := slices.Clone(l.rows)
	i := slices.IndexFunc(rows, func(o *schema.Object) bool { return o.Text(s.id) == id })
	switch {
	case i < 0 && entry != nil:
		rows = append(rows, entry)
	case i >= 0 && entry != nil:
		rows[i] = entry
	case i >= 0:
		rows = slices.Delete(rows, i, i+1)
	}
	l.rows = s.sorted(rows, p.facts(nil, nil))
}
