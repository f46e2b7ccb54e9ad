package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model/pause"
)

// sketch is a page of three regions in two stages that notes what is drawn.
type sketch struct {
	app.Compo
	regions
	ctx  app.Context
	said []string
}

// OnPreRender is called in place of OnMount outside a browser.
func (s *sketch) OnPreRender(ctx app.Context) { s.ctx = ctx }
func (r *region) OnPreRender(ctx app.Context) { r.OnMount(ctx) }

func (s *sketch) say(what string) { s.said = append(s.said, what) }

// take returns what was noted since the last call, with the regions of a frame in the order of their names: they are drawn in any order.
func (s *sketch) take() string {
	frames := strings.Split(strings.Join(s.said, " "), " |")
	for i, f := range frames {
		names := strings.Fields(f)
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) }) // the page comes first
		frames[i] = strings.Join(names, " ")
	}
	s.said = nil
	return strings.Join(frames, " | ")
}

func (s *sketch) Render() app.UI {
	s.say("page")
	s.turn++
	region := func(stage int, name string) app.UI {
		return s.region(stage, func() app.UI {
			s.say(name)
			return app.Div().Text(fmt.Sprint(name, len(s.said)))
		})
	}
	return app.Div().Body(region(0, "a"), region(1, "b"), app.Div().Body(region(0, "c")))
}

func TestRegions(t *testing.T) {
	s := &sketch{}
	e := app.NewTestEngine()
	if err := e.Load(s); err != nil {
		t.Fatal(err)
	}
	e.ConsumeAll()
	s.take()
	for _, tt := range []struct {
		name string
		do   func()
		want string
	}{
		{"a whole drawing", func() { s.ctx.Update() }, "page a b c"},
		{"in stages", func() { s.drawAll(s.ctx, func() { s.say("|") }) }, "a c | b | "},
		{"again meanwhile", func() {
			again := true
			s.drawAll(s.ctx, func() {
				s.say("|")
				if again {
					again = false
					s.drawAll(s.ctx, func() { t.Error("a second chain") })
				}
			})
		}, "a c | a b c | "},
		{"with a whole drawing in the same frame", func() {
			s.drawAll(s.ctx, func() { s.say("|") })
			s.ctx.Update()
		}, "page a b c | b | "},
	} {
		tt.do()
		e.ConsumeAll()
		if got := s.take(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The page follows the form in the work that changes it: drawings cannot pause, and would have to derive what they show.
func TestPageFollowsTheFormWithinTheWork(t *testing.T) {
	onPage(t, func(ctx app.Context, p *editorPage, _ *uitest.Canvas) {
		pause.Within(func() {
			p.redraw(ctx)
			p.redraw(ctx)
			if !p.drawing.dirty {
				t.Error("it follows before the end of the work")
			}
		})
		if p.drawing.dirty {
			t.Error("it does not follow in the work")
		}
		if p.redraw(ctx); !p.drawing.dirty {
			t.Error("it follows within an event")
		}
	})
}
