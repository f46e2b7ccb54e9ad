//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// mirror is the editor without a browser; it receives the same actions.
type mirror struct {
	ed    *editor.Editor
	scene *graph.Scene
	chart *gesture.Chart
	clip  string
}

func newMirror(t *testing.T, src string, r *rand.Rand) *mirror {
	t.Helper()
	tree, problems := schema.Decode([]byte(src))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	m := &mirror{ed: editor.New(model.FromTree(tree.(*schema.Object)), editor.Config{
		Now: func() time.Time { return time.Time{} }, Rand: r.IntN,
	})}
	m.scene = graph.New(m.ed.State().Form)
	m.chart = gesture.New(m.ed, m.scene, gesture.Options{})
	m.ed.Observe(func() {
		m.scene.Update(m.ed.State().Form)
		m.chart.Changed()
	})
	return m
}

// soak is a page and its mirror. Pasted nodes have different ids on the page than in the
// mirror: ids maps the mirror's to the page's.
type soak struct {
	*page
	m      *mirror
	r      *rand.Rand
	ids    map[string]string
	origin graph.Vec // origin of the canvas in the window
	log    []string
}

// shown is the state of the canvas as the page shows it.
type shown struct {
	Origin, Size graph.Vec
	View         graph.Viewport
	Cards        map[string]shownCard
}

type shownCard struct {
	Kind     string
	X, Y     int
	Selected bool
}

// look reads the canvas.
func (s *soak) look() shown {
	s.t.Helper()
	text := eval[string](s.page, `(() => {
		const numbers = e => e.style.transform.match(/-?[\d.]+(?=px)/g).map(Number);
		const host = document.querySelector("[data-testid=canvas]"), r = host.getBoundingClientRect();
		const [x, y] = numbers(host.querySelector(".cv-world"));
		const cards = {};
		for (const e of host.querySelectorAll("[data-node]")) {
			const [x, y] = [parseFloat(e.style.left), parseFloat(e.style.top)];
			cards[e.dataset.node] = {kind: e.dataset.kind, x, y, selected: e.getAttribute("aria-selected") === "true"};
		}
		return JSON.stringify({
			origin: {x: r.left, y: r.top}, size: {x: host.clientWidth, y: host.clientHeight}, view: {x, y, zoom: Number(host.dataset.zoom)}, cards});
	})()`)
	var v shown
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		s.t.Fatal(err)
	}
	s.origin = v.Origin
	s.m.chart.Resize(v.Size)
	s.m.chart.SetViewport(v.View)
	return v
}

// differs describes the difference between the page and the mirror, "" if there is none.
func (s *soak) differs(v shown) string {
	state := s.m.ed.State()
	sight := s.m.chart.Viewport().Visible(v.Size)
	places := map[string]shownCard{}
	for _, c := range s.m.scene.Cards() {
		id := s.ids[c.ID]
		p := c.Rect.Origin().Point()
		places[id] = shownCard{X: p.X, Y: p.Y, Selected: state.Selection.Has(c.ID)}
		if _, ok := v.Cards[id]; !ok && c.Rect.Overlaps(sight) {
			return fmt.Sprintf("%s, at %v, is not shown as %q", c.ID, p, id)
		}
	}
	for id, c := range v.Cards {
		if c.Kind = ""; c != places[id] {
			return fmt.Sprintf("%s is shown as %+v, want %+v", id, c, places[id])
		}
	}
	return ""
}

// agree waits until the page shows the state of the mirror.
func (s *soak) agree() {
	s.t.Helper()
	what := ""
	for range 100 {
		v := s.look()
		s.learn(v)
		if what = s.differs(v); what == "" {
			return
		}
		evalAsync[bool](s.page, settled)
	}
	s.t.Fatalf("%s; the page shows %+v, after\n%s", what, s.look(), strings.Join(s.log[max(0, len(s.log)-30):], "\n"))
}

// learn finds the page's ids of pasted nodes by their positions.
func (s *soak) learn(v shown) {
	known := map[string]bool{}
	for _, id := range s.ids {
		known[id] = true
	}
	for _, c := range s.m.scene.Cards() {
		if s.ids[c.ID] != "" {
			continue
		}
		p := c.Rect.Origin().Point()
		for id, card := range v.Cards {
			if !known[id] && card.X == p.X && card.Y == p.Y {
				s.ids[c.ID] = id
			}
		}
	}
}

// mouse sends a mouse event to the page at a position in the canvas.
func (s *soak) mouse(typ input.DispatchMouseEventType, at graph.Vec, mods gesture.Mods, held bool) {
	s.t.Helper()
	at = at.Add(s.origin)
	s.do(chromedp.MouseEvent(typ, at.X, at.Y, chromedp.ClickCount(1), func(e *input.DispatchMouseEventParams) {
		if held {
			e.Button = input.MouseButtonLeft
		}
		if mods.Control {
			e.Modifiers |= int64(chromedp.ModifierCtrl)
		}
		if mods.Shift {
			e.Modifiers |= int64(chromedp.ModifierShift)
		}
	}))
}

// grab returns a random card and a position to press on its header; pressing a row would
// copy the row. It returns nil if the position is out of view or covered.
func (s *soak) grab() (*graph.Card, graph.Vec) {
	s.t.Helper()
	cards := s.m.scene.Cards()
	c := cards[s.r.IntN(len(cards))]
	form := c.Rect.Origin().Add(graph.Vec{X: c.Rect.W / 2, Y: 14})
	at := s.m.chart.Viewport().ToScreen(form)
	at = graph.Vec{X: math.Round(at.X), Y: math.Round(at.Y)}
	hit := s.m.scene.Hit(s.m.chart.Viewport().ToForm(at), 1, s.m.chart.Shown().Selection().Has)
	if !s.inside(at) || hit.Card != c || hit.Out >= 0 || !s.free(at) {
		return nil, at
	}
	return c, at
}

// free reports whether a press at a position in the canvas reaches it because nothing
// covers it.
func (s *soak) free(at graph.Vec) bool {
	s.t.Helper()
	at = at.Add(s.origin)
	return eval[bool](s.page, fmt.Sprintf(`(() => {
		const top = document.elementFromPoint(%v, %v);
		return document.querySelector("[data-testid=canvas]").contains(top) && !top.closest(".cv-mini");
	})()`, at.X, at.Y))
}

// inside reports whether a position is so far from the border that the view does not
// move.
func (s *soak) inside(at graph.Vec) bool {
	const border = 60
	size := s.m.chart.Size()
	return at.X > border && at.Y > border && at.X < size.X-border && at.Y < size.Y-border
}

// drag moves a card with the mouse by a multiple of the grid. With Ctrl nothing snaps: unless the card is dropped on an edge, it must be
// exactly that far from where it was.
func (s *soak) drag() bool {
	s.t.Helper()
	c, at := s.grab()
	via, way := at.Add(graph.Vec{X: 30, Y: -30}), graph.Vec{}
	for range 20 {
		if way = (graph.Vec{X: graph.Grid * float64(s.r.IntN(31)-15), Y: graph.Grid * float64(s.r.IntN(21)-10)}); s.inside(at.Add(way)) {
			break
		}
	}
	if c == nil || !s.inside(via) || !s.inside(at.Add(way)) || way == (graph.Vec{}) {
		return false
	}
	mods := gesture.Mods{Control: s.r.IntN(2) == 0}
	s.note("drag %s by %v, %+v", c.ID, way, mods)
	path := []graph.Vec{via, at.Add(way)}
	s.mouse(input.DispatchMouseEventTypeMouseMoved, at, mods, false)
	s.mouse(input.DispatchMouseEventTypeMousePressed, at, mods, true)
	for _, p := range path {
		s.mouse(input.DispatchMouseEventTypeMouseMoved, p, mods, true)
	}
	s.mouse(input.DispatchMouseEventTypeMouseReleased, at.Add(way), mods, true)
	from := c.Rect.Origin()
	s.m.chart.Handle(gesture.Event{Type: gesture.Down, At: at, Mods: mods})
	for _, p := range path {
		s.m.chart.Handle(gesture.Event{Type: gesture.Move, At: p, Mods: mods})
	}
	inserts := s.m.chart.Shown().InsertEdge() != nil
	s.m.chart.Handle(gesture.Event{Type: gesture.Up, At: at.Add(way), Mods: mods})
	if want := from.Add(way); mods.Control && !inserts && s.m.scene.Card(c.ID).Rect.Origin() != want {
		s.t.Fatalf("%s is at %v in the mirror, want %v", c.ID, s.m.scene.Card(c.ID).Rect.Origin(), want)
	}
	return true
}

// copy selects one or two cards with clicks and copies them.
func (s *soak) copy() bool {
	s.t.Helper()
	took := false
	for i := range 1 + s.r.IntN(2) {
		c, at := s.grab()
		if c == nil || c.ID == model.StartID || c.ID == model.EndingID {
			continue
		}
		mods := gesture.Mods{Shift: i > 0 && took && !s.m.ed.State().Selection.Has(c.ID)}
		s.note("click %s, %+v", c.ID, mods)
		s.mouse(input.DispatchMouseEventTypeMousePressed, at, mods, true)
		s.mouse(input.DispatchMouseEventTypeMouseReleased, at, mods, true)
		if sel := editor.SelectNodes(c.ID); mods.Shift {
			s.m.ed.Select(s.m.ed.State().Selection.Toggle(c.ID))
		} else {
			s.m.ed.Select(sel)
		}
		took = true
	}
	if !took {
		return false
	}
	text, err := editor.Copy(s.m.ed.State())
	if err != nil {
		s.t.Fatal(err)
	}
	s.note("copy")
	s.m.clip = text
	s.copyKey("c")
	return true
}

// paste pastes at the pointer, over the canvas or outside it.
func (s *soak) paste() bool {
	s.t.Helper()
	if s.m.clip == "" || len(s.m.ed.State().Form.Nodes) > 16 {
		return false
	}
	p, err := editor.ParsePaste(s.m.clip)
	if err != nil {
		s.t.Fatal(err)
	}
	size := s.m.chart.Size()
	at := graph.Vec{X: 100 + float64(s.r.IntN(int(size.X)-200)), Y: 100 + float64(s.r.IntN(int(size.Y)-200))}
	form := s.m.chart.Viewport().ToForm(at)
	middle := func(x float64) bool {
		return math.Abs(math.Mod(math.Mod(x, graph.Grid)+graph.Grid, graph.Grid)-graph.Grid/2) < 2
	}
	var place *model.Point
	switch {
	case s.r.IntN(3) == 0:
		at = graph.Vec{X: size.X / 2, Y: -20} // on the bar above
	case !s.free(at) || middle(form.X) || middle(form.Y):
		return false // the view is known only to a hundredth of a pixel: either is possible
	default:
		on := form.Point()
		place = &on
	}
	s.note("paste at %v", place)
	s.mouse(input.DispatchMouseEventTypeMouseMoved, at, gesture.Mods{}, false)
	s.copyKey("v")
	if err := s.m.ed.Run(s.m.ed.Make().Paste(p, place)); err != nil {
		s.t.Fatal(err)
	}
	return true
}

func (s *soak) note(format string, args ...any) { s.log = append(s.log, fmt.Sprintf(format, args...)) }

// renamed returns the text of a form in which the ids of all pasted things are replaced
// with numbers, in the order of the form.
func renamed(t *testing.T, form map[string]any, first int) map[string]any {
	t.Helper()
	var pairs []string
	put := func(v any) {
		id := at(v, "id").(string)
		pairs = append(pairs, id, fmt.Sprintf("pasted_%d", len(pairs)))
	}
	for _, n := range form["nodes"].([]any)[first:] {
		put(n)
		components, _ := at(n, "config").(map[string]any)["components"].([]any)
		for _, c := range components {
			put(c)
		}
	}
	b, err := json.Marshal(form)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal([]byte(strings.NewReplacer(pairs...).Replace(string(b))), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Two hundred drags, pastes, undos and redos with a real mouse and keyboard end in a
// saved form that equals the result of the editor's packages for the same list.
func TestSoak(t *testing.T) {
	nightly(t) // app/gesture tests the same actions natively (TestSoak); TestJobs and TestClipboard do them by mouse and keys
	const actions = 200
	began := time.Now()
	srv := start(t, filepath.Join(t.TempDir(), "data"))
	id := srv.create(threeNodes)
	p := browseIn(t, t.TempDir())
	p.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}}))
	p.editor(srv, id)
	r := rand.New(rand.NewPCG(2, 5))
	s := &soak{page: p, m: newMirror(t, threeNodes, r), r: r, ids: map[string]string{}}
	for _, c := range s.m.scene.Cards() {
		s.ids[c.ID] = c.ID
	}
	s.do(chromedp.Focus(chromedp.CSS("#canvas")))
	s.key("0")
	s.wait(zoomOf + ` === 1`)
	s.agree()

	did := map[string]int{}
	for n, tries := 0, 0; n < actions; tries++ {
		if tries > 20*actions {
			t.Fatalf("after %v no action is possible:\n%s", did, strings.Join(s.log[max(0, len(s.log)-8):], "\n"))
		}
		what, ok := "", false
		switch k := s.r.IntN(21); {
		case k < 10:
			what, ok = "drag", s.drag()
		case k < 12:
			what, ok = "copy", s.copy()
		case k < 15:
			what, ok = "paste", s.paste()
		case k < 18:
			s.note("undo")
			s.key("z", chromedp.ModifierCtrl)
			_, ok = s.m.ed.Undo()
			what = "undo"
		default:
			s.note("redo")
			s.key("Z", chromedp.ModifierCtrl)
			_, ok = s.m.ed.Redo()
			what = "redo"
		}
		if ok {
			did[what]++
			n++
			s.agree()
		}
	}
	for _, what := range []string{"drag", "copy", "paste", "undo", "redo"} {
		if did[what] < actions/20 {
			t.Errorf("%s was done %d times only: %v", what, did[what], did)
		}
	}
	for len(s.m.ed.Found().Problems()) > 0 { // such a form cannot be saved
		s.m.ed.Undo()
		s.key("z", chromedp.ModifierCtrl)
		s.agree()
	}

	s.press("button", "Save")
	s.saveState("saved")
	first := len(at(parse(t, threeNodes), "nodes").([]any))
	got := renamed(t, srv.form(id), first)
	want := renamed(t, parse(t, string(schema.Encode(s.m.ed.State().Form.Tree()))), first)
	for k := range want {
		if !reflect.DeepEqual(got[k], want[k]) {
			t.Errorf("%s:\n got %v\nwant %v", k, got[k], want[k])
		}
	}
	if len(want["nodes"].([]any)) == first {
		t.Error("no pasted nodes are left to compare")
	}
	for _, line := range p.console {
		t.Errorf("console: %s", line)
	}
	t.Logf("%v in %v, %d nodes", did, time.Since(began).Round(time.Second), len(want["nodes"].([]any)))
}

func parse(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}
