package live_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"weak"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

var (
	orders = flag.Int("orders", 0, "random interleavings for TestOrders")
	seed   = flag.Uint64("seed", 1, "seed of the first interleaving")
)

// start is a form of four steps with two fields each.
func start(tb testing.TB) *model.Form {
	tb.Helper()
	text := `{"id":"ap_1","name":"f","start":{"next_node":"step_0"},"nodes":[`
	for i := range 4 {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(`{"id":"step_%d","type":"STEP","coordinates":{"x":%d,"y":0},"config":{"components":[
			{"id":"a%[1]d","category":"FIELD","type":"TEXT","label":"0","config":{}},
			{"id":"b%[1]d","category":"FIELD","type":"TEXT","label":"0","config":{}}],"next_node":"$ending"}}`, i, i*300)
	}
	return formtest.Parse(tb, text+`],"ending":{"resume_flow":true}}`)
}

// board is what the naive model knows of a form: its cells are values that pages type, and its names are of elements whose ids pages change.
type board struct {
	cells, names []string

	read  func(f *model.Form, cell string) string
	write func(tb testing.TB, f *model.Form, cell, text string) *model.Form
	// fork returns the cell that a fork of a form is about, and the two values in it.
	fork   func(f *model.Form, c merge.Conflict) (cell, mine, theirs string)
	id     func(f *model.Form, name string) string
	rename func(tb testing.TB, f *model.Form, name, id string) *model.Form
}

// labels are the labels of fields.
var labels = board{
	cells: []string{"a0", "b0", "a1", "b1", "a2", "b2", "a3", "b3"}, read: label, write: setLabel,
	fork: func(_ *model.Form, c merge.Conflict) (cell, mine, theirs string) {
		mine, _ = c.Mine.Tree.(string)
		theirs, _ = c.Theirs.Tree.(string)
		return c.Component, mine, theirs
	},
}

func label(f *model.Form, id string) string {
	_, i, j := f.Component(id)
	if i < 0 {
		return ""
	}
	v, _ := schema.Lookup(f.Tree(), model.ComponentPath(i, j).Key("label"))
	text, _ := v.(string)
	return text
}

func setLabel(tb testing.TB, f *model.Form, id, text string) *model.Form {
	tb.Helper()
	_, i, j := f.Component(id)
	if i < 0 {
		return f
	}
	return set(tb, f, model.ComponentPath(i, j).Key("label"), text)
}

func set(tb testing.TB, f *model.Form, at schema.Path, v any) *model.Form {
	tb.Helper()
	g, err := f.Set(at, v)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// server keeps the entries, as simply as possible: the first entry of a number counts.
type server struct {
	forms   []*model.Form
	entries []live.Entry
}

func newServer(f *model.Form) *server {
	return &server{forms: []*model.Form{model.FromTree(f.Tree().Without("id"))}}
}

func (s *server) post(tb testing.TB, e live.Entry) {
	tb.Helper()
	if e.Number != len(s.forms) {
		return
	}
	wire, err := live.ReadEntry(e.Tree())
	if err != nil {
		tb.Fatal(err)
	}
	tree, err := schema.Patch(s.forms[len(s.forms)-1].Tree(), wire.Edits)
	if err != nil {
		tb.Fatalf("entry %d: %v", e.Number, err)
	}
	s.forms, s.entries = append(s.forms, model.FromTree(tree)), append(s.entries, wire)
}

func (s *server) last() *model.Form { return s.forms[len(s.forms)-1] }

// page is a page with its naive model: for each cell the text it has typed and not told, and those that are forks; for each name the id it has given and
// not told.
type page struct {
	board

	name   string
	local  *model.Form
	copy   *live.Copy
	typed  map[string]string
	forked map[string]bool
	posted live.Entry // the offer on its way
	held   map[string]string
	given  map[string]string
	sent   map[string]string // of given, with the offer
	n      int
}

func newPage(b board, name string, f *model.Form) *page {
	return &page{board: b, name: name, local: f, copy: live.Open(name, f, ""), typed: map[string]string{}, forked: map[string]bool{}, given: map[string]string{}}
}

// rename gives an element an id that nothing else has.
func (p *page) rename(tb testing.TB, name string) {
	tb.Helper()
	p.n++
	id := p.name + "_" + strconv.Itoa(p.n)
	p.local, p.given[name] = p.board.rename(tb, p.local, name, id), id
}

func (p *page) edit(tb testing.TB, id string) {
	tb.Helper()
	p.n++
	text := p.name + strconv.Itoa(p.n)
	p.local, p.typed[id] = p.write(tb, p.local, id, text), text
}

func (p *page) take(tb testing.TB, s *server) {
	tb.Helper()
	n := p.copy.Number()
	if n+1 >= len(s.forms) {
		return
	}
	e := s.entries[n]
	step, err := p.copy.Take(p.local, e)
	if err != nil {
		tb.Fatal(err)
	}
	p.local = step.Local
	p.naive(s, n, n+1, step.Own)
}

// naive follows the step from one shared form to another in the naive model.
func (p *page) naive(s *server, from, to int, own bool) {
	for _, id := range p.cells {
		was, is := p.read(s.forms[from], id), p.read(s.forms[to], id)
		mine, dirty := p.typed[id]
		switch {
		case !dirty:
		case own && p.held[id] == mine && !p.forked[id], mine == is:
			delete(p.typed, id)
			delete(p.forked, id)
		case was != is && !own:
			p.forked[id] = true
		}
	}
	for name, id := range p.given {
		if own && p.sent[name] == id || !own && p.id(s.forms[from], name) != p.id(s.forms[to], name) {
			delete(p.given, name) // the first id counts
		}
	}
}

func (p *page) offer(r *rand.Rand) {
	e, ok := p.copy.Offer(p.local, "", 0)
	if ok {
		p.held, p.sent = map[string]string{}, maps.Clone(p.given)
		for id, text := range p.typed {
			if !p.forked[id] {
				p.held[id] = text
			}
		}
	} else if again, sent := p.copy.Offered(); sent && r.IntN(2) == 0 {
		e, ok = again, true // it may have been lost
	}
	if ok {
		p.posted = e
	}
}

// send brings the offer to the server, unless it is lost on its way.
func (p *page) send(tb testing.TB, s *server, r *rand.Rand) {
	tb.Helper()
	if p.posted.Number > 0 && r.IntN(4) > 0 {
		s.post(tb, p.posted)
	}
	p.posted = live.Entry{}
}

// decide decides a fork, if there is one.
func (p *page) decide(tb testing.TB, r *rand.Rand) {
	tb.Helper()
	forks := p.copy.Forks(p.local)
	if len(forks) == 0 {
		return
	}
	f := forks[r.IntN(len(forks))]
	id, _, _ := p.fork(p.local, f)
	p.copy.Decide([]merge.Conflict{f})
	delete(p.forked, id)
	if r.IntN(2) == 0 {
		return
	}
	g, err := f.TakeTheirs(p.local)
	if err != nil {
		tb.Fatal(err)
	}
	p.local = g
	delete(p.typed, id)
}

// check compares the page with its naive model.
func (p *page) check(tb testing.TB, s *server) {
	tb.Helper()
	shared := s.forms[p.copy.Number()]
	var forks []string
	for _, f := range p.copy.Forks(p.local) {
		cell, mine, theirs := p.fork(p.local, f)
		forks = append(forks, cell)
		if mine != p.read(p.local, cell) || theirs != p.read(shared, cell) {
			tb.Fatalf("%s: fork of %s has %q and %q", p.name, cell, mine, theirs)
		}
	}
	for _, id := range p.cells {
		want := p.read(shared, id)
		if text, ok := p.typed[id]; ok {
			want = text
		}
		if got := p.read(p.local, id); got != want {
			tb.Fatalf("%s: %s is %q, want %q", p.name, id, got, want)
		}
		if slices.Contains(forks, id) != p.forked[id] {
			tb.Fatalf("%s: forks %v, want %v", p.name, forks, p.forked)
		}
	}
	for _, name := range p.names {
		want := p.id(shared, name)
		if id, ok := p.given[name]; ok {
			want = id
		}
		if got := p.id(p.local, name); got != want {
			tb.Fatalf("%s: %s has the id %q, want %q", p.name, name, got, want)
		}
	}
}

// TestOrders lets pages edit labels in a random interleaving with a network that delays and loses requests and answers, and compares each
// page with a naive model after each step that it takes. In the end all have the same form.
func TestOrders(t *testing.T) {
	for n := range sizetest.Of(*orders, 150, 200_000) {
		r := rand.New(rand.NewPCG(*seed+uint64(n), 9))
		f := start(t)
		s := newServer(f)
		var pages []*page
		for i := range 2 + r.IntN(4) {
			name := string(rune('A' + i))
			pages = append(pages, newPage(labels, name, f))
		}
		kinds := 2 + r.IntN(len(labels.cells)-2)
		for range 60 {
			p := pages[r.IntN(len(pages))]
			switch r.IntN(12) {
			case 0, 1, 2, 3:
				p.edit(t, labels.cells[r.IntN(kinds)])
				continue
			case 4, 5:
				p.offer(r)
				continue
			case 6, 7:
				p.send(t, s, r)
				continue
			case 8, 9, 10:
				p.take(t, s)
			case 11:
				if last := len(s.forms) - 1; r.IntN(3) == 0 && last > p.copy.Number() {
					from := p.copy.Number()
					p.local = p.copy.Leap(p.local, last, s.last(), "").Local
					p.naive(s, from, last, false)
				} else {
					p.decide(t, r)
				}
			}
			p.check(t, s)
		}
		finish(t, s, pages, r)
	}
}

// finish brings everything to an end, and checks that all pages have the same form.
func finish(t *testing.T, s *server, pages []*page, r *rand.Rand) {
	t.Helper()
	for quiet := 0; quiet < 2; {
		quiet++
		for _, p := range pages {
			before := len(s.forms)
			for p.copy.Number() < len(s.forms)-1 {
				p.take(t, s)
			}
			for len(p.copy.Forks(p.local)) > 0 {
				p.decide(t, r)
			}
			e, ok := p.copy.Offer(p.local, "", 0)
			if again, sent := p.copy.Offered(); sent {
				e, ok = again, true
			}
			if ok {
				s.post(t, e)
			}
			if len(s.forms) > before {
				quiet = 0
			}
		}
	}
	for _, p := range pages {
		if p.local.ID != "ap_1" {
			t.Fatalf("%s has lost the id of the form", p.name)
		}
		if !schema.Equal(p.local.Tree().Without("id"), s.last().Tree()) {
			t.Fatalf("%s ends with\n%s\nand the server with\n%s", p.name, schema.Encode(p.local.Tree()), schema.Encode(s.last().Tree()))
		}
		if !p.copy.Same(p.local) {
			t.Fatalf("%s still has something to tell", p.name)
		}
	}
}

func TestTheFirstChangeCounts(t *testing.T) {
	f := start(t)
	a, b := live.Open("A", f, ""), live.Open("B", f, "")
	fa, fb := setLabel(t, f, "a0", "Ada"), setLabel(t, setLabel(t, f, "a0", "Bob"), "b1", "Bob")
	ea, _ := a.Offer(fa, "", 0)
	eb, _ := b.Offer(fb, "", 0)
	if _, again := b.Offer(fb, "", 0); again {
		t.Error("an offer is made while another has no answer")
	}
	step, err := b.Take(fb, ea)
	if err != nil || step.Own || len(step.Forks) != 1 {
		t.Fatalf("%+v, %v", step, err)
	}
	if fb = step.Local; label(fb, "a0") != "Bob" || label(fb, "b1") != "Bob" {
		t.Error("what Bob typed is gone")
	}
	if mine := b.Mine(fb); label(mine, "a0") != "Ada" || label(mine, "b1") != "Bob" {
		t.Error("the fork is offered, or the rest is not")
	}
	if _, err := b.Take(fb, eb); !errors.Is(err, live.ErrGap) {
		t.Errorf("an old entry: %v", err)
	}
	b.Decide(step.Forks)
	e, ok := b.Offer(fb, "", 0)
	if !ok || e.Number != 2 {
		t.Fatalf("%+v", e)
	}
	if step, err = a.Take(fa, ea); err != nil || !step.Own {
		t.Fatalf("%+v, %v", step, err)
	}
	if step, err = a.Take(step.Local, e); err != nil || label(step.Local, "a0") != "Bob" || len(step.Forks) > 0 {
		t.Fatalf("%+v, %v", step, err)
	}
	if a.Recent(1) == nil || a.Recent(9) != nil {
		t.Error("the shared forms are not kept by their number")
	}
}

// A page that goes back to the form that it had before it told an edit has something to tell again.
func TestBackToAnEarlierForm(t *testing.T) {
	f := start(t)
	a := live.Open("A", f, "")
	later := setLabel(t, f, "a0", "Ada")
	e, _ := a.Offer(later, "", 0)
	// The answer comes when the page has the earlier form again, as after undo.
	if step, err := a.Take(f, e); err != nil || !step.Own || step.Local != f {
		t.Fatalf("%+v, %v", step, err)
	}
	if a.Same(f) || !a.Same(later) {
		t.Errorf("others have the earlier form: %t, the later one: %t", a.Same(f), a.Same(later))
	}
	if e, ok := a.Offer(f, "", 0); !ok || len(e.Edits) != 1 {
		t.Errorf("offers %+v", e)
	}
}

// An entry under the page's name that is not its offer is that of others.
func TestNameOfThePageIsNoOffer(t *testing.T) {
	f := start(t)
	a, b := live.Open("A", f, ""), live.Open("A", f, "")
	mine, theirs := setLabel(t, f, "a0", "Ada"), setLabel(t, f, "b1", "Bob")
	if _, ok := a.Offer(mine, "", 0); !ok {
		t.Fatal("nothing is offered")
	}
	e, _ := b.Offer(theirs, "", 0)
	e.Serial++
	step, err := a.Take(mine, e)
	if err != nil || step.Own || label(step.Local, "a0") != "Ada" || label(step.Local, "b1") != "Bob" {
		t.Fatalf("%+v, %v", step, err)
	}
}

// What one side removes while the other changes it stays, and both know.
func TestRemovedAndChanged(t *testing.T) {
	f := start(t)
	a, b := live.Open("A", f, ""), live.Open("B", f, "")
	fa, err := f.Clear(model.ComponentPath(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	fb := setLabel(t, f, "a0", "Bob")
	e, _ := a.Offer(fa, "", 0)
	step, err := b.Take(fb, e)
	if err != nil || len(step.Told) != 1 || label(step.Local, "a0") != "Bob" {
		t.Fatalf("%+v, %v", step, err)
	}
	if e, ok := b.Offer(step.Local, "", 0); !ok || len(e.Edits) == 0 {
		t.Error("the field is not offered again")
	}
}

// A version that somebody saved is told, although nothing has changed.
func TestSavedIsTold(t *testing.T) {
	f := start(t)
	a := live.Open("A", f, "1")
	if _, ok := a.Offer(f, "1", 0); ok {
		t.Error("nothing is told")
	}
	e, ok := a.Offer(f, "2", 0)
	if !ok || e.ETag != "2" || len(e.Edits) > 0 {
		t.Fatalf("%+v", e)
	}
	if _, err := a.Take(f, e); err != nil || a.ETag() != "2" {
		t.Fatalf("%q, %v", a.ETag(), err)
	}
}

// Join merges the work of a page with that of others, of which undo must not revert anything.
func TestJoin(t *testing.T) {
	saved := start(t)
	shared := setLabel(t, saved, "a0", "Ada")
	local := setLabel(t, saved, "b0", "Bob")
	c, step := live.Join("B", saved, local, 7, shared, "1")
	if step.Before.ID != "" || step.Local.ID != "ap_1" || label(step.Local, "a0") != "Ada" || label(step.Local, "b0") != "Bob" || c.Number() != 7 {
		t.Fatalf("%+v", step)
	}
	e, ok := c.Offer(step.Local, "1", 0)
	if !ok || e.Number != 8 || len(e.Edits) != 1 {
		t.Fatalf("%+v", e)
	}
}

func TestReadEntry(t *testing.T) {
	for _, text := range []string{
		`[]`, `{"number":-1}`, `{"number":1.5}`, `{"number":"1"}`, `{"number":99999999999}`, `{"serial":-1}`, `{"edits":[{"at":"x["}]}`,
	} {
		v, ps := schema.Decode([]byte(text))
		if len(ps) > 0 {
			t.Fatal(ps)
		}
		if _, err := live.ReadEntry(v); !errors.Is(err, live.ErrEntry) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// BenchmarkTake takes an entry of somebody else on a page with a change of its own, at 1,000 nodes.
func BenchmarkTake(b *testing.B) {
	f := model.FromTree(formtest.Large(1000))
	set := func(f *model.Form, node int, alias string) *model.Form {
		g, err := f.Set(model.NodePath(node).Key("alias"), alias)
		if err != nil {
			b.Fatal(err)
		}
		return g
	}
	other := live.Open("B", f, "")
	e, _ := other.Offer(set(f, 500, "theirs"), "", 0)
	mine := set(f, 3, "mine")
	for b.Loop() {
		c := live.Open("A", f, "")
		if _, err := c.Take(mine, e); err != nil {
			b.Fatal(err)
		}
	}
}

// A page has what others have in memory once.
func TestNodesOfOthersAreShared(t *testing.T) {
	saved := start(t)
	_, step := live.Join("B", saved, saved, 7, formtest.Renewed(saved, "new"), "1")
	if len(step.Local.Nodes) == 0 || !slices.Equal(step.Local.Nodes, step.After.Nodes) {
		t.Errorf("the nodes are %v and %v", step.Local.Nodes, step.After.Nodes)
	}
}

// What a page keeps of earlier shared forms is bounded in memory, whatever others do: forms of 2,000 nodes may take the place of each other.
func TestRecentFormsAreBounded(t *testing.T) {
	first := formtest.Worst("types", 2000)
	f := first
	c := live.Open("A", f, "1")
	number := 0
	take := func(g *model.Form) weak.Pointer[model.Node] {
		number++
		step, err := c.Take(f, live.Entry{Page: "B", Number: number, Edits: schema.Delta(c.Shared().Tree(), g.Tree())})
		if err != nil {
			t.Fatal(err)
		}
		f = step.Local
		return weak.Make(c.Shared().Nodes[0])
	}
	var all []weak.Pointer[model.Node]
	for i := range 40 {
		all = append(all, take(formtest.Renewed(first, fmt.Sprint("n", i%2))))
	}
	runtime.GC()
	kept := 0
	for _, p := range all {
		if p.Value() != nil {
			kept++
		}
	}
	if kept > 12 || c.Recent(number-1) == nil {
		t.Errorf("%d of %d forms are kept", kept, len(all))
	}
	for range 100 {
		g, err := f.Set(formtest.Path(t, "name"), fmt.Sprint(number))
		if err != nil {
			t.Fatal(err)
		}
		take(g)
	}
	if c.Recent(number-99) == nil {
		t.Error("a form that shares its nodes is not kept")
	}
	runtime.KeepAlive(c)
}
