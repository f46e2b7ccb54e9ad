package bff

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/store"
)

// A reader gets all comments on a form at once, so these limits are for all of them together.
const (
	maxComments     = 1000
	maxCommentBytes = 1 << 20 // of their texts together
	// These divide the room: people who may not change the form can fill half of it together, so that there is always room for those who may, and
	// one person can fill a tenth.
	readersShare, ownShare = 2, 10
)

// commentShare returns a share of the room for comments on a form.
func commentShare(divisor int) store.CommentAmount {
	return store.CommentAmount{Comments: maxComments / divisor, Bytes: maxCommentBytes / divisor}
}

// errReadersRoom means that the person may not change the form, and that such people have used up their share.
var errReadersRoom = errors.New("of people who may not change the form")

// within calls write with the room that a person has for comments on a form. It asks the tenant whether the person may change the form only if the
// readers' share is used up.
func (s *formComments) within(r *http.Request, ss *sessions.Session, write func(store.CommentRoom) error) error {
	err := write(store.CommentRoom{All: commentShare(readersShare), Author: commentShare(ownShare)})
	switch {
	case !errors.Is(err, store.ErrTooMany):
		return err
	case !s.moderates(r, ss):
		return fmt.Errorf("%w: %w", err, errReadersRoom)
	}
	return write(store.CommentRoom{All: commentShare(1), Author: commentShare(ownShare)})
}

// noRoom says which limit an error of within is about, and what helps.
func noRoom(err error) string {
	number := func(divisor int) string { return strconv.Itoa(commentShare(divisor).Comments) + " comments" }
	text := func(divisor int) string { return strconv.Itoa(commentShare(divisor).Bytes>>10) + " KiB of text" }
	long, all, readers := errors.Is(err, store.ErrTooMuchText), errors.Is(err, store.ErrTooMany), errors.Is(err, errReadersRoom)
	switch {
	case long && readers:
		return "With this, the comments on this form would have more than " + text(readersShare) +
			". Only people who may change it can add more. Write less, or ask one of them to delete some comments."
	case long && all:
		return "With this, the comments on this form would have more than " + text(1) +
			", which is the maximum. Write less, or delete some comments first."
	case long:
		return "With this, your comments on this form would have more than " + text(ownShare) +
			", which is the maximum for one person. Write less, or delete some of yours first."
	case readers:
		return "This form has " + number(readersShare) + " or more. Only people who may change it can add others. Ask one of them to delete some."
	case all:
		return "This form has " + number(1) + ", which is the maximum. Delete some first."
	}
	return "You have " + number(ownShare) + " on this form, which is the maximum for one person. Delete some of yours first."
}
