package versions

import (
	"context"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Blame tells who changed the selected element last. It says nothing until that is known.
type Blame struct {
	*workspace.Workspace

	of      formapi.Blame
	etag    string // of the form when it was read
	read    bool
	reading bool
}

// Follow reads who changed what if the page shows it and the form has another ETag than before. A failure leaves what was known.
func (b *Blame) Follow(ctx app.Context, etag string) {
	if b.reading || b.read && b.etag == etag || !b.wanted() {
		return
	}
	b.etag, b.read, b.reading = etag, true, true
	b.Async(ctx, func(c context.Context) func(app.Context) {
		of, err := formapi.ReadBlame(c, b.Client, b.ID)
		return func(ctx app.Context) {
			if b.reading = false; err == nil {
				b.of = of
			}
			b.Redraw(ctx)
		}
	})
}

// wanted reports whether the page shows who changed something: the selected element, or the form while its inspector is open.
func (b *Blame) wanted() bool {
	sel := b.Editor.State().Selection
	return sel.Only() != "" || sel.Empty() && b.Panels.Right
}

// last returns the version that changed the selected element last, nil if that is not known, whether that can be opened, and whether the
// element was changed since.
func (b *Blame) last() (v *formapi.Version, kept, unsaved bool) {
	s := b.Editor.State()
	only := s.Selection.Only()
	if only == "" || !b.read {
		return nil, false, false
	}
	v, kept = b.of.Of(only, s.Selection.Component, s.Selection.Rule)
	if v != nil && v.Number == 1 && v.Author == "" {
		v = nil // the form was there before anybody looked: nobody is known to have changed it
	}
	return v, kept, changed(b.Editor.Base(), s)
}

// Saved returns who saved the version with an ETag, "" if that is not known.
func (b *Blame) Saved(etag string) string {
	if !b.read || b.etag != etag {
		return ""
	}
	return formapi.Authors(b.of.Newest())
}

// changed reports whether the selected element differs from the one in the saved form, apart from its place on the canvas.
func changed(saved *model.Form, s editor.State) bool {
	was, is := treeOf(saved, s.Selection), treeOf(s.Form, s.Selection)
	return was != is && !schema.Equal(was.Without("coordinates"), is.Without("coordinates"))
}

// treeOf returns the selected element of a form, nil if the form lacks it.
func treeOf(f *model.Form, sel editor.Selection) *schema.Object {
	switch key := sel.Only(); {
	case key == model.StartID:
		return f.Tree().Object("start")
	case key == model.EndingID:
		return f.Tree().Object("ending")
	case sel.Component != "":
		if c, _, _ := f.Component(sel.Component); c != nil {
			return c.Tree()
		}
	default:
		n, _ := f.Node(key)
		if n == nil {
			return nil
		}
		if sel.Rule == "" {
			return n.Tree()
		}
		for _, v := range n.Tree().Object("config").List("rules") {
			if o, _ := v.(*schema.Object); o.Text("id") == sel.Rule {
				return o
			}
		}
	}
	return nil
}

// words says who changed an element last.
func words(v *formapi.Version, now time.Time) string {
	who := "Changed by " + schema.Isolate(formapi.Authors(v.Author))
	if v.Author == "" {
		who = "Changed elsewhere"
	}
	return who + ", " + kit.Ago(v.SavedAt, now)
}

// Draw draws a line about the selected element if somebody else changed it last. The line leads to their version.
func (b *Blame) Draw(now time.Time) app.UI {
	v, kept, unsaved := b.last()
	if unsaved || v == nil || v.Author != "" && v.Author == b.User.Name {
		return kit.El("p hidden=true")
	}
	at := v.SavedAt.Local().Format(kit.DateTime)
	if !kept {
		return kit.Tree("p.blame title=% { @history span { % } }", []string{at, words(v, now)})
	}
	return kit.Tree("p.blame { @history button.link type=button data-act=% data-arg=% title=% { % } }",
		[]string{ChangeAct, strconv.Itoa(v.Number), at + ". Show what changed", words(v, now)})
}

// Item returns the line of a menu about the selected element, which has no name if nothing is known.
func (b *Blame) Item(now time.Time) (it kit.Item) {
	if v, kept, unsaved := b.last(); v != nil && kept && !unsaved {
		it = kit.Item{Act: ChangeAct, Arg: strconv.Itoa(v.Number), Name: words(v, now), Icon: "history", Hint: "Show what changed"}
	}
	return it
}

// mark says of a version of the list that it changed the selected element last, "" for any other.
func (b *Blame) mark(number int) string {
	v, _, unsaved := b.last()
	if v == nil || v.Number != number || unsaved {
		return ""
	}
	return "Last change of " + describe.NodeName(b.Editor.State().Form, b.Editor.State().Selection.Only())
}
