package notes

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/note"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// server keeps notes as the real one does.
type server struct {
	notes  note.List
	tag    string
	status []int  // of the next answers, 0 for what the real one answers
	before func() // called once before a file is replaced
}

func (s *server) serve(r client.Request) (client.Response, error) {
	if len(s.status) > 0 {
		status := s.status[0]
		if s.status = s.status[1:]; status != 0 {
			return uitest.Answer(status, `{"code":"internal","detail":"it broke"}`), nil
		}
	}
	if r.Method == "PUT" {
		if f := s.before; f != nil {
			s.before = nil
			f()
		}
		if r.Header["If-Match"] != s.tag {
			return uitest.Answer(412, `{"code":"conflict","detail":"somebody was faster"}`), nil
		}
		list, problems := note.Read(r.Body)
		if len(problems) > 0 {
			return uitest.Answer(400, `{"code":"invalid_body"}`), nil
		}
		s.put(list)
	}
	return uitest.Answer(200, string(schema.Encode(s.notes.File())), "ETag", s.tag), nil
}

func (s *server) put(list note.List) { s.notes, s.tag = list, s.tag+"+" }

// texts returns the texts of notes.
func texts(l note.List) (out []string) {
	for _, n := range l {
		out = append(out, n.Text)
	}
	return out
}

// onBoard calls steps one after the other on the notes of a person who may edit.
func onBoard(t *testing.T, s *server, steps ...func(ctx app.Context, b *Board, c *uitest.Canvas)) {
	t.Helper()
	w, c := uitest.Workspace(t, `{"id":"ap_test","name":"Contact","nodes":[]}`)
	w.Client = client.New(uitest.Server(s.serve))
	b := &Board{Workspace: w}
	all := []func(app.Context){b.Read}
	for _, step := range steps {
		all = append(all, func(ctx app.Context) { step(ctx, b, c) })
	}
	uitest.Play(t, all...)
}

func written(id, text string) note.Change { return note.Change{Note: note.Note{ID: id, Text: text}} }

func TestNotesAreReadAndSaved(t *testing.T) {
	s := &server{notes: note.List{{ID: "a", Text: "Ask legal", At: model.Point{X: 20}}}, tag: "t"}
	onBoard(t, s,
		func(ctx app.Context, b *Board, c *uitest.Canvas) {
			if want := []string{"ShowNotes Ask legal at {20 0} true"}; !slices.Equal(c.Calls, want) {
				t.Errorf("the canvas was called %q", c.Calls)
			}
			b.Change(ctx, written("b", "Later"))
			if !slices.Equal(texts(b.notes()), []string{"Ask legal", "Later"}) {
				t.Errorf("at once there are %v", b.notes())
			}
		},
		func(ctx app.Context, b *Board, _ *uitest.Canvas) {
			if !slices.Equal(texts(s.notes), []string{"Ask legal", "Later"}) || len(b.unsaved) > 0 {
				t.Errorf("saved: %v, unsaved %v", s.notes, b.unsaved)
			}
			b.Change(ctx, written("b", "Now"))
			b.Change(ctx, note.Change{Note: s.notes[0], Gone: true})
			if text := b.Toast.Text(); text != "Deleted the note." {
				t.Errorf("says %q", text)
			}
		},
		func(ctx app.Context, b *Board, _ *uitest.Canvas) {
			if !slices.Equal(texts(s.notes), []string{"Now"}) {
				t.Errorf("saved: %v", s.notes)
			}
			b.Undo(ctx)
		},
		func(_ app.Context, b *Board, _ *uitest.Canvas) {
			if !slices.Equal(texts(s.notes), []string{"Now", "Ask legal"}) || s.notes[1].At.X != 20 {
				t.Errorf("after undo: %v", s.notes)
			}
		},
	)
}

// A note that was deleted before it could be saved comes back, too.
func TestUndoOfAnUnsavedNote(t *testing.T) {
	s := &server{tag: "t"}
	onBoard(t, s,
		func(ctx app.Context, b *Board, _ *uitest.Canvas) {
			b.Change(ctx, written("a", "One"))
			b.Change(ctx, note.Change{Note: note.Note{ID: "a"}, Gone: true})
			b.Undo(ctx)
		},
		func(_ app.Context, b *Board, _ *uitest.Canvas) {
			if !slices.Equal(texts(s.notes), []string{"One"}) || len(b.unsaved) > 0 {
				t.Errorf("saved: %v, unsaved %v", s.notes, b.unsaved)
			}
		},
	)
}

// What others save at the same time stays.
func TestNotesOfOthersStay(t *testing.T) {
	s := &server{tag: "t"}
	onBoard(t, s,
		func(ctx app.Context, b *Board, _ *uitest.Canvas) {
			s.before = func() { s.put(note.List{{ID: "x", Text: "Theirs"}}) }
			b.Change(ctx, written("b", "Mine"))
		},
		func(ctx app.Context, b *Board, _ *uitest.Canvas) {
			if !slices.Equal(texts(s.notes), []string{"Theirs", "Mine"}) || !slices.Equal(texts(b.notes()), texts(s.notes)) {
				t.Errorf("saved: %v, here %v", s.notes, b.notes())
			}
			s.put(note.List{{ID: "y", Text: "Anew"}})
			b.Heard(ctx, client.FormEvent{Kind: client.Notes, Tab: b.Client.Tab})
			b.Heard(ctx, client.FormEvent{Kind: client.Saved, Tab: "other"})
		},
		func(ctx app.Context, b *Board, _ *uitest.Canvas) {
			if slices.Contains(texts(b.notes()), "Anew") {
				t.Error("the notes are read for an event of this page, or of another kind")
			}
			b.Heard(ctx, client.FormEvent{Kind: client.Notes, Tab: "other"})
		},
		func(_ app.Context, b *Board, _ *uitest.Canvas) {
			if !slices.Equal(texts(b.notes()), []string{"Anew"}) {
				t.Errorf("after an event there are %v", b.notes())
			}
		},
	)
}

// What cannot be saved stays on the canvas, and is saved with the next change.
func TestNotesThatCannotBeSaved(t *testing.T) {
	s := &server{tag: "t", status: []int{0, 500}}
	onBoard(t, s,
		func(ctx app.Context, b *Board, _ *uitest.Canvas) { b.Change(ctx, written("a", "One")) },
		func(ctx app.Context, b *Board, _ *uitest.Canvas) {
			if len(s.notes) > 0 || !slices.Equal(texts(b.notes()), []string{"One"}) {
				t.Errorf("saved %v, here %v", s.notes, b.notes())
			}
			b.Change(ctx, written("b", "Two"))
		},
		func(_ app.Context, b *Board, _ *uitest.Canvas) {
			if !slices.Equal(texts(s.notes), []string{"One", "Two"}) {
				t.Errorf("saved %v", s.notes)
			}
		},
	)
}

// A note is added up to the limit, and by nobody who may only read.
func TestAddNote(t *testing.T) {
	full := make(note.List, note.MaxNotes)
	for i := range full {
		full[i] = note.Note{ID: string(rune('A' + i)), Text: "x"}
	}
	for _, tt := range []struct {
		name  string
		notes note.List
		read  bool
		want  bool
	}{{"room", full[1:], false, true}, {"no room", full, false, false}, {"for reading", nil, true, false}} {
		onBoard(t, &server{notes: tt.notes, tag: "t"}, func(ctx app.Context, b *Board, c *uitest.Canvas) {
			if tt.read {
				b.Editor = nil
			}
			b.Add(ctx, nil)
			if got := slices.ContainsFunc(c.Calls, func(s string) bool { return strings.HasPrefix(s, "WriteNote note_") }); got != tt.want {
				t.Errorf("%s: %t", tt.name, got)
			}
		})
	}
}
