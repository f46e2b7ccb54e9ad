// Package notes reads and saves the notes on the canvas of a page, and keeps what others have saved.
package notes

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/note"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// UndoAct is the act that brings back the note that was deleted last.
const UndoAct = "undo-note"

// Board has the notes of the form of a page.
type Board struct {
	*workspace.Workspace
	saved   note.List // as the server has them
	etag    string    // of saved; "" if they must be read
	unsaved []note.Change
	busy    bool      // a call is under way
	gone    note.Note // the note that Undo brings back
}

// notes returns the notes with the changes that are not saved yet.
func (b *Board) notes() note.List {
	list := b.saved
	for _, c := range b.unsaved {
		list = list.With(c)
	}
	return list
}

// Show shows the notes on the canvas.
func (b *Board) Show() {
	if b.Canvas != nil {
		b.Canvas.ShowNotes(b.notes(), !b.ReadOnly())
	}
}

// Read reads the notes.
func (b *Board) Read(ctx app.Context) {
	b.etag = ""
	b.sync(ctx)
}

// Heard reads the notes when somebody else has saved some, or may have.
func (b *Board) Heard(ctx app.Context, e client.FormEvent) {
	if e.Kind == client.Notes && e.Tab != b.Client.Tab || e.Kind == client.Hello && e.Missed {
		b.Read(ctx)
	}
}

// noteHeight is the height of the free place for a note, in form units: about three lines.
const noteHeight = 80

// Add opens the text of a new note at a place or, if at is nil, near the selection or the middle of the view, where no card is.
func (b *Board) Add(ctx app.Context, at *model.Point) {
	switch {
	case b.ReadOnly() || b.Canvas == nil:
		return
	case len(b.notes()) >= note.MaxNotes:
		b.Say(ctx, fmt.Sprintf("A form has at most %d notes. Delete one first.", note.MaxNotes))
		return
	}
	if at == nil {
		anchor := b.Canvas.PointIn(b.Canvas.Anchor())
		free := b.Canvas.Scene().FreePlace(graph.Vec{X: float64(anchor.X), Y: float64(anchor.Y)}, noteHeight).Point()
		at = &free
	}
	taken := func(id string) bool { _, ok := b.notes().Get(id); return ok }
	b.Canvas.WriteNote(note.Note{ID: model.IDSource{Rand: rand.IntN}.Fresh("note", taken), At: *at})
}

// Change makes and saves a change that the person has made on the canvas.
func (b *Board) Change(ctx app.Context, c note.Change) {
	if b.ReadOnly() {
		return
	}
	was, _ := b.notes().Get(c.ID)
	b.unsaved = append(b.unsaved, c)
	b.Show()
	if c.Gone {
		b.gone = was
		b.Toast.SayMore("Deleted the note.", UndoAct, "Undo")
		b.Redraw(ctx)
	}
	b.sync(ctx)
}

// Undo brings back the note that was deleted last.
func (b *Board) Undo(ctx app.Context) {
	b.Toast.Clear()
	if n := b.gone; n.ID != "" {
		b.gone = note.Note{}
		b.Change(ctx, note.Change{Note: n})
	}
}

// sync saves what is not saved, and reads the notes if they must be read. It makes one call at a time.
func (b *Board) sync(ctx app.Context) {
	if b.busy || b.etag != "" && len(b.unsaved) == 0 {
		return
	}
	b.busy = true
	list, etag, changes := b.saved, b.etag, slices.Clone(b.unsaved)
	b.etag = "-" // so that a Read during the call is noticed
	b.Async(ctx, func(c context.Context) func(app.Context) {
		list, tag, err := exchange(c, b.Client, b.ID, list, etag, changes)
		return func(ctx app.Context) {
			stale := b.etag == ""
			b.busy, b.etag = false, etag
			if err != nil && len(changes) > 0 {
				b.Say(ctx, "The notes are not saved: "+kit.Sentence(err)+" They will be saved with your next change.")
			}
			if err == nil {
				b.saved, b.etag, b.unsaved = list, tag, b.unsaved[len(changes):]
			}
			if stale {
				b.etag = ""
			}
			if b.Show(); err == nil {
				b.sync(ctx)
			}
		}
	})
}

// tries is how often exchange tries to save notes that others save at the same time.
const tries = 5

// exchange makes changes to notes, which have an ETag, and saves them. It reads the notes first if the ETag is "", and again if others have
// saved some meanwhile, which stay. It returns the notes that the server has then, and their ETag.
func exchange(
	ctx context.Context, c *client.Client, form string, list note.List, etag string, changes []note.Change,
) (note.List, string, error) {
	for range tries {
		if etag == "" {
			var file *schema.Object
			var err error
			if file, etag, err = formapi.File(ctx, c, form, formapi.Notes); err != nil {
				return nil, "", err
			}
			list = note.Of(file)
		}
		if len(changes) == 0 {
			return list, etag, nil
		}
		next := list
		for _, change := range changes {
			next = next.With(change)
		}
		tag, err := formapi.SaveFile(ctx, c, form, formapi.Notes, next.File(), etag)
		if client.CodeOf(err) != "conflict" {
			return next, tag, err
		}
		etag = ""
	}
	return nil, "", errors.New("others are writing notes at the same time")
}
