package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/server/store"
)

func comments(t *testing.T, open func(t *testing.T) store.Comments) {
	t.Helper()
	t.Run("comments", func(t *testing.T) { commentRows(t, open(t)) })
	t.Run("threads", func(t *testing.T) { threads(t, open(t)) })
	t.Run("changed comments", func(t *testing.T) { changedComments(t, open(t)) })
	t.Run("removed comments", func(t *testing.T) { removedComments(t, open(t)) })
	t.Run("removed threads", func(t *testing.T) { removedThreads(t, open(t)) })
	t.Run("renamed places", func(t *testing.T) { renamedPlaces(t, open(t)) })
	t.Run("mentions", func(t *testing.T) { mentions(t, open(t)) })
	t.Run("room for comments", func(t *testing.T) { commentRoom(t, open(t)) })
	t.Run("those who write at once share the room", func(t *testing.T) { commentRoomRace(t, open(t)) })
	t.Run("no reply loses its thread", func(t *testing.T) { commentsRace(t, open(t)) })
}

// ours is the form of most rows.
func ours() string { return "f" }

func manyComments() store.CommentRoom { return roomFor(1000, 1000) }

// roomFor is room for a number of comments by all people and by one person, without a limit for their text.
func roomFor(all, author int) store.CommentRoom {
	return store.CommentRoom{All: store.CommentAmount{Comments: all, Bytes: 1 << 30}, Author: store.CommentAmount{Comments: author, Bytes: 1 << 30}}
}

// comment returns the comment with an ID by Ann, which replies to a thread unless that is "".
func comment(id, thread string) store.Comment {
	c := store.Comment{ID: id, Thread: thread, Text: "text of " + id, Author: store.Person{ID: "ann", Name: "Ann"}, Created: noon()}
	if thread == "" {
		c.Thread, c.Node = id, "step"
	}
	return c
}

// commentsOf returns the IDs of the comments on a form, those without a text in brackets.
func commentsOf(t *testing.T, s store.Comments, form string) string {
	t.Helper()
	list, err := s.List(t.Context(), form)
	must(t, err)
	var words []string
	for _, c := range list {
		if c.Text == "" {
			c.ID = "[" + c.ID + "]"
		}
		words = append(words, c.ID)
	}
	return strings.Join(words, " ")
}

func commentRows(t *testing.T, s store.Comments) {
	t.Helper()
	ctx := t.Context()
	want := []store.Comment{{
		ID: "b", Thread: "b", Node: "n\u2028", Component: "c", Text: "Ä\n\U0001F600 '\"", Author: store.Person{ID: "auth0|1", Name: "Ana"}, Created: noon(),
		Edited: later(1), Resolver: store.Person{ID: "2", Name: "Bo"}, Resolved: later(2),
		Mentions: []store.Mention{{Person: store.Person{ID: "1", Name: "A"}, Seen: true}, {Person: store.Person{ID: "2"}}},
	}, comment("c", ""), comment("a", "")}
	want[2].Created = later(1)
	for _, i := range []int{2, 0, 1} {
		must(t, s.Add(ctx, ours(), want[i], manyComments()))
	}
	got, err := s.List(ctx, ours())
	must(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("List = %+v\nwant %+v", got, want)
	}
	mustBe(t, "Add of a taken ID", s.Add(ctx, ours(), comment("a", ""), manyComments()), store.ErrConflict)
	mustBe(t, "Add of one too many", s.Add(ctx, ours(), comment("d", ""), roomFor(3, 1000)), store.ErrTooMany)
	mustBe(t, "Add of one too many of a person", s.Add(ctx, ours(), comment("d", ""), roomFor(1000, 2)), store.ErrTooManyOwn)
	bo := comment("d", "")
	bo.Author.ID = "bo"
	must(t, s.Add(ctx, ours(), bo, roomFor(1000, 1)))
	must(t, s.Remove(ctx, ours(), "d", func(store.Comment) (bool, error) { return false, nil }))
	if got := commentsOf(t, s, ours()); got != "b c a" {
		t.Errorf("comments %s after refusals", got)
	}
}

func threads(t *testing.T, s store.Comments) {
	t.Helper()
	ctx := t.Context()
	must(t, s.Add(ctx, ours(), comment("a", ""), manyComments()))
	must(t, s.Add(ctx, ours(), comment("b", "a"), manyComments()))
	mustBe(t, "reply to nothing", s.Add(ctx, ours(), comment("c", "x"), manyComments()), store.ErrNotFound)
	mustBe(t, "reply to a reply", s.Add(ctx, ours(), comment("c", "b"), manyComments()), store.ErrNotFound)
	mustBe(t, "reply to a thread of another form", s.Add(ctx, "g", comment("c", "a"), manyComments()), store.ErrNotFound)
	if got := commentsOf(t, s, ours()); got != "a b" {
		t.Errorf("comments %s", got)
	}
}

func changedComments(t *testing.T, s store.Comments) {
	t.Helper()
	ctx := t.Context()
	c := comment("a", "")
	c.Mentions = []store.Mention{{Person: store.Person{ID: "bo", Name: "Bo"}, Seen: true}}
	must(t, s.Add(ctx, ours(), c, manyComments()))
	_, err := s.Change(ctx, ours(), "x", manyComments(), func(*store.Comment) error { t.Error("called for no comment"); return nil })
	mustBe(t, "Change of nothing", err, store.ErrNotFound)
	refused := errors.New("refused")
	_, err = s.Change(ctx, ours(), "a", manyComments(), func(c *store.Comment) error { c.Text, c.Mentions[0].Name = "lost", "lost"; return refused })
	mustBe(t, "Change", err, refused)
	got, err := s.Change(ctx, ours(), "a", manyComments(), func(c *store.Comment) error {
		*c = store.Comment{
			ID: "z", Thread: "z", Text: "new " + c.Text, Edited: later(1), Resolver: store.Person{ID: "cy", Name: "Cy"}, Resolved: later(2),
			Mentions: append(c.Mentions, store.Mention{Person: store.Person{ID: "cy", Name: "Cy"}}),
		}
		return nil
	})
	must(t, err)
	want := c
	want.Text, want.Edited, want.Resolver, want.Resolved = "new text of a", later(1), store.Person{ID: "cy", Name: "Cy"}, later(2)
	want.Mentions = append(want.Mentions, store.Mention{Person: store.Person{ID: "cy", Name: "Cy"}})
	list, err := s.List(ctx, ours())
	must(t, err)
	if !reflect.DeepEqual(list, []store.Comment{want}) || !reflect.DeepEqual(got, want) {
		t.Errorf("comments are %+v, Change = %+v, want %+v", list, got, want)
	}
	const writers = 20
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			if _, err := s.Change(ctx, ours(), "a", manyComments(), func(c *store.Comment) error { c.Text += "x"; return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if list, _ := s.List(ctx, ours()); len(list) != 1 || len(list[0].Text) != len(want.Text)+writers {
		t.Errorf("%+v, want %d more characters", list, writers)
	}
}

func removedComments(t *testing.T, s store.Comments) {
	t.Helper()
	ctx := t.Context()
	anybody := func(store.Comment) (bool, error) { return false, nil }
	mustBe(t, "Remove of nothing", s.Remove(ctx, ours(), "a", anybody), store.ErrNotFound)
	for _, c := range []store.Comment{comment("a", ""), comment("b", "a"), comment("c", "a"), comment("d", "")} {
		c.Mentions = []store.Mention{{Person: store.Person{ID: "bo"}}}
		must(t, s.Add(ctx, ours(), c, manyComments()))
	}
	refused := errors.New("refused")
	mustBe(t, "Remove", s.Remove(ctx, ours(), "b", func(c store.Comment) (bool, error) {
		if c.Author.ID != "ann" {
			t.Errorf("asked about %+v", c)
		}
		return true, refused
	}), refused)
	for _, tt := range []struct {
		id, want string
		unseen   int
	}{{"a", "[a] b c d", 3}, {"c", "[a] b d", 2}, {"b", "d", 1}, {"d", "", 0}} {
		must(t, s.Remove(ctx, ours(), tt.id, anybody))
		if got := commentsOf(t, s, ours()); got != tt.want {
			t.Errorf("after %s: %q, want %q", tt.id, got, tt.want)
		}
		if n, err := s.Unseen(ctx, ours(), "bo"); n != tt.unseen || err != nil {
			t.Errorf("after %s: %d mentions, %v, want %d", tt.id, n, err, tt.unseen)
		}
	}
	// Without replies, the comment that begins a thread goes at once; the last reply to one that has a text goes alone.
	must(t, s.Add(ctx, ours(), comment("a", ""), manyComments()))
	must(t, s.Add(ctx, ours(), comment("b", "a"), manyComments()))
	must(t, s.Remove(ctx, ours(), "b", anybody))
	if got := commentsOf(t, s, ours()); got != "a" {
		t.Errorf("after the only reply: %q", got)
	}
}

// A whole thread goes at once, also one whose first comment is deleted already; of a reply, there is no thread to go.
func removedThreads(t *testing.T, s store.Comments) {
	t.Helper()
	ctx := t.Context()
	alone := func(store.Comment) (bool, error) { return false, nil }
	whole := func(store.Comment) (bool, error) { return true, nil }
	for _, c := range []store.Comment{comment("a", ""), comment("b", "a"), comment("c", "a"), comment("d", ""), comment("e", "d"), comment("f", "d")} {
		must(t, s.Add(ctx, ours(), c, manyComments()))
	}
	must(t, s.Add(ctx, "g", comment("a", ""), manyComments()))
	must(t, s.Remove(ctx, ours(), "d", alone))
	for _, x := range [][2]string{{"b", "a c [d] e f"}, {"a", "[d] e f"}, {"d", ""}} {
		must(t, s.Remove(ctx, ours(), x[0], whole))
		if got := commentsOf(t, s, ours()); got != x[1] {
			t.Errorf("after %s: %q, want %q", x[0], got, x[1])
		}
	}
	if got := commentsOf(t, s, "g"); got != "a" {
		t.Errorf("another form: %q", got)
	}
}

func renamedPlaces(t *testing.T, s store.Comments) {
	t.Helper()
	ctx := t.Context()
	for id, at := range map[string][2]string{"1": {"a", ""}, "2": {"b", ""}, "3": {"a", "x"}, "4": {"", ""}, "5": {"c", "x"}} {
		c := comment(id, "")
		c.Node, c.Component = at[0], at[1]
		must(t, s.Add(ctx, ours(), c, manyComments()))
	}
	must(t, s.Add(ctx, ours(), comment("6", "1"), manyComments()))
	other := "g"
	must(t, s.Add(ctx, other, comment("1", ""), manyComments()))
	to := store.Places{Nodes: map[string]string{"a": "b", "b": "a", "": "z", "step": "z"}, Components: map[string]string{"x": "y", "": "z"}}
	moved, err := s.Rename(ctx, ours(), to)
	must(t, err)
	list, err := s.List(ctx, ours())
	must(t, err)
	var got []string
	for _, c := range list {
		got = append(got, c.ID+"="+c.Node+"/"+c.Component)
	}
	if want := "1=b/ 2=a/ 3=b/y 4=/ 5=c/y 6=/"; strings.Join(got, " ") != want || moved != 4 {
		t.Errorf("moved %d: %v, want 4: %s", moved, got, want)
	}
	if list, _ := s.List(ctx, other); len(list) != 1 || list[0].Node != "step" {
		t.Errorf("another form has %+v", list)
	}
}

func mentions(t *testing.T, s store.Comments) {
	t.Helper()
	ctx := t.Context()
	mention := func(id, thread string, who ...string) {
		c := comment(id, thread)
		for _, p := range who {
			c.Mentions = append(c.Mentions, store.Mention{Person: store.Person{ID: p, Name: p}})
		}
		must(t, s.Add(ctx, ours(), c, manyComments()))
	}
	mention("a", "", "bo", "cy")
	mention("b", "a", "bo")
	mention("c", "", "bo")
	unseen := func(want map[string]int) {
		t.Helper()
		for person, want := range want {
			if n, err := s.Unseen(ctx, ours(), person); n != want || err != nil {
				t.Errorf("%s has %d, %v, want %d", person, n, err, want)
			}
		}
	}
	unseen(map[string]int{"bo": 3, "cy": 1, "ann": 0, "Bo": 0})
	for _, tt := range []struct {
		thread, person string
		want           int
	}{{"a", "bo", 2}, {"a", "bo", 0}, {"b", "bo", 0}, {"x", "cy", 0}, {"c", "ann", 0}} {
		if n, err := s.Read(ctx, ours(), tt.thread, tt.person); n != tt.want || err != nil {
			t.Errorf("Read(%s, %s) = %d, %v, want %d", tt.thread, tt.person, n, err, tt.want)
		}
	}
	unseen(map[string]int{"bo": 1, "cy": 1})
	_, err := s.Change(ctx, ours(), "c", manyComments(), func(c *store.Comment) error { c.Mentions = nil; return nil })
	must(t, err)
	unseen(map[string]int{"bo": 0})
}

// While some reply to a thread, others delete it. No reply remains without the comment that begins its thread, and there are never too many.
func commentsRace(t *testing.T, s store.Comments) {
	t.Helper()
	ctx := t.Context()
	const rounds, most = 100, 5
	room := roomFor(most, most)
	expected := func(err error) {
		if err != nil && !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrTooMany) {
			t.Error(err)
		}
	}
	var wg sync.WaitGroup
	for w := range 6 {
		wg.Go(func() {
			for i := range rounds {
				switch w {
				case 0:
					expected(s.Add(ctx, ours(), comment("a", ""), room))
				case 1:
					expected(s.Remove(ctx, ours(), "a", func(store.Comment) (bool, error) { return false, nil }))
				case 2:
					expected(s.Remove(ctx, ours(), fmt.Sprint("r3-", i-1), func(store.Comment) (bool, error) { return false, nil }))
				default:
					expected(s.Add(ctx, ours(), comment(fmt.Sprint("r", w, "-", i), "a"), room))
				}
				list, err := s.List(ctx, ours())
				expected(err)
				begun := len(list) == 0
				for _, c := range list {
					begun = begun || c.ID == "a"
				}
				if !begun || len(list) > most {
					t.Errorf("comments are %+v", list)
				}
			}
		})
	}
	wg.Wait()
}
