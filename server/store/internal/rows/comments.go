package rows

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// CommentColumns are the columns of a comment, without its tenant and form.
const CommentColumns = `id, thread, node, component, body, author_id, author, created, edited, resolver_id, resolver, resolved, mentions`

// Comment reads CommentColumns.
func Comment(row Scanner) (store.Comment, error) { return comment(row) }

// HeldColumns count the comments r of a form: the number and the bytes of all, the same of those by the author of the comment c, and the number in
// the thread of c.
const HeldColumns = `count(*), coalesce(sum(octet_length(r.body)), 0), count(CASE WHEN r.author_id = c.author_id THEN 1 END),
	coalesce(sum(CASE WHEN r.author_id = c.author_id THEN octet_length(r.body) END), 0), count(CASE WHEN r.thread = c.thread THEN 1 END)`

// Held counts the comments of a form, in relation to one of them.
type Held struct {
	all, author store.CommentAmount
	thread      int // the number in its thread
}

func (h *Held) columns() []any {
	return []any{&h.all.Comments, &h.all.Bytes, &h.author.Comments, &h.author.Bytes, &h.thread}
}

// HeldOf reads HeldColumns.
func HeldOf(row Scanner) (h Held, err error) { return h, row.Scan(h.columns()...) }

// CommentOfForm reads CommentColumns and HeldColumns.
func CommentOfForm(row Scanner) (c CommentHeld, err error) {
	c.Comment, err = comment(row, c.columns()...)
	return c, err
}

// CommentHeld is a comment with the counts of its form.
type CommentHeld struct {
	store.Comment
	Held
}

// Replies returns the number of replies in the thread of the comment.
func (c CommentHeld) Replies() int { return c.thread - 1 }

func comment(row Scanner, more ...any) (c store.Comment, err error) {
	var created, edited, resolved int64
	var mentions Mentions
	err = row.Scan(append([]any{
		&c.ID, &c.Thread, &c.Node, &c.Component, &c.Text, &c.Author.ID, &c.Author.Name, &created, &edited, &c.Resolver.ID, &c.Resolver.Name, &resolved,
		&mentions,
	}, more...)...)
	c.Created, c.Edited, c.Resolved, c.Mentions = Instant(created), perhaps(edited), perhaps(resolved), mentions
	return c, err
}

// CommentValues returns a tenant, a form and the values of CommentColumns.
func CommentValues(tenant, form string, c store.Comment) []any {
	return []any{
		tenant, form, c.ID, c.Thread, c.Node, c.Component, c.Text, c.Author.ID, c.Author.Name, Millis(c.Created), perhapsMillis(c.Edited),
		c.Resolver.ID, c.Resolver.Name, perhapsMillis(c.Resolved),
		Mentions(c.Mentions),
	}
}

// Add returns an error if there is no room for another comment, or if it replies to a thread that does not exist.
func (h Held) Add(c store.Comment, room store.CommentRoom) error {
	if err := h.fits(store.CommentAmount{Comments: 1, Bytes: len(c.Text)}, room); err != nil {
		return err
	}
	if !c.Begins() && h.thread == 0 {
		return store.ErrNotFound
	}
	return nil
}

// fits returns an error if there is no room for more.
func (h Held) fits(more store.CommentAmount, room store.CommentRoom) error {
	for _, x := range []struct {
		has, most store.CommentAmount
		full      error
	}{{h.all, room.All, store.ErrTooMany}, {h.author, room.Author, store.ErrTooManyOwn}} {
		switch {
		case more.Comments > 0 && x.has.Comments+more.Comments > x.most.Comments:
			return x.full
		case x.has.Bytes+more.Bytes > x.most.Bytes:
			return fmt.Errorf("%w: %w", x.full, store.ErrTooMuchText)
		}
	}
	return nil
}

// Changed returns a comment after a change, without what a change may not change, or an error if there is no room for a text that became longer.
func (c CommentHeld) Changed(room store.CommentRoom, change func(*store.Comment) error) (store.Comment, error) {
	asked := c.Comment
	if err := change(&asked); err != nil {
		return store.Comment{}, err
	}
	if longer := len(asked.Text) - len(c.Text); longer > 0 {
		if err := c.fits(store.CommentAmount{Bytes: longer}, room); err != nil {
			return store.Comment{}, err
		}
	}
	next := c.Comment
	next.Text, next.Edited, next.Resolver, next.Resolved, next.Mentions = asked.Text, asked.Edited, asked.Resolver, asked.Resolved, asked.Mentions
	return next, nil
}

// Removed returns what stays of a comment that is removed, and whether something does: one with replies stays without its text.
func (c CommentHeld) Removed() (store.Comment, bool) {
	if !c.Begins() || c.Replies() == 0 {
		return store.Comment{}, false
	}
	c.Text, c.Author, c.Mentions = "", store.Person{}, nil
	return c.Comment, true
}

// Mentions are the mentions of a comment, stored as a JSON array, and as an empty text if there are none.
type Mentions []store.Mention

// mentionJSON is a stored mention.
type mentionJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Seen bool   `json:"seen,omitempty"`
}

// Value writes the mentions.
func (m Mentions) Value() (driver.Value, error) {
	if len(m) == 0 {
		return "", nil
	}
	list := make([]mentionJSON, len(m))
	for i, m := range m {
		list[i] = mentionJSON{m.ID, m.Name, m.Seen}
	}
	b, err := json.Marshal(list)
	return string(b), err
}

// Scan reads the mentions.
func (m *Mentions) Scan(v any) error {
	*m = nil
	var list []mentionJSON
	if err := scanJSON(v, "", &list); err != nil {
		return err
	}
	for _, j := range list {
		*m = append(*m, store.Mention{Person: store.Person{ID: j.ID, Name: j.Name}, Seen: j.Seen})
	}
	return nil
}

// Unseen counts the comments that mention a person who has not read them.
func Unseen(of []Mentions, person string) (n int) {
	for _, m := range of {
		if slices.Contains(m.unseen(), person) {
			n++
		}
	}
	return n
}

// unseen returns the persons who have not read the comment.
func (m Mentions) unseen() []string {
	var ids []string
	for _, m := range m {
		if !m.Seen {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// Seen returns a comment that a person has read, and whether that is news.
func Seen(c store.Comment, person string) (store.Comment, bool) {
	if !slices.Contains(Mentions(c.Mentions).unseen(), person) {
		return c, false
	}
	for i := range c.Mentions {
		c.Mentions[i].Seen = c.Mentions[i].Seen || c.Mentions[i].ID == person
	}
	return c, true
}

// Renamed returns a thread at its new place, and whether that is another one.
func Renamed(c store.Comment, to store.Places) (store.Comment, bool) {
	before := c
	if id, ok := to.Nodes[c.Node]; ok && c.Node != "" {
		c.Node = id
	}
	if id, ok := to.Components[c.Component]; ok && c.Component != "" {
		c.Component = id
	}
	return c, c.Node != before.Node || c.Component != before.Component
}

// perhaps is Instant of a number that is 0 for no time.
func perhaps(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return Instant(ms)
}

// perhapsMillis is Millis of a time that may be zero, which is 0.
func perhapsMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return Millis(t)
}
