package live

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/server/store"
)

// Limits of rooms.
const (
	// MaxForm bounds the text of a shared form in bytes, as the management API does.
	MaxForm = 4 << 20
	// maxCached is how many shared forms a process keeps in memory.
	maxCached = 64
	// maxEntries is how many entries an answer has. Whoever misses more gets the form.
	maxEntries = 256
	// compactEvery is after how many entries the form is stored whole, and keptEntries how many entries stay then.
	compactEvery, keptEntries = 128, 512
	// RoomLife is how long an unused room is kept.
	RoomLife = 7 * 24 * time.Hour
)

// Errors of rooms. ErrClosed means that the form has no such room: the room was closed, or another one has taken its place.
var (
	ErrClosed = errors.New("the room is closed")
	ErrEdits  = errors.New("the edits do not fit the shared form")
	ErrLarge  = errors.New("the shared form would be too large")
)

// Config configures Rooms.
type Config struct {
	Stored store.Rooms
	Now    func() time.Time
	// Told is called after each entry that this process has stored, with the form, and with the zero Entry for a room that it has opened.
	Told func(form, room string, e live.Entry)
}

// Rooms keeps the shared forms. It is safe for concurrent use.
type Rooms struct {
	Config

	mu     sync.Mutex
	cached *recent.Map[string, *cached] // by form
}

// NewRooms returns Rooms.
func NewRooms(c Config) *Rooms {
	return &Rooms{Config: c, cached: recent.New[string, *cached](maxCached)}
}

// cached is the shared form of a room as this process knows it.
type cached struct {
	sync.Mutex

	room    string
	number  int
	tree    *schema.Object
	etag    string
	size    int // at least the bytes of the form's text
	entries []live.Entry
}

// Part is what a page is told of a room.
type Part struct {
	Room   string
	Number int // of the shared form
	ETag   string
	// Form is the shared form, nil if Entries lead to it from the number that the page has.
	Form *schema.Object
	// People are those who have edited Form since it was saved last, the last first. Names of long ago may be missing.
	People  []string
	Entries []live.Entry
	// Accepted reports that the entry that was offered is the last of Entries.
	Accepted bool
}

// of returns the cache of a form, locked.
func (s *Rooms) of(form string) *cached {
	s.mu.Lock()
	c, ok := s.cached.Get(form)
	if !ok {
		c = &cached{}
		s.cached.Put(form, c)
	}
	s.mu.Unlock()
	c.Lock()
	return c
}

// Head returns the room of a form and the number of its shared form, or ErrClosed if there is none.
func (s *Rooms) Head(ctx context.Context, form string) (room string, number int, err error) {
	room, number, err = s.Stored.Head(ctx, form)
	if errors.Is(err, store.ErrNotFound) {
		err = ErrClosed
	}
	return room, number, err
}

// load brings the cache up to date. It returns ErrClosed if the form has no room, or another one than the one named; "" means any.
func (s *Rooms) load(ctx context.Context, c *cached, form, room string) error {
	there, number, err := s.Head(ctx, form)
	switch {
	case err != nil:
		return err
	case room != "" && there != room:
		return ErrClosed
	case c.room != there || c.number > number:
		if err := s.read(ctx, c, form); err != nil {
			return err
		}
	}
	for c.number < number {
		found, err := s.Stored.Entries(ctx, c.room, c.number, maxEntries)
		if err != nil {
			return err
		}
		if len(found) == 0 || found[0].Number != c.number+1 { // it was compacted or closed meanwhile
			if err := s.read(ctx, c, form); err != nil {
				return err
			}
			if len(found) == 0 && c.number < number {
				return ErrClosed
			}
			continue
		}
		for _, row := range found {
			e, err := decodeEntry(row.Body)
			if err == nil {
				err = c.apply(e, len(row.Body))
			}
			if err != nil {
				return fmt.Errorf("entry %d of a room: %w", row.Number, err)
			}
		}
	}
	return nil
}

// read reads the stored form of a room.
func (s *Rooms) read(ctx context.Context, c *cached, form string) error {
	r, err := s.Stored.Room(ctx, form)
	if errors.Is(err, store.ErrNotFound) {
		return ErrClosed
	}
	if err != nil {
		return err
	}
	tree, err := decodeForm(r.Body)
	if err != nil {
		return err
	}
	c.room, c.number, c.tree, c.etag, c.size, c.entries = r.ID, r.Number, tree, r.ETag, len(r.Body), nil
	return nil
}

// apply makes the form the one after an entry.
func (c *cached) apply(e live.Entry, size int) error {
	tree, err := schema.Patch(c.tree, e.Edits)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrEdits, err)
	}
	if c.size += size; c.size > MaxForm {
		c.size = len(schema.Encode(tree))
	}
	c.number, c.tree = e.Number, tree
	if e.ETag != "" {
		c.etag = e.ETag
	}
	if c.entries = append(c.entries, e); len(c.entries) > 2*maxEntries {
		c.entries = append([]live.Entry(nil), c.entries[maxEntries:]...)
	}
	return nil
}

// since returns what a page with a number needs; a negative number means that it has none.
func (c *cached) since(after int) Part {
	p := Part{Room: c.room, Number: c.number, ETag: c.etag}
	missing := c.number - after
	if after < 0 || missing < 0 || missing > len(c.entries) || missing > maxEntries {
		p.Form, p.People = c.tree, c.unsaved()
		return p
	}
	p.Entries = append([]live.Entry(nil), c.entries[len(c.entries)-missing:]...)
	return p
}

// Since returns what has happened in the room of a form after a number; a negative number asks for the form. An empty room means any.
func (s *Rooms) Since(ctx context.Context, form, room string, after int) (Part, error) {
	c := s.of(form)
	defer c.Unlock()
	if err := s.load(ctx, c, form, room); err != nil {
		return Part{}, err
	}
	return c.since(after), nil
}

// Unsaved returns the names of the people who have edited a form since it was saved last, each once, in the order of their last edit. Names of
// long ago may be missing.
func (s *Rooms) Unsaved(ctx context.Context, form string) ([]string, error) {
	c := s.of(form)
	defer c.Unlock()
	if err := s.load(ctx, c, form, ""); err != nil {
		return nil, err
	}
	return c.unsaved(), nil
}

func (c *cached) unsaved() (names []string) {
	for _, e := range slices.Backward(c.entries) {
		if e.Name != "" && len(e.Edits) > 0 && !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
		if e.ETag != "" { // whoever saved tells the version
			break
		}
	}
	return names
}

// Open makes a room for a form whose saved version is given, in place of the room instead, "" for none. If somebody else was faster, it
// returns their room.
func (s *Rooms) Open(ctx context.Context, form, instead string, saved *schema.Object, etag string) (Part, error) {
	body := schema.Encode(saved)
	if len(body) > MaxForm {
		return Part{}, ErrLarge
	}
	c := s.of(form)
	defer c.Unlock()
	err := s.Stored.Open(ctx, store.Room{Form: form, ID: rand.Text(), Body: body, ETag: etag, Used: s.Now()}, instead)
	if err != nil && !errors.Is(err, store.ErrConflict) {
		return Part{}, err
	}
	opened := err == nil
	if err := s.load(ctx, c, form, ""); err != nil {
		return Part{}, err
	}
	if opened {
		s.Told(form, c.room, live.Entry{})
	}
	return c.since(-1), nil
}

// Append offers an entry of a page that has the shared form of the number before. If the room has gone on meanwhile, the entry is not
// accepted. The answer has what the page misses.
func (s *Rooms) Append(ctx context.Context, form, room string, e live.Entry) (Part, error) {
	c := s.of(form)
	defer c.Unlock()
	after := e.Number - 1
	if err := s.load(ctx, c, form, room); err != nil {
		return Part{}, err
	}
	if c.number != after {
		return c.since(after), nil
	}
	body := schema.Encode(e.Tree())
	next := &cached{room: c.room, number: c.number, tree: c.tree, etag: c.etag, size: c.size, entries: c.entries}
	if err := next.apply(e, len(body)); err != nil {
		return Part{}, err
	}
	if next.size > MaxForm {
		return Part{}, ErrLarge
	}
	err := s.Stored.Append(ctx, room, store.RoomEntry{Number: e.Number, Body: body}, s.Now())
	switch {
	case errors.Is(err, store.ErrConflict):
		if err := s.load(ctx, c, form, room); err != nil {
			return Part{}, err
		}
		return c.since(after), nil
	case errors.Is(err, store.ErrNotFound):
		return Part{}, ErrClosed
	case err != nil:
		return Part{}, err
	}
	c.number, c.tree, c.etag, c.size, c.entries = next.number, next.tree, next.etag, next.size, next.entries
	s.Told(form, room, e)
	p := c.since(after)
	p.Accepted = true
	if c.number%compactEvery == 0 {
		// It is tried again after as many entries.
		_ = s.Stored.Compact(ctx, store.Room{ID: room, Number: c.number, Body: schema.Encode(c.tree), ETag: c.etag}, c.number-keptEntries)
	}
	return p, nil
}

// Close closes the room of a form, if it has one: nobody is in it.
func (s *Rooms) Close(ctx context.Context, form string) error {
	room, _, err := s.Head(ctx, form)
	if errors.Is(err, ErrClosed) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.Stored.Close(ctx, room)
}

// Sweep deletes unused rooms.
func (s *Rooms) Sweep(ctx context.Context) error {
	_, err := s.Stored.Sweep(ctx, s.Now().Add(-RoomLife))
	return err
}

var errDamaged = errors.New("a stored room is damaged")

func decodeForm(body []byte) (*schema.Object, error) {
	tree, problems := schema.DecodeGrown(body)
	o, ok := tree.(*schema.Object)
	if !ok || len(problems) > 0 {
		return nil, errDamaged
	}
	return o, nil
}

func decodeEntry(body []byte) (live.Entry, error) {
	tree, problems := schema.DecodeGrown(body)
	if len(problems) > 0 {
		return live.Entry{}, errDamaged
	}
	return live.ReadEntry(tree)
}
