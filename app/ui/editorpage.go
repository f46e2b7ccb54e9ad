package ui

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/note"
	"github.com/formgraph/formgraph/app/ui/addmenu"
	"github.com/formgraph/formgraph/app/ui/arrange"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/clip"
	"github.com/formgraph/formgraph/app/ui/connect"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/desk"
	"github.com/formgraph/formgraph/app/ui/drafts"
	"github.com/formgraph/formgraph/app/ui/help"
	"github.com/formgraph/formgraph/app/ui/history"
	"github.com/formgraph/formgraph/app/ui/impact"
	"github.com/formgraph/formgraph/app/ui/inspect"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/label"
	"github.com/formgraph/formgraph/app/ui/live"
	"github.com/formgraph/formgraph/app/ui/notes"
	"github.com/formgraph/formgraph/app/ui/outline"
	"github.com/formgraph/formgraph/app/ui/palette"
	"github.com/formgraph/formgraph/app/ui/previewer"
	"github.com/formgraph/formgraph/app/ui/problems"
	"github.com/formgraph/formgraph/app/ui/saver"
	"github.com/formgraph/formgraph/app/ui/scenarios"
	"github.com/formgraph/formgraph/app/ui/search"
	"github.com/formgraph/formgraph/app/ui/together"
	"github.com/formgraph/formgraph/app/ui/topbar"
	"github.com/formgraph/formgraph/app/ui/transfer"
	"github.com/formgraph/formgraph/app/ui/versions"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// editorPage is the editor of one form. It connects the parts of the page to each other and to the
// browser.
type editorPage struct {
	app.Compo
	*parts
	site      *Site
	err       error    // why the form is not shown
	wait      kit.Wait // before the form is read again
	flows     kit.Wait // before the flows are read again
	session   *session
	performer *performer
	stops     []func()
	drawing   drawing
	waiting   bool // the inspector waits, see followSelection
}

// parts are the workspace of a form and the parts of the page that work on it.
type parts struct {
	*workspace.Workspace
	draft     *drafts.Keeping // nil until it is opened
	saver     *saver.Saver    // nil until the form is loaded
	tree      *outline.Tree   // nil until the form is loaded
	bar       *topbar.Bar
	palette   *palette.Panel
	notes     *notes.Board
	problems  *problems.Panel
	inspector *inspect.Panel
	search    *search.Dialog
	help      help.Dialog
	connect   *connect.Dialog
	menu      *addmenu.Menu
	context   *contextMenu
	label     *label.Editor
	clipboard *clip.Clipboard
	transfer  *transfer.Transfer
	arrange   *arrange.Tool
	live      *live.Listener
	together  *together.Panel
	preview   *previewer.Panel
	scenarios *scenarios.Panel
	impact    *impact.Panel
	desk      *desk.Panel
	past      history.Panel
	versions  *versions.Panel
	popup     kit.Menu
}

// newParts returns the parts of a page whose form is not loaded yet.
func newParts(id string) *parts {
	w := workspace.New(id, client.New(kit.Browser{}))
	p := &parts{
		Workspace: w, palette: &palette.Panel{Workspace: w}, inspector: inspect.New(w),
		search: &search.Dialog{Workspace: w}, connect: &connect.Dialog{Workspace: w}, menu: &addmenu.Menu{Workspace: w}, label: &label.Editor{Workspace: w},
		transfer: &transfer.Transfer{Workspace: w}, arrange: &arrange.Tool{Workspace: w}, preview: previewer.New(w),
	}
	p.help.Dialog = &w.Dialog
	p.inspector.Opens(p.popup.Of)
	p.inspector.Find = p.connect.OpenFor
	p.context = &contextMenu{Workspace: w, menu: &p.popup}
	p.scenarios = &scenarios.Panel{Workspace: w, Play: p.preview.Play, Record: p.preview.Record}
	p.notes = &notes.Board{Workspace: w}
	p.versions = &versions.Panel{Workspace: w, Blame: &versions.Blame{Workspace: w}}
	p.inspector.Blame = func() app.UI { return p.versions.Blame.Draw(time.Now()) }
	p.context.blame = p.versions.Blame
	p.inspector.Facts = p.facts
	p.inspector.Setting = func() app.UI { return p.saver.Setting.Draw() }
	p.impact = &impact.Panel{
		Workspace: w, Play: p.preview.Play,
		Arrived: func() (before, after *model.Form) { return p.saver.Arrived() },
	}
	p.preview.Kept, p.preview.Values = p.scenarios.Add, p.scenarios.Values
	p.desk = desk.New(w)
	w.Page = func(ctx app.Context, page string, path schema.Path) { p.desk.Go(ctx, strings.ToLower(page), path) }
	p.problems = problems.New(w, problems.Sources{
		Refused: func() schema.Problems { return p.saver.Problems() }, Hints: p.inspector.Hints, Flaws: p.inspector.Flaws, Checking: p.inspector.Checking,
	})
	p.together = together.New(w)
	w.Beside, p.desk.Here = p.together.Beside, p.together.Here
	p.live = &live.Listener{Workspace: w, Room: p.together.Room.ID, Lost: p.together.Lost, Heard: p.heard, Taken: p.together.Rename}
	p.together.Renamed = p.live.Reopen
	p.bar = &topbar.Bar{
		Workspace: w, Problems: p.problems, BeforePreview: p.preview.Warm, Tests: p.scenarios.Says, Unread: p.desk.Unread, Unsent: p.desk.Unsent, Beside: p.beside, Page: p.desk.Beside, Pages: p.desk.Items,
		People: p.together.Draw, PeopleItems: p.together.Items, Hue: p.together.Hue,
	}
	p.clipboard = &clip.Clipboard{Workspace: w, Claim: func() {
		if p.tree.Focused() {
			p.tree.Claim()
		}
	}}
	w.Dialog.Origin = workspace.Origin{InOutline: func() bool { return p.tree.Focused() }, ToOutline: func() bool { return p.tree.Focus() }}
	return p
}

// heard handles an event about the form.
func (p *parts) heard(ctx app.Context, e client.FormEvent) {
	if p.Editor == nil {
		return
	}
	heard := p.together.Heard(ctx, e)
	p.desk.Meet()
	if heard || p.desk.Heard(ctx, e) {
		return
	}
	if e.Kind == client.Saved && e.Tab != p.Client.Tab {
		p.versions.Heard()
	}
	p.notes.Heard(ctx, e)
	p.saver.Heard(ctx, e)
}

// newEditorPage returns a page whose form is not loaded yet.
func newEditorPage(s *Site, id string) *editorPage {
	p := newParts(id)
	next := &session{parts: p, open: func(ctx app.Context, form string) { ctx.Navigate(s.form(form)) }}
	p.transfer.Create = next.create
	p.live.Ended, p.live.Back, p.live.Barred = next.ended, next.back, next.barred
	p.transfer.Compare = func(ctx app.Context, file string, f *model.Form) {
		p.preview.Close()
		p.desk.Comparison.WithFile(ctx, file, f)
	}
	p.transfer.Review = func(ctx app.Context, before *model.Form) {
		p.preview.Close()
		p.desk.Comparison.WithBefore(ctx, before)
	}
	return &editorPage{site: s, parts: p, session: next, performer: &performer{parts: p, duplicate: next.duplicate}}
}

// OnNav loads the form that the address names. go-app reuses the page when the address of one form
// follows that of another.
func (p *editorPage) OnNav(ctx app.Context) {
	if id, _ := kit.FormID(kit.Path()); id != p.ID {
		p.close()
		next := newEditorPage(p.site, id)
		next.Compo, next.drawing.regions = p.Compo, p.drawing.regions
		*p = *next
	}
	if p.stops != nil {
		return
	}
	p.Redraw, p.Sync, p.Perform, p.session.resume = p.redraw, p.sync, p.performer.perform, p.performer.save
	p.together.Redrawn = p.redrawInStages
	kit.SetTitle("Loading the form…")
	p.load(ctx)
	ctx.Async(warmOnce)
	p.stops = p.listen(ctx)
}

// listen handles the browser's events that do not belong to an element of the page.
func (p *editorPage) listen(ctx app.Context) (stops []func()) {
	return []func(){
		p.listenKeys(ctx), p.menu.Listen(ctx), p.listenMenus(ctx), p.clipboard.Listen(ctx), p.session.watch(),
		kit.Listen("keyup", p.forward),
		p.Panels.Listen(ctx),
		kit.Listen("online", func(app.Value) {
			ctx.Dispatch(func(ctx app.Context) {
				if p.saver != nil {
					p.saver.Online(ctx)
				}
			})
		}),
		// The browser asks before the person leaves unsaved work that it does not store.
		kit.Listen("beforeunload", func(e app.Value) {
			if p.Editor != nil && p.Editor.Unsaved() && p.draft.Status() == draft.Failed || p.scenarios.Unsaved() {
				e.Call("preventDefault")
			}
		}),
	}
}

// OnDismount releases the browser resources of the page.
func (p *editorPage) OnDismount() { p.close() }

func (p *editorPage) close() {
	for _, stop := range p.stops {
		stop()
	}
	p.stops = nil
	p.live.Close()
	p.together.Close()
	p.preview.End()
	p.scenarios.Close()
	p.impact.Close()
	p.desk.End()
	p.inspector.Close()
	p.End()
	p.draft.Close()
	p.draft = nil
	p.tree.Close()
	p.tree = nil
	if p.Canvas != nil {
		p.Canvas.Close()
		p.Canvas = nil
	}
}

// loaded is the result of load.
type loaded struct {
	form  *model.Form
	etag  string
	user  client.User
	draft *drafts.Keeping
	err   error
}

// load gets the form, the person and the draft concurrently, then the names of the flows.
func (p *editorPage) load(ctx app.Context) {
	p.err = nil
	p.draft.Close() // so that this page can open it again
	p.draft = nil
	parts := p.parts
	ctx.Async(func() {
		got := parts.get()
		ctx.Dispatch(func(ctx app.Context) {
			if parts.Over() {
				got.draft.Close()
				return
			}
			if p.wait.Begin(ctx, got.err, func(ctx app.Context) {
				if !parts.Over() {
					p.load(ctx)
				}
			}) {
				got.draft.Close()
				return
			}
			p.User, p.err = got.user, got.err
			p.draft = got.draft
			p.bar.Draft = got.draft
			if p.err != nil {
				title := formNotLoaded
				if kit.StatusOf(p.err) == 404 {
					title = formNotFound
				}
				kit.SetTitle(title + " – " + "Formgraph")
				return
			}
			pause.Within(func() { p.open(ctx, got.form, got.etag) })
			p.readFlows(ctx)
		})
	})
}

// readFlows reads the names of the flows. The inspector offers the flows by name; without the names, people type ids.
func (p *editorPage) readFlows(ctx app.Context) {
	if !p.User.Can(workspace.ReadFlows) || p.Over() {
		return
	}
	p.Async(ctx, func(c context.Context) func(app.Context) {
		flows, err := formapi.Flows(c, p.Client)
		return func(ctx app.Context) {
			if p.flows.Begin(ctx, err, p.readFlows) {
				p.Say(ctx, p.flows.Text("the names of the flows follow")+".")
			}
			p.Flows = flows
			p.nameFlows()
		}
	})
}

// get reads the data that the page needs about a form.
func (p *parts) get() (got loaded) {
	there, looked := make(chan error, 1), make(chan struct{})
	go func() {
		var err error
		got.form, got.etag, err = formapi.Read(p.Context(), p.Client, p.ID)
		there <- err
	}()
	go func() {
		defer close(looked)
		ctx, cancel := context.WithTimeout(p.Context(), drafts.OpenLimit)
		defer cancel()
		got.draft = drafts.OpenFor(ctx, p.Client, p.ID)
	}()
	got.user, got.err = p.Client.User(p.Context())
	if err := <-there; got.err == nil {
		got.err = err
	}
	<-looked
	return got
}

// open starts the editor with the server's version of the form.
func (p *editorPage) open(ctx app.Context, f *model.Form, etag string) {
	if p.Canvas != nil {
		p.Canvas.Close()
	}
	var conflicts []merge.Conflict
	p.Editor, conflicts = p.draft.NewEditor(f, editor.Config{
		Now: time.Now, Rand: rand.IntN, Dialect: model.Dialect(kit.Dialect()), ReadOnly: !p.User.Can("update:forms"), Remote: p.Remote,
	})
	if !p.Editor.ReadOnly() {
		p.Editor.Select(editor.Opening(p.Editor.State().Form))
	} else if p.Panels.Tab == workspace.Components {
		p.Panels.Tab = workspace.Outline // there is nothing to add
	}
	p.tree.Close()
	p.tree = outline.New(ctx, p.Workspace)
	p.saver = saver.New(p.Workspace, &p.together.Room, f, etag)
	p.saver.Away, p.saver.Outside = p.live.Away, p.together.Outside
	p.bar.Saver, p.together.Saved = p.saver, p.saver
	p.followSelection(ctx)
	p.Editor.Observe(func() {
		p.followSelection(ctx)    // gestures select at their end
		if !p.together.Taking() { // it draws what it has taken
			p.redraw(ctx)
		}
	})
	p.draft.Follow(p.Editor, p.saver.ETag, showsDraft(func() *drafts.Keeping { return p.draft }, func() { p.redraw(ctx) }))
	if p.saver.Ask("somebody", conflicts) {
		p.saver.Review(ctx)
	}
	p.saver.Setting.Read(ctx)
	p.live.Start(ctx)
	kept, person := p.draft, p.User.Sub
	p.desk.Restore(ctx, func(c context.Context) *draft.Texts { return kept.Texts(c, p.ID, person) })
	// The graph is drawn before the panels, which take as long again. Space is reserved for them,
	// so the canvas already has its size.
	if view := p.site.OpenCanvas("canvas", p.Editor, p.canvasOptions(ctx)); view != nil {
		p.Canvas = view
		p.Mark(func(*canvas.Marks) {}) // a run or the coverage may still be shown
		p.nameFlows()
		p.notes.Read(ctx)
		p.redraw(ctx)
	}
	if kit.TakeFragment(kit.PreviewFragment) {
		p.preview.Open(ctx, "")
	}
}

// showsDraft returns a function that shows the status of the page's draft when it has changed. The function redraws the page only if the status
// before or after has a banner: the other statuses change with every edit.
func showsDraft(of func() *drafts.Keeping, redraw func()) func() {
	bare := func(s draft.Status) bool { return s == draft.None || s == draft.Kept }
	was := of().Status()
	return func() {
		is := of().Status()
		saver.ShowDraft(of())
		if !bare(was) || !bare(is) {
			redraw()
		}
		was = is
	}
}

// canvasOptions returns options that make the canvas report its events to the page.
func (p *editorPage) canvasOptions(ctx app.Context) canvas.Options {
	return canvas.Options{
		OnCommand: func(id command.ID) {
			ctx.Dispatch(func(ctx app.Context) {
				defer p.Rescue(ctx)
				p.Perform(ctx, id, "")
			})
		},
		OnViewport: func() {
			workspace.RememberView(p.ID, p.Canvas.Viewport())
			p.redraw(ctx)
		},
		OnDrop: func(d gesture.Drop, at graph.Vec) {
			ctx.Dispatch(func(ctx app.Context) { p.menu.Offer(ctx, d, at) })
		},
		OnMenu: func(at graph.Vec) {
			ctx.Dispatch(func(ctx app.Context) { p.context.openAt(ctx, at) })
		},
		OnBring: func() {
			ctx.Dispatch(func(app.Context) {
				if !workspace.Wide() {
					p.Panels.Close() // they cover the canvas
				}
			})
		},
		OnReplaced: func(r gesture.Replaced) {
			ctx.Dispatch(func(ctx app.Context) { p.SayUndo(ctx, describe.Replaced(r, p.Editor.State().Form)) })
		},
		OnChose: func() {
			ctx.Dispatch(func(app.Context) { p.followChoice() })
		},
		OnNote: func(c note.Change) {
			ctx.Dispatch(func(ctx app.Context) { p.notes.Change(ctx, c) })
		},
		Covered: p.Panels.Covered,
		OnPoint: func() { p.together.Pointed(ctx) },
		OnCarried: func() {
			ctx.Dispatch(func(ctx app.Context) { p.Say(ctx, describe.Brought(p.Editor.State())) })
		},
		OnRefused:  func(err error) { ctx.Dispatch(func(ctx app.Context) { p.Say(ctx, kit.Sentence(err)) }) },
		View:       workspace.RecallView(p.ID),
		WheelZooms: topbar.WheelZooms(),
	}
}

// followSelection opens or closes the inspector of a wide window. It waits while a menu is open or a double click may be under way, so that
// nothing moves under the pointer.
func (p *editorPage) followSelection(ctx app.Context) {
	switch {
	case p.waiting:
		return
	case p.popup.Of() != "" || p.menu.IsOpen(), p.Canvas != nil && !p.Panels.Right && p.Canvas.Awaits(workspace.RightWidth):
		p.waiting = true
		ctx.After(canvas.DoubleClick, func(ctx app.Context) {
			p.waiting = false
			p.followSelection(ctx)
		})
		return
	}
	was := p.Panels.Right
	if p.Panels.Follow(!p.Editor.State().Selection.Empty()); p.Panels.Right != was {
		p.redraw(ctx)
	}
}

// followChoice makes the inspector of a narrow window follow a tap on the canvas: it opens at what was chosen, and closes with nothing chosen.
func (p *editorPage) followChoice() {
	sel := p.Editor.State().Selection
	switch {
	case workspace.Wide():
	case sel.Empty():
		p.Panels.Right = false
	default:
		p.Panels.ShowRight()
		if id := sel.Only(); id != "" && p.Canvas != nil {
			p.Canvas.Reveal(id)
		}
	}
}

// nameFlows shows the flows by name once both the form and the names are loaded.
func (p *editorPage) nameFlows() {
	if p.Canvas == nil || len(p.Flows) == 0 {
		return
	}
	names := p.FlowNames()
	p.Canvas.SetFlows(names)
	p.search.SetFlows(names)
}
