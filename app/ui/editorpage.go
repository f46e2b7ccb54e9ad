package ui

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// editorPage is the editor of one form. It owns the editor core, the canvas
// island and the saver, and draws everything around the canvas.
type editorPage struct {
	app.Compo
	site   *Site
	client *client.Client
	user   client.User
	id     string
	ed     *editor.Editor // nil until the form is loaded
	island canvas.View
	saver  *saver
	draft  drafting
	flows  []client.Flow
	err    error // why there is no form
	stops  []func()

	tab       string // of the left panel
	left      bool   // panels that are open
	right     bool
	filter    string
	menu      bool          // "Add node" is open
	drop      *gesture.Drop // the connection that the new node is for
	dropAt    graph.Vec     // where its menu is, in the canvas
	dialog    string
	toast     string
	undoable  bool   // the toast has a button that undoes what it says
	titled    string // the form's name as the window has it
	toastID   int
	connectTo string                   // what is typed in the connect dialog
	rows      map[string]inspector.Row // of the inspector, by path
	rejected  rejected                 // the last text that a field refused
	typing    string                   // path of the control that is typed in
	shown     map[string]bool          // secrets in sight, by path
	dirty     bool                     // a redraw is due
	problem   int                      // place of the problem that F8 went to
	search    searching
	conflicts []model.Conflict // of the last merge, open in the dialog
	refused   badFile          // the last one, open in the dialog
	incoming  *incoming        // the file whose flows are chosen in the dialog, or nil

	flowsLater bool         // the flows that are missing are not to be asked for now
	tree       *outlineTree // nil until the form is loaded
	pointer    bool         // the last press came from a pointer, not from a key
	inOutline  bool         // where the dialog or menu was opened from
}

// OnNav loads the form of the address.
func (p *editorPage) OnNav(ctx app.Context) {
	id := strings.TrimPrefix(kit.Path(), "/forms/")
	if id == p.id {
		return
	}
	p.close()
	*p = editorPage{Compo: p.Compo, site: p.site, id: id, client: client.New(kit.Browser{}), tab: "components"}
	p.left, p.right = wide(), wide()
	p.shown = map[string]bool{}
	kit.SetTitle("Loading the form…")
	p.load(ctx)
	ctx.Async(warmOnce)
	p.stops = append(p.stops, p.listenKeys(ctx), p.listenUnload(), p.listenNarrow(ctx), p.listenOutside(ctx), p.listenClipboard(ctx), p.watchSession(), kit.Listen("keyup", p.forward), kit.Listen("online", func(app.Value) {
		ctx.Dispatch(func(ctx app.Context) {
			if p.saver != nil && p.saver.state == stateOffline {
				p.save(ctx)
			}
		})
	}))
}

// OnDismount gives back what the page took of the browser.
func (p *editorPage) OnDismount() { p.close() }

func (p *editorPage) close() {
	p.draft.close()
	p.draft = drafting{}
	for _, stop := range p.stops {
		stop()
	}
	p.stops = nil
	p.tree.close()
	p.tree = nil
	if p.island != nil {
		p.island.Close()
		p.island = nil
	}
}

func (p *editorPage) load(ctx app.Context) {
	p.err = nil
	id := p.id
	ctx.Async(func() {
		var f *model.Form
		var etag string
		var formErr error
		var unsaved drafting
		there, looked := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(there)
			f, etag, formErr = p.client.Form(context.Background(), id)
		}()
		go func() {
			defer close(looked)
			// A browser whose database hangs must not keep the form from being opened.
			ctx, cancel := context.WithTimeout(context.Background(), draftLimit)
			defer cancel()
			unsaved = takeDraft(ctx, p.client, id)
		}()
		user, err := p.client.User(context.Background())
		if err == nil {
			<-there
			err = formErr
		}
		<-looked
		ctx.Dispatch(func(ctx app.Context) {
			if p.id != id {
				unsaved.close()
				return
			}
			p.user, p.err = user, err
			p.draft.close()
			p.draft = unsaved
			if err != nil {
				kit.SetTitle(formNotLoaded + " – " + "Formgraph")
				return
			}
			p.open(ctx, f, etag)
		})
		if err != nil {
			return
		}
		// The inspector offers the flows by name; without them ids are typed.
		flows, _ := p.client.Flows(context.Background())
		ctx.Dispatch(func(app.Context) {
			if p.id == id {
				p.flows = flows
				p.nameFlows()
			}
		})
	})
}

// open starts the editor on a form as the server holds it.
func (p *editorPage) open(ctx app.Context, f *model.Form, etag string) {
	if p.island != nil {
		p.island.Close()
	}
	var conflicts []model.Conflict
	p.ed, conflicts = p.draft.newEditor(f, editor.Config{
		Now: time.Now, Rand: rand.IntN, Dialect: model.Dialect(kit.Dialect()), ReadOnly: !p.user.Can("update:forms"),
	})
	p.problem = -1
	p.tree.close()
	p.tree = newOutlineTree(ctx, p)
	p.saver = &saver{client: p.client, ed: p.ed, etag: etag, state: stateSaved, savedAt: savedTime(f)}
	p.ed.Observe(func() { p.redraw(ctx) })
	p.draft.follow(p.ed, func() string { return p.saver.etag }, func() { p.redraw(ctx) })
	p.askConflicts(ctx, conflicts)
	// The graph is drawn before the panels, which take as long again: their places
	// are kept free, so the canvas has its size.
	if view := p.site.OpenCanvas("canvas", p.ed, canvas.Options{
		OnCommand: func(id command.ID) {
			ctx.Dispatch(func(ctx app.Context) {
				defer p.rescue(ctx)
				p.perform(ctx, id, "")
			})
		},
		OnViewport: func() {
			rememberView(p.id, p.island.Viewport())
			p.redraw(ctx)
		},
		OnDrop: func(d gesture.Drop, at graph.Vec) {
			ctx.Dispatch(func(ctx app.Context) { p.offerNode(ctx, d, at) })
		},
		OnReplaced: func(r gesture.Replaced) {
			ctx.Dispatch(func(ctx app.Context) { p.sayUndo(ctx, replaced(r, p.ed.State().Form)) })
		},
		View:       recallView(p.id),
		WheelZooms: kit.Recall("wheel") == "zooms",
		OnRefused:  func(err error) { ctx.Dispatch(func(ctx app.Context) { p.say(ctx, kit.Sentence(err)) }) },
	}); view != nil {
		p.island = view
		p.nameFlows()
		p.redraw(ctx)
	}
}

// nameFlows has the canvas show the flows by their names, once both are there.
func (p *editorPage) nameFlows() {
	if p.island == nil || len(p.flows) == 0 {
		return
	}
	names := make(map[string]string, len(p.flows))
	for _, f := range p.flows {
		names[f.ID] = f.Name
	}
	p.island.SetFlows(names)
	p.search.index.SetFlows(names)
}

// redraw draws the panels in the next frame. Several changes in one frame are
// drawn once.
func (p *editorPage) redraw(ctx app.Context) {
	if p.dirty {
		return
	}
	p.dirty = true
	ctx.Dispatch(func(ctx app.Context) {
		p.dirty = false
		if !p.rejected.selection.Equal(p.ed.State().Selection) {
			p.rejected = rejected{}
		}
		if name := p.ed.State().Form.Name; name != p.titled {
			p.titled = name
			kit.SetTitle(name + " – " + "Formgraph")
		}
		p.sync(ctx)
	})
}

// sync brings the controls in line with the form once the panels are drawn.
func (p *editorPage) sync(ctx app.Context) {
	ctx.Defer(func(app.Context) {
		kit.SyncControls(p.typing)
		p.tree.mount(kit.Element(outlineHost))
	})
}

// run runs a command and tells the user why it did nothing.
func (p *editorPage) run(ctx app.Context, c editor.Command) bool {
	if err := p.ed.Run(c); err != nil {
		p.say(ctx, kit.Sentence(err))
		return false
	}
	return true
}

// toastTime is how long a message stays; long enough to read two lines.
const toastTime = 6 * time.Second

// say shows a message for a while and has screen readers speak it.
func (p *editorPage) say(ctx app.Context, text string) {
	p.toast, p.undoable = text, false
	p.toastID++
	id := p.toastID
	ctx.After(toastTime, func(app.Context) {
		if p.toastID == id {
			p.toast = ""
		}
	})
}

func (p *editorPage) save(ctx app.Context) {
	if p.ed == nil {
		return
	}
	if n := len(p.ed.Problems()); n > 0 {
		p.tab, p.left = "problems", true
		p.say(ctx, strings.ReplaceAll("Not saved: fix %s first", "%s", kit.Several(n, "1 problem", "%d problems"))+".")
		return
	}
	p.saver.save(ctx, p.redraw)
}

// signInAgain opens the sign-in page in a window of its own and waits until
// there is a session; then what was to be saved is saved.
func (p *editorPage) signInAgain(ctx app.Context) {
	closeWindow := kit.OpenSignIn()
	if closeWindow == nil {
		p.say(ctx, kit.WindowBlocked)
		return
	}
	ctx.Async(func() {
		for range int(signInTime / signInPoll) {
			time.Sleep(signInPoll)
			if user, err := p.client.User(context.Background()); err == nil {
				closeWindow()
				ctx.Dispatch(func(ctx app.Context) {
					if user.Sub != p.user.Sub {
						p.draft.leave(false, kit.Reload) // it is somebody else's page now
						return
					}
					p.user = user
					p.saver.signedOut = false
					p.save(ctx)
				})
				return
			}
		}
	})
}

// The wait for a sign-in in another window.
const (
	signInTime = 10 * time.Minute
	signInPoll = 1500 * time.Millisecond
)

// listenUnload makes the browser ask before unsaved work is left that it does not
// keep.
func (p *editorPage) listenUnload() (stop func()) {
	return kit.Listen("beforeunload", func(e app.Value) {
		if p.ed != nil && p.ed.Unsaved() && p.draft.status() == draft.Failed {
			e.Call("preventDefault")
		}
	})
}

// listenNarrow closes the panels when the window becomes too narrow to hold them
// beside the canvas, which they would then cover.
func (p *editorPage) listenNarrow(ctx app.Context) (stop func()) {
	was := wide()
	return kit.Listen("resize", func(app.Value) {
		if is := wide(); is != was {
			was = is
			ctx.Dispatch(func(app.Context) { p.left, p.right = is, is })
		}
	})
}

// wide tells whether the window has room for the panels beside the canvas.
func wide() bool { return app.Window().Get("innerWidth").Int() >= 900 }
