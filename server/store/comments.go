package store

import (
	"context"
	"time"
)

// Person is somebody as they were known when a row was made. The zero value is nobody.
type Person struct{ ID, Name string }

// Comment is what a person says about a form.
type Comment struct {
	ID     string // unique for the form
	Thread string // the ID of the comment that begins the thread, its own ID if it does
	// Node and Component are the place that a thread is about. A thread about the whole form has neither, and replies have none.
	Node, Component string
	Text            string // "" if the author deleted a comment that others replied to
	Author          Person
	Created         time.Time
	Edited          time.Time // zero if never
	// Resolver and Resolved say who resolved a thread and when; Resolved is zero if it is open.
	Resolver Person
	Resolved time.Time
	Mentions []Mention
}

// Begins reports whether the comment begins a thread.
func (c Comment) Begins() bool { return c.Thread == c.ID }

// Mention is a person whom a comment mentions.
type Mention struct {
	Person

	Seen bool // the person has read the comment
}

// Places says how the elements of a form were renamed: the new IDs of nodes and components by the old ones.
type Places struct{ Nodes, Components map[string]string }

// CommentAmount is a number of comments, and how many bytes of text they have together.
type CommentAmount struct{ Comments, Bytes int }

// CommentRoom is the most that a form may have once a comment is added or gets a longer text: by all people, and by the author of the comment.
type CommentRoom struct{ All, Author CommentAmount }

// Comments stores the comments on forms. All methods are safe for concurrent use, including by several processes.
type Comments interface {
	// List returns the comments of a form by Created and then by ID.
	List(ctx context.Context, form string) ([]Comment, error)
	// Add stores a comment. It returns ErrNotFound if it is a reply to a thread that does not exist, ErrConflict if the ID is taken, and
	// ErrTooMany or ErrTooManyOwn if there is no room, with ErrTooMuchText if that is because of its text.
	Add(ctx context.Context, form string, c Comment, room CommentRoom) error
	// Change calls change with a comment while no other writer can intervene, and stores the Text, Edited, Resolver, Resolved and Mentions that it
	// returns. If change fails, its error is returned unchanged and nothing is written. It returns ErrNotFound if there is no such comment, and the
	// errors of Add if there is no room for a text with more bytes; one with as many or fewer always has room.
	Change(ctx context.Context, form, id string, room CommentRoom, change func(*Comment) error) (Comment, error)
	// Remove calls may with a comment, and deletes the comment unless may fails, whose error it returns unchanged. A comment that begins a thread
	// with replies stays without its Text, Author and Mentions; it goes with the last reply, or with all of them if may returns true. Remove returns
	// ErrNotFound if there is no such comment.
	Remove(ctx context.Context, form string, id string, may func(Comment) (thread bool, err error)) error
	// Rename moves the threads about the elements of a form that were renamed. It returns how many threads it moved.
	Rename(ctx context.Context, form string, to Places) (moved int, err error)
	// Read marks the mentions of a person in a thread as seen, and returns how many it marked.
	Read(ctx context.Context, form string, thread, person string) (marked int, err error)
	// Unseen returns how many comments of a form mention a person who has not read them.
	Unseen(ctx context.Context, form string, person string) (int, error)
}
