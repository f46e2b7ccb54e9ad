package store

import (
	"context"
	"time"
)

// Room is the shared form of people who edit a form together before anybody saves it. Rooms are transient, as messages are: everybody's work is
// in their browser, too.
type Room struct {
	Form string
	// ID names the room; no two rooms have the same.
	ID string
	// Number is the number of the form in Body. The entries that follow it lead to the present form.
	Number int
	Body   []byte
	ETag   string    // of the saved form that Body contains, "" if it is not known
	Used   time.Time // when an entry was last added
}

// RoomEntry is one change of a shared form, which turns the form of the number before into the one of its number.
type RoomEntry struct {
	Number int
	Body   []byte
}

// Rooms stores shared forms. All methods are safe for concurrent use, including by several processes.
type Rooms interface {
	// Room returns the room of a form, or ErrNotFound. The caller owns the Body.
	Room(ctx context.Context, form string) (Room, error)
	// Head returns the ID of the room of a form and the number of its present form, or ErrNotFound.
	Head(ctx context.Context, form string) (id string, number int, err error)
	// Open stores a room in place of the one with the ID instead, "" for none. If another one is there, or none, it returns ErrConflict.
	Open(ctx context.Context, r Room, instead string) error
	// Append adds an entry. It returns ErrConflict if the number does not follow the last one, and ErrNotFound if there is no such room.
	Append(ctx context.Context, room string, e RoomEntry, now time.Time) error
	// Entries returns up to limit entries of a room after a number, in order. There are none if the room has been closed.
	Entries(ctx context.Context, room string, after, limit int) ([]RoomEntry, error)
	// Compact replaces the Body of a room by that of a later number, and deletes the entries up to the number forget. It does nothing if the
	// room has a later one already.
	Compact(ctx context.Context, r Room, forget int) error
	// Close deletes the room with an ID, and its entries. It is not an error if there is none.
	Close(ctx context.Context, room string) error
	// Sweep deletes the rooms last used before a time, and returns their number. It deletes those of all tenants, also of one that nobody serves any
	// longer.
	Sweep(ctx context.Context, before time.Time) (int64, error)
}

// Presence is a page that has a form open. Presences are transient, as rooms are.
type Presence struct {
	Form, Page string // a page is known by both
	Owner      string // the session to which the page belongs, as a hash; nobody else is told of it
	Process    string // the process that serves its stream
	Sub, Name  string // of the person
	State      []byte // JSON: what the page shows to others, see the editor's backend
	Since      time.Time
	Seen       time.Time // when the process last said that it is there
}

// Presences stores who has which form open. All methods are safe for concurrent use, including by several processes.
type Presences interface {
	// Enter stores a page, in place of the one with the same Form and Page, whose Since stays if it has the same Owner. If that one has another
	// Owner and was seen at the time present or later, Enter changes nothing and returns ErrConflict.
	Enter(ctx context.Context, p Presence, present time.Time) error
	// Tell stores the State of a page of an owner, and reports whether the page is there.
	Tell(ctx context.Context, form, page, owner string, state []byte) (bool, error)
	// Leave deletes a page of an owner if it belongs to the process, and reports whether it did.
	Leave(ctx context.Context, form, page, owner, process string) (bool, error)
	// Owner returns the owner of a page that was seen at a time or later, or ErrNotFound.
	Owner(ctx context.Context, form, page string, since time.Time) (string, error)
	// List returns the pages of a form that were seen at a time or later, those that came first first.
	List(ctx context.Context, form string, since time.Time) ([]Presence, error)
	// Beat sets the time at which all pages of a process were seen.
	Beat(ctx context.Context, process string, now time.Time) error
	// Sweep deletes the pages last seen before a time, and returns them. Of several callers, one gets each page. It also deletes those of other
	// tenants, which nobody may serve any longer, but does not return them.
	Sweep(ctx context.Context, before time.Time) ([]Presence, error)
}
