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
	// maxCached is how many shared forms a process keeps in memory, and maxCachedBytes is how many bytes their texts and entries have.
	maxCached, maxCachedBytes = 64, 64 << 20
	// maxEntries is how many entries an answer has. Whoever misses more gets the form.
	maxEntries = 256
	// keptEntries is how many entries of a room are kept, and keptBytes is how many bytes they have. Whoever misses others gets the form.
	keptEntries, keptBytes = 512, 1 << 20
	// The form is stored whole after compactEvery entries, or as many as have compactBytes. A larger entry is not kept at all.
	compactEvery, compactBytes = 128, 1 << 20
	// editBytes is what an edit takes in memory besides its text.
	editBytes = 100
	// MaxMoves is how many elements the edits of one entry may copy and move, see schema.PatchWithin: ten milliseconds of work.
	MaxMoves = 1 << 22
	// movesPerByte is how many elements are moved in the time in which a byte of text is written.
	movesPerByte = 4
	// RoomLife is how long an unused room is kept.
	RoomLife = 7 * 24 * time.Hour
)

// Errors of rooms. ErrClosed means that the form has no such room: the room was closed, or another one has taken its place. What may not be
// shared at all has the errors of live.CheckForm.
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
	bytes  int                          // that they have
}

// NewRooms returns Rooms.
func NewRooms(c Config) *Rooms {
	return &Rooms{Config: c, cached: recent.New[string, *cached](maxCached)}
}

// cached is the shared form of a room as this process knows it.
type cached struct {
	sync.Mutex
	shared

	counted int // of Rooms.bytes; Rooms.mu guards it
}

// shared is a shared form. A copy may be changed.
type shared struct {
	room    string
	number  int
	tree    *schema.Object
	etag    string
	size    int // at least the bytes of the form's text
	values  int // at least the values of the form
	entries []entry
	bytes   int // of the entries
	// grown and grownBytes are how many entries were added since the form was stored whole, as far as this process knows, and their bytes.
	grown, grownBytes int
	work              int // done since it was last asked for, see Part.Work
}

// entry is an entry with the session of its page, as a hash.
type entry struct {
	live.Entry

	owner string
	bytes int
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
	// Work is what the request has cost: about as much as to write so many bytes of text. An answer with an error has it, too.
	Work int
}

// of returns the cache of a form, locked. The caller calls done.
func (s *Rooms) of(form string) *cached {
	s.mu.Lock()
	c, ok := s.cached.Get(form)
	if !ok {
		for s.cached.Len() >= maxCached {
			s.forget()
		}
		c = &cached{}
		s.cached.Put(form, c)
	}
	s.mu.Unlock()
	c.Lock()
	return c
}

// done unlocks the cache of a form and forgets others if all have too many bytes. It returns the work since the cache was locked.
func (s *Rooms) done(form string, c *cached) (work int) {
	s.mu.Lock()
	if is, ok := s.cached.Get(form); ok && is == c {
		s.bytes += c.size + c.bytes - c.counted
		c.counted = c.size + c.bytes
	}
	for s.bytes > maxCachedBytes && s.cached.Len() > 1 {
		s.forget()
	}
	s.mu.Unlock()
	work, c.work = c.work, 0
	c.Unlock()
	return work
}

// forget forgets the cache that was not used for the longest time.
func (s *Rooms) forget() {
	if form, c, ok := s.cached.Oldest(); ok {
		s.cached.Delete(form)
		s.bytes -= c.counted
	}
}

// Head returns the room of a form and the number of its shared form, or ErrClosed if there is none.
func (s *Rooms) Head(ctx context.Context, form string) (room string, number int, err error) {
	room, number, err = s.Stored.Head(ctx, form)
	if errors.Is(err, store.ErrNotFound) {
		err = ErrClosed
	}
	return room, number, err
}

// load brings the cache up to date. It returns ErrClosed if the form has no room, or another one than the one named; "" means any. A room that
// is damaged is closed: otherwise nobody could share the form.
func (s *Rooms) load(ctx context.Context, c *cached, form, room string) error {
	there, number, err := s.Head(ctx, form)
	switch {
	case err != nil:
		return err
	case room != "" && there != room:
		return ErrClosed
	}
	cold := c.room != there || c.number > number
	if !cold {
		err = s.follow(ctx, c, form, number)
	}
	if cold || errors.Is(err, errDamaged) {
		if err = s.read(ctx, c, form); err == nil {
			err = s.follow(ctx, c, form, number)
		}
	}
	if errors.Is(err, errDamaged) {
		c.shared = shared{work: c.work}
		if err = s.CloseRoom(ctx, there); err == nil {
			err = ErrClosed
		}
	}
	return err
}

// follow brings the cache to at least a number of its room. The error is errDamaged if the entries do not lead there.
func (s *Rooms) follow(ctx context.Context, c *cached, form string, number int) error {
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
			c.work += len(row.Body)
			e, err := decodeEntry(row.Body)
			if err == nil && e.Number == row.Number {
				err = c.apply(e)
			}
			if err != nil || c.number != row.Number {
				return errDamaged
			}
			c.trim()
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
	c.work += len(r.Body)
	tree, err := decodeForm(r.Body)
	if err != nil {
		return err
	}
	values, _ := schema.Measure(tree)
	c.shared = shared{room: r.ID, number: r.Number, tree: tree, etag: r.ETag, size: len(r.Body), values: values, work: c.work}
	return nil
}

// apply makes the form the one after an entry. It does so only if that may be shared.
func (c *shared) apply(e entry) error {
	added, err := live.CheckEdits(e.Edits)
	if err != nil {
		return err
	}
	tree, moved, err := schema.PatchWithin(c.tree, e.Edits, MaxMoves)
	c.work += moved / movesPerByte
	if errors.Is(err, schema.ErrNoPlace) {
		return fmt.Errorf("%w: %w", ErrEdits, err)
	}
	if err == nil {
		err = live.CheckShape(tree)
	}
	if err != nil {
		return err
	}
	size, values := c.size+e.bytes, c.values+added
	if size > MaxForm || values > schema.MaxValues { // both are only bounds
		size = len(schema.Encode(tree))
		values, _ = schema.Measure(tree)
		c.work += size
	}
	switch {
	case size > MaxForm:
		return ErrLarge
	case values > schema.MaxValues:
		return live.ErrMany
	}
	c.number, c.tree, c.size, c.values = e.Number, tree, size, values
	if e.ETag != "" {
		c.etag = e.ETag
	}
	c.entries, c.bytes = append(c.entries, e), c.bytes+e.bytes
	c.grown, c.grownBytes = c.grown+1, c.grownBytes+e.bytes
	return nil
}

// full reports whether it is time to store the form whole.
func (c *shared) full() bool { return c.grown >= compactEvery || c.grownBytes > compactBytes }

// trim forgets the entries that are too many.
func (c *shared) trim() {
	for len(c.entries) > keptEntries || c.bytes > keptBytes {
		c.bytes -= c.entries[0].bytes
		c.entries[0] = entry{}
		c.entries = c.entries[1:]
	}
}

// since returns what a page with a number needs; a negative number means that it has none.
func (c *shared) since(after int) Part {
	p := Part{Room: c.room, Number: c.number, ETag: c.etag}
	missing := c.number - after
	if after < 0 || missing < 0 || missing > len(c.entries) || missing > maxEntries {
		p.Form, p.People = c.tree, c.unsaved()
		return p
	}
	for _, e := range c.entries[len(c.entries)-missing:] {
		p.Entries = append(p.Entries, e.Entry)
	}
	return p
}

// Since returns what has happened in the room of a form after a number; a negative number asks for the form. An empty room means any.
func (s *Rooms) Since(ctx context.Context, form, room string, after int) (part Part, err error) {
	c := s.of(form)
	defer func() { part.Work = s.done(form, c) }()
	if err := s.load(ctx, c, form, room); err != nil {
		return Part{}, err
	}
	return c.since(after), nil
}

// Unsaved returns the names of the people who have edited a form since it was saved last, each once, in the order of their last edit. Names of
// long ago may be missing.
func (s *Rooms) Unsaved(ctx context.Context, form string) ([]string, error) {
	c := s.of(form)
	defer s.done(form, c)
	if err := s.load(ctx, c, form, ""); err != nil {
		return nil, err
	}
	return c.unsaved(), nil
}

func (c *shared) unsaved() (names []string) {
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
func (s *Rooms) Open(ctx context.Context, form, instead string, saved *schema.Object, etag string) (part Part, err error) {
	if err := live.CheckForm(saved); err != nil {
		return Part{}, err
	}
	body := schema.Encode(saved)
	if len(body) > MaxForm {
		return Part{}, ErrLarge
	}
	c := s.of(form)
	defer func() { part.Work = s.done(form, c) }()
	err = s.Stored.Open(ctx, store.Room{Form: form, ID: rand.Text(), Body: body, ETag: etag, Used: s.Now()}, instead)
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

// Append offers an entry of a page that has the shared form of the number before; owner is the session of the page, as a hash. If the room has
// gone on meanwhile, the entry is not accepted. The answer has what the page misses. The error is ErrTaken if entries of the room that are kept
// have the name of the page and another owner.
func (s *Rooms) Append(ctx context.Context, form, room, owner string, offered live.Entry) (part Part, err error) {
	c := s.of(form)
	defer func() { part.Work = s.done(form, c) }()
	after := offered.Number - 1
	if err := s.load(ctx, c, form, room); err != nil {
		return Part{}, err
	}
	if slices.ContainsFunc(c.entries, func(e entry) bool { return e.Page == offered.Page && e.owner != owner && e.owner != "" }) {
		return Part{}, ErrTaken
	}
	if c.number != after {
		return c.since(after), nil
	}
	next, e, body, err := c.after(offered, owner)
	if err != nil {
		return Part{}, err
	}
	err = s.Stored.Append(ctx, room, store.RoomEntry{Number: e.Number, Body: body}, s.Now())
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
	c.shared = next
	c.trim()
	s.Told(form, room, e.Entry)
	if c.full() {
		s.compact(ctx, c)
	}
	return Part{Room: c.room, Number: c.number, ETag: c.etag, Entries: []live.Entry{e.Entry}, Accepted: true}, nil
}

// after returns the shared form after an entry, with the entry and its body as they are stored. The entry has the digest of the form if it tells
// a version, or if the form is about to be stored whole: it takes as long as to write the form.
func (c *cached) after(offered live.Entry, owner string) (next shared, e entry, body []byte, err error) {
	offered.Digest = ""
	e = entry{Entry: offered, owner: owner}
	body = encodeEntry(e)
	e.bytes = len(body) + editBytes*len(e.Edits)
	next = c.shared
	if err = next.apply(e); err != nil {
		c.work = next.work
		return next, e, nil, err
	}
	if next.full() || e.ETag != "" && e.ETag != c.etag {
		e.Digest = live.Digest(next.tree)
		next.entries[len(next.entries)-1] = e
		next.work += next.size
		body = encodeEntry(e)
	}
	return next, e, body, nil
}

// compact stores the form whole, and forgets the stored entries that are not kept. It is tried again after as many entries.
func (s *Rooms) compact(ctx context.Context, c *cached) {
	c.grown, c.grownBytes = 0, 0
	body := schema.Encode(c.tree)
	c.size = len(body)
	c.work += c.size
	_ = s.Stored.Compact(ctx, store.Room{ID: c.room, Number: c.number, Body: body, ETag: c.etag}, c.number-len(c.entries))
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
	return s.CloseRoom(ctx, room)
}

// CloseRoom closes a room by its ID, if it is there.
func (s *Rooms) CloseRoom(ctx context.Context, room string) error { return s.Stored.Close(ctx, room) }

// Sweep deletes unused rooms.
func (s *Rooms) Sweep(ctx context.Context) error {
	_, err := s.Stored.Sweep(ctx, s.Now().Add(-RoomLife))
	return err
}

// errDamaged is about a stored room that no process with these limits has made.
var errDamaged = errors.New("a stored room is damaged")

func decodeForm(body []byte) (*schema.Object, error) {
	tree, problems := schema.DecodeGrown(body)
	o, ok := tree.(*schema.Object)
	if !ok || len(problems) > 0 || len(body) > MaxForm || live.CheckForm(o) != nil {
		return nil, errDamaged
	}
	return o, nil
}

// ownerKey is the member of a stored entry that nobody is told.
const ownerKey = "owner"

func encodeEntry(e entry) []byte { return schema.Encode(e.Tree().With(ownerKey, e.owner)) }

func decodeEntry(body []byte) (entry, error) {
	tree, problems := schema.DecodeGrown(body)
	o, _ := tree.(*schema.Object)
	if len(problems) > 0 {
		return entry{}, errDamaged
	}
	e, err := live.ReadEntry(o)
	return entry{Entry: e, owner: o.Text(ownerKey), bytes: len(body) + editBytes*len(e.Edits)}, err
}
