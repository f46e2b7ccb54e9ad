// Package versions lists the saved versions of the open form, below the steps of the session, and tells who changed what last.
package versions

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
)

// Act is the act that compares with a version; its argument is the number.
const Act = "version"

// ChangeAct is the act that shows what a version changed; its argument is the number.
const ChangeAct = "version-change"

// The acts of the panel. The argument is the number of a version.
const (
	moreAct    = "versions-more"  // reads older ones
	namedAct   = "versions-named" // shows only those with a name or note, or all
	unfoldAct  = "version-unfold"
	restoreAct = "version-restore"
	editAct    = "version-edit"
	keepAct    = "version-keep"
	cancelAct  = "version-cancel"
)

// Panel is the list. The zero value with a workspace is empty.
type Panel struct {
	*workspace.Workspace
	Blame *Blame

	list    []formapi.Version
	total   int
	etag    string // of the form when the list was read
	read    bool
	reading bool
	again   int // how often the newest version was missing in a row
	err     error
	named   bool // only those with a name or a note
	open    int  // the unfolded line, by the number of its newest version
	edit    describing
}

// maxAgain is how often the list is read again because another replica has not recorded the last save yet, and againAfter is when.
const (
	maxAgain   = 3
	againAfter = time.Second
)

// Follow reads the list while it is in view and the form has another ETag than before. saved is when the form was saved last, zero if that is not
// known.
func (p *Panel) Follow(ctx app.Context, etag string, saved time.Time) {
	if p.Panels.Tab != workspace.History || !p.Panels.Left || p.reading || p.read && p.etag == etag {
		return
	}
	p.etag, p.read, p.again = etag, true, 0
	p.get(ctx, 0, saved)
}

// Heard reads the list again: somebody else has saved the form.
func (p *Panel) Heard() { p.read = false }

// get reads a part of the list.
func (p *Panel) get(ctx app.Context, part int, saved time.Time) {
	p.reading = true
	named := p.named
	p.Async(ctx, func(c context.Context) func(app.Context) {
		list, total, err := formapi.Versions(c, p.Client, p.ID, part, named)
		return func(ctx app.Context) {
			p.reading = false
			defer p.Redraw(ctx)
			if p.named != named {
				p.read = false
				return
			}
			if p.err = err; err != nil {
				return
			}
			p.list, p.total = join(p.list, list, part), total
			if part == 0 && !named && p.again < maxAgain && late(list, saved) {
				p.again++
				ctx.After(againAfter, func(ctx app.Context) {
					if !p.Over() && !p.reading {
						p.get(ctx, 0, saved)
					}
				})
			}
		}
	})
}

// more reads the next part of the list.
func (p *Panel) more(ctx app.Context) {
	if !p.reading && p.err == nil && len(p.list) < p.total {
		p.get(ctx, len(p.list)/formapi.VersionsPage, time.Time{})
	}
}

// Scrolled reads the next part when the end of the list comes near.
func (p *Panel) Scrolled(ctx app.Context, e app.Event) {
	defer p.Rescue(ctx)
	box := e.Get("currentTarget")
	if p.Panels.Tab == workspace.History && box.Get("scrollTop").Float()+2*box.Get("clientHeight").Float() > box.Get("scrollHeight").Float() {
		p.more(ctx)
	}
}

// Do handles a control of the panel, and reports whether it is one.
func (p *Panel) Do(ctx app.Context, name, arg string) bool {
	number, _ := strconv.Atoi(arg)
	switch name {
	case moreAct:
		p.more(ctx)
	case namedAct:
		p.named, p.list, p.read = !p.named, nil, false
		p.Redraw(ctx)
	case unfoldAct:
		if p.open == number {
			number = 0
		}
		p.open = number
	case restoreAct:
		p.restore(ctx, number)
	case editAct:
		p.edit = describing{number: number}
		if v := p.version(number); v != nil {
			p.edit.name, p.edit.note = v.Name, v.Note
		}
		kit.FocusSoon(ctx, "#"+nameID, 0)
	case cancelAct:
		p.close(ctx)
	case keepAct:
		p.keep(ctx)
	default:
		return false
	}
	return true
}

// version returns a version of the list, nil if it has none with the number.
func (p *Panel) version(number int) *formapi.Version {
	for i := range p.list {
		if p.list[i].Number == number {
			return &p.list[i]
		}
	}
	return nil
}

// restore makes the form as a version has it.
func (p *Panel) restore(ctx app.Context, number int) {
	name := "Version " + strconv.Itoa(number)
	if v := p.version(number); v != nil {
		name = Name(v)
	}
	p.Async(ctx, func(c context.Context) func(app.Context) {
		f, err := formapi.ReadVersion(c, p.Client, p.ID, strconv.Itoa(number))
		return func(ctx app.Context) {
			if err != nil {
				p.Say(ctx, kit.Sentence(err))
				return
			}
			now := p.Editor.State().Form
			command := editor.RestoreVersion(verb.Restore.With(name), now, f)
			if model.Diff(now, f).Empty() {
				p.Say(ctx, "The form is already as in this version.")
			} else if p.Typing = ""; p.Run(ctx, command) {
				p.Editor.Seal()
				p.SayUndo(ctx, "Restored: "+name+".")
			}
		}
	})
}

// Name returns the name of a version for people.
func Name(v *formapi.Version) string {
	return cmp.Or(v.Name, v.SavedAt.Local().Format(kit.DateTime)+", "+Author(v))
}

// Author returns who saved a version, for people. The first version may have no author: it is the form as it was when Formgraph first opened it.
func Author(v *formapi.Version) string {
	if v.Number == 1 {
		return cmp.Or(formapi.Authors(v.Author), "As first opened")
	}
	return cmp.Or(formapi.Authors(v.Author), "Saved elsewhere")
}
