package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

// There is room up to the bounds of all people and of the author, in comments and in bytes. What is refused changes nothing.
func commentRoom(t *testing.T, s store.Comments) {
	t.Helper()
	ctx := t.Context()
	room := func(all, allBytes, own, ownBytes int) store.CommentRoom {
		return store.CommentRoom{All: store.CommentAmount{Comments: all, Bytes: allBytes}, Author: store.CommentAmount{Comments: own, Bytes: ownBytes}}
	}
	const before = "äb c \U0001F600" // 3 bytes and 1 of Ann, and 4 of Bo
	both := func(err error) error { return errors.Join(err, store.ErrTooMuchText) }
	for i, tt := range []struct {
		id, text string // "a" and "c" are by Ann and "b" is by Bo; a new comment is by Ann
		room     store.CommentRoom
		want     error // with all the errors that it joins
	}{
		{"new", "é", room(4, 10, 3, 6), nil},
		{"new", "é", room(3, 10, 3, 6), store.ErrTooMany},
		{"new", "é", room(4, 9, 3, 6), both(store.ErrTooMany)},
		{"new", "é", room(4, 10, 2, 6), store.ErrTooManyOwn},
		{"new", "é", room(4, 10, 3, 5), both(store.ErrTooManyOwn)},
		{"new", "é", room(3, 0, 0, 0), store.ErrTooMany},
		{"new", "é", room(4, 9, 0, 0), both(store.ErrTooMany)},
		{"a", "äbcd", room(0, 10, 0, 6), nil}, // there is not one more
		{"a", "äbcd", room(9, 9, 9, 6), both(store.ErrTooMany)},
		{"a", "äbcd", room(9, 10, 9, 5), both(store.ErrTooManyOwn)},
		{"a", "ää", room(9, 8, 9, 9), both(store.ErrTooMany)}, // as many characters, and more bytes
		{"a", "xyz", room(0, 0, 0, 0), nil},                   // more characters, and as many bytes
		{"a", "x", room(0, 0, 0, 0), nil},
		{"b", "\U0001F600!", room(0, 9, 0, 5), nil},
		{"b", "\U0001F600!", room(9, 9, 9, 4), both(store.ErrTooManyOwn)},
		{"c", "cc", room(0, 9, 0, 5), nil}, // a reply
		{"c", "cc", room(9, 8, 9, 5), both(store.ErrTooMany)},
	} {
		form := fmt.Sprint("f", i)
		texts := strings.Fields(before)
		for i, c := range []store.Comment{comment("a", ""), comment("c", "a"), comment("b", "")} {
			if c.Text = texts[i]; c.ID == "b" {
				c.Author.ID = "bo"
			}
			must(t, s.Add(ctx, form, c, manyComments()))
		}
		var err error
		if c := comment(tt.id, ""); tt.id == "new" {
			c.Text = tt.text
			err = s.Add(ctx, form, c, tt.room)
			texts = append(texts, tt.text)
		} else {
			_, err = s.Change(ctx, form, tt.id, tt.room, func(c *store.Comment) error { c.Text = tt.text; return nil })
			texts[map[string]int{"a": 0, "c": 1, "b": 2}[tt.id]] = tt.text
		}
		for _, is := range []error{store.ErrTooMany, store.ErrTooManyOwn, store.ErrTooMuchText} {
			if errors.Is(err, is) != errors.Is(tt.want, is) || (err == nil) != (tt.want == nil) {
				t.Errorf("%s with the text %q and room for %v: %v, want %v", tt.id, tt.text, tt.room, err, tt.want)
				break
			}
		}
		if tt.want != nil {
			texts = strings.Fields(before)
		}
		list, err := s.List(ctx, form)
		must(t, err)
		has := map[string]string{}
		for _, c := range list {
			has[c.ID] = c.Text
		}
		for i, id := range []string{"a", "c", "b", "new"}[:len(texts)] {
			if has[id] != texts[i] || len(list) != len(texts) {
				t.Errorf("after %s with the text %q and room for %v: %q, want %q", tt.id, tt.text, tt.room, has, texts)
				break
			}
		}
	}
}

// Several people add a comment each and make it longer, until there is no room. Together they have all of it then, and no more.
func commentRoomRace(t *testing.T, s store.Comments) {
	t.Helper()
	ctx := t.Context()
	const writers, most = 6, 60
	limit := store.CommentAmount{Comments: writers, Bytes: most}
	room := store.CommentRoom{All: limit, Author: limit}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			c := comment(fmt.Sprint(w), "")
			c.Text, c.Author.ID = "ä", c.ID
			err := s.Add(ctx, ours(), c, room)
			for n := 0; err == nil && n < most; n++ {
				_, err = s.Change(ctx, ours(), c.ID, room, func(c *store.Comment) error { c.Text += "x"; return nil })
			}
			mustBe(t, "the last change", err, store.ErrTooMany)
		})
	}
	wg.Wait()
	list, err := s.List(ctx, ours())
	must(t, err)
	total := 0
	for _, c := range list {
		total += len(c.Text)
	}
	if total != most {
		t.Errorf("%d bytes of text, want %d", total, most)
	}
}
