package ui

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/outline"
	"github.com/formgraph/formgraph/model/pause"
)

// titlePause is how long the name of a form must stay unchanged before the window title follows.
const titlePause = 200 * time.Millisecond

// drawing is what a page knows of its own drawing.
type drawing struct {
	regions
	titled string // the form's name in the window title
	dirty  bool   // a redraw is due
	whole  bool   // it is to draw the whole page in one frame
}

// redraw draws the panels in the next frame. Several changes within a frame cause a single redraw.
func (p *editorPage) redraw(ctx app.Context) {
	p.drawing.whole = true
	p.redrawInStages(ctx)
}

// redrawInStages is redraw, but it draws the page in several frames unless something else wants it drawn at once.
func (p *editorPage) redrawInStages(ctx app.Context) {
	if p.drawing.dirty {
		return
	}
	p.drawing.dirty = true
	// What follows the form does so in the work that changed it: a frame in between would draw what is not derived yet, without pauses.
	if !pause.AtEnd(func() { p.draw(ctx) }) {
		ctx.Dispatch(func(ctx app.Context) {
			ctx.PreventUpdate()
			p.draw(ctx)
		})
	}
}

// draw makes all parts of the page follow the form, and the next frames draw them.
func (p *editorPage) draw(ctx app.Context) {
	whole := p.drawing.whole
	p.drawing.dirty, p.drawing.whole = false, false
	if p.Editor == nil {
		return // a draft may still be written after the page has left its form
	}
	pause.Within(func() { p.follow(ctx) })
	if whole {
		ctx.Update()
		p.sync(ctx)
	} else {
		p.drawing.drawAll(ctx, p.synced)
	}
}

// follow makes all parts of the page follow the form.
func (p *editorPage) follow(ctx app.Context) {
	p.together.Follow(ctx)
	pause.Now()
	p.saver.CatchUp(ctx)
	pause.Now()
	p.Editor.ChangeCount() // drawings ask for it, and cannot pause
	p.inspector.Selected()
	pause.Now()
	p.preview.Follow(ctx)
	p.scenarios.Follow(ctx)
	p.impact.Follow(ctx)
	p.versions.Follow(ctx, p.saver.ETag(), p.saver.SavedAt())
	p.versions.Blame.Follow(ctx, p.saver.ETag())
	if p.preview.Opened() {
		p.desk.Yield()
	}
	pause.Now()
	p.desk.Follow(ctx)
	pause.Now()
	p.inspector.Follow(ctx)
	pause.Now()
	p.problems.Follow()
	p.entitle(ctx)
}

// entitle makes the window title follow the name of the form. It waits for a pause in its changes: browsers take milliseconds to set a title.
func (p *editorPage) entitle(ctx app.Context) {
	name := p.Editor.State().Form.Name
	if name == p.drawing.titled {
		return
	}
	set := func() { kit.SetTitle(name + " – " + "Formgraph") }
	if p.drawing.titled == "" {
		set()
	} else {
		ctx.After(titlePause, func(ctx app.Context) {
			ctx.PreventUpdate()
			if p.Editor != nil && p.drawing.titled == name {
				set()
			}
		})
	}
	p.drawing.titled = name
}

// sync synchronizes the controls with the form once the panels are drawn.
func (p *editorPage) sync(ctx app.Context) {
	kit.Drawn(ctx, func(app.Context) { p.synced() })
}

func (p *editorPage) synced() {
	kit.SyncControls(p.Typing)
	p.tree.Mount(kit.Element(outline.Host))
}

// The stages of the page: the controls of the form, which must not lag behind what people type, then the bar, then everything else.
const (
	inspectorStage = iota
	barStage
	restStage
)

// region returns a part of the page. draw is called again with each drawing.
func (p *editorPage) region(stage int, draw func() app.UI) app.UI {
	return p.drawing.region(stage, draw)
}

// regions are the parts of the page that can be drawn without the others. What other people do is drawn one stage of them per frame: a whole
// drawing for each of their edits would take too long within one task while this person types or drags.
type regions struct {
	turn   int // the number of drawings of the whole page
	stages []stage
	busy   bool // stages are being drawn
}

// stage is what is drawn in one frame.
type stage struct {
	drawn []app.Context // of its regions
	due   bool
	late  bool // it was due already when it became due again
}

// region is a component whose content is drawn by its page.
type region struct {
	app.Compo
	Turn    int // differs in each drawing of the page, so that go-app draws the region with it
	draw    func() app.UI
	mounted func(app.Context)
}

func (r *region) Render() app.UI { return r.draw() }

func (r *region) OnMount(ctx app.Context) { r.mounted(ctx) }

// region returns a region of a stage. go-app keeps the draw function of the first drawing, so draw must read the current state of the page.
func (r *regions) region(at int, draw func() app.UI) app.UI {
	for len(r.stages) <= at {
		r.stages = append(r.stages, stage{})
	}
	return &region{Turn: r.turn, draw: draw, mounted: func(ctx app.Context) { r.stages[at].drawn = append(r.stages[at].drawn, ctx) }}
}

// drawAll draws the stages, one per frame, and calls each after every frame. A stage that is still due from an earlier call is drawn in the
// first frame. page is the context of the page, which is not drawn as a whole.
func (r *regions) drawAll(page app.Context, each func()) {
	for i := range r.stages {
		s := &r.stages[i]
		s.late, s.due = s.due, true
	}
	if !r.busy {
		r.drawNext(page, each)
	}
}

// drawNext draws the first stage that is due, and those that are late.
func (r *regions) drawNext(page app.Context, each func()) {
	r.busy = false
	for i := range r.stages {
		s := &r.stages[i]
		if !s.due || r.busy && !s.late {
			continue
		}
		r.busy, s.due, s.late = true, false, false
		for _, ctx := range s.drawn {
			ctx.Dispatch(func(app.Context) { page.PreventUpdate() })
		}
	}
	if !r.busy {
		return
	}
	kit.Drawn(page, func(page app.Context) {
		each()
		r.drawNext(page, each)
	})
}
