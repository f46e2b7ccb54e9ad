package together_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/together"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

var worlds = flag.Int("worlds", 0, "random worlds for TestPagesMeet")

const fourSteps = `{"id":"ap_1","name":"f","nodes":[{"id":"a","type":"STEP","alias":"0"},{"id":"b","type":"STEP","alias":"0"},
	{"id":"c","type":"STEP","alias":"0"},{"id":"d","type":"STEP","alias":"0"}]}`

// world is a server with the pages of a form.
type world struct {
	t       *testing.T
	now     time.Time
	saved   *model.Form
	etag    int
	room    string
	rooms   int
	forms   []*schema.Object
	entries []live.Entry
	tag     string // of the saved form that the shared one contains
	pages   []*page
}

// page is a page with the queue of events that its stream has not delivered.
type page struct {
	together.Room
	w            *world
	saved, local *model.Form
	etag         string
	linked       bool
	events       []*schema.Object
	asked        *together.Request
	n            int
}

func (w *world) tagNow() string { return fmt.Sprint("v", w.etag) }

func (w *world) add(edits bool) *page {
	p := &page{w: w, saved: w.saved, local: w.saved, etag: w.tagNow()}
	p.Page, p.Edits = fmt.Sprint("P", len(w.pages)), edits
	w.pages = append(w.pages, p)
	return p
}

func (w *world) linkedPages() (n int) {
	for _, p := range w.pages {
		if p.linked {
			n++
		}
	}
	return n
}

// link opens the stream of a page. A page that comes without the room of nobody ends it.
func (p *page) link() {
	w := p.w
	if w.linkedPages() == 0 && p.ID() != w.room {
		w.room = ""
	}
	p.linked, p.events = true, nil
	p.Hello(w.linkedPages() > 1, schema.NewObject(schema.Member{Key: "room", Value: w.room}, schema.Member{Key: "number", Value: schema.IntNumber(len(w.entries))}))
	w.count()
}

func (p *page) unlink() {
	p.linked = false
	p.Unlinked()
	p.w.count()
}

func (w *world) count() {
	for _, p := range w.pages {
		if p.linked {
			p.Others(w.linkedPages() > 1)
		}
	}
}

func (p *page) state() together.State {
	return together.State{
		Saved: p.saved, Local: p.local, ETag: p.etag, Unsaved: !model.Diff(p.saved, p.local).Empty(), Now: p.w.now,
	}
}

// answer answers a request as the server does.
func (w *world) answer(q together.Request) together.Part {
	if q.Want == together.Open {
		if w.room == q.Room {
			w.rooms++
			w.room, w.forms, w.entries, w.tag = fmt.Sprint("R", w.rooms), []*schema.Object{live.Content(q.Saved.Tree())}, nil, q.ETag
			for _, p := range w.pages {
				if p.linked {
					p.events = append(p.events, schema.NewObject(schema.Member{Key: "room", Value: w.room}, schema.Member{Key: "number", Value: schema.IntNumber(0)}))
				}
			}
		}
		if w.room == "" {
			return together.Part{Closed: true}
		}
		return w.part(-1)
	}
	if w.room == "" || q.Room != "" && q.Room != w.room {
		return together.Part{Closed: true}
	}
	if q.Want == together.Read {
		return w.part(q.Number)
	}
	if q.Entry.Number == len(w.forms) {
		tree, err := schema.Patch(w.forms[len(w.forms)-1], q.Entry.Edits)
		if err != nil {
			w.t.Fatalf("entry %d: %v", q.Entry.Number, err)
		}
		if q.Entry.Digest = ""; q.Entry.Number%7 == 0 || q.Entry.ETag != "" {
			q.Entry.Digest = live.Digest(tree)
		}
		w.forms, w.entries = append(w.forms, tree), append(w.entries, q.Entry)
		if q.Entry.ETag != "" {
			w.tag = q.Entry.ETag
		}
		data := schema.NewObject(schema.Member{Key: "room", Value: w.room}, schema.Member{Key: "number", Value: schema.IntNumber(q.Entry.Number)})
		if q.Entry.Number%5 > 0 { // the event of a large entry lacks it
			data = data.With("entry", q.Entry.Tree())
		}
		for _, p := range w.pages {
			if p.linked {
				p.events = append(p.events, data)
			}
		}
	}
	return w.part(q.Entry.Number - 1)
}

func (w *world) part(after int) together.Part {
	p := together.Part{Room: w.room, Number: len(w.entries), ETag: w.tag}
	if after < 0 || len(w.entries)-after > 6 {
		p.Form = w.forms[len(w.forms)-1]
		return p
	}
	p.Entries = w.entries[after:]
	return p
}

// step lets a page do one thing: take an event or an entry, ask, or get an answer.
func (p *page) step(r *rand.Rand) {
	w := p.w
	w.now = w.now.Add(200 * time.Millisecond)
	if !p.Edits && p.ID() == "" {
		p.local = p.saved
	}
	if s, ok := p.TakeNext(p.state()); ok {
		p.local = s.Local
	}
	if len(p.events) > 0 && r.IntN(2) == 0 {
		p.Edit(p.events[0])
		p.events = p.events[1:]
	}
	if p.Wanted() {
		p.refresh()
	}
	switch {
	case p.asked == nil:
		if q, _ := p.Next(p.state()); q.Want != together.Nothing {
			p.asked = &q
		}
	case r.IntN(8) == 0: // lost on the way there, or on the way back
		if r.IntN(2) == 0 {
			w.answer(*p.asked)
		}
		p.asked = nil
		p.Failed(w.now, false)
	default:
		q := *p.asked
		p.asked = nil
		if s, ok := p.Done(q, w.answer(q), p.state()); ok {
			p.local = s.Local
		}
	}
}

// refresh takes the saved form.
func (p *page) refresh() {
	if p.etag == p.w.tagNow() {
		return
	}
	if !p.Edits && p.ID() != "" { // the shared form is the reader's
		p.saved, p.etag = p.w.saved, p.w.tagNow()
		return
	}
	base := p.Saved(p.w.saved)
	if base == nil {
		base = p.saved
	}
	merged, conflicts := merge.Forms(base, p.local, p.w.saved)
	for _, c := range conflicts {
		if f, err := c.TakeTheirs(merged); err == nil {
			merged = f
		}
	}
	p.local, p.saved, p.etag = merged, p.w.saved, p.w.tagNow()
}

func (p *page) edit(node int, text string) {
	if f, err := p.local.Set(model.NodePath(node).Key("alias"), text); err == nil {
		p.local = f
	}
}

func (p *page) decide() {
	forks := p.Forks(p.local)
	if len(forks) == 0 {
		return
	}
	if f, err := forks[0].TakeTheirs(p.local); err == nil && p.n%2 == 0 {
		p.local = f
	}
	p.n++
	p.Decide(forks[:1])
}

func aliases(f *model.Form) string {
	text := ""
	for _, n := range f.Nodes {
		text += n.ID + "=" + n.Alias + " "
	}
	return text
}

// Pages that edit, lose the network, save and come back in any order end with one form.
func TestPagesMeet(t *testing.T) {
	for seed := range uint64(sizetest.Of(*worlds, 50, 5000)) {
		r := rand.New(rand.NewPCG(seed, 11))
		w := &world{t: t, now: time.Unix(0, 0), saved: formtest.Parse(t, fourSteps)}
		for range 2 + r.IntN(3) {
			w.add(true).link()
		}
		w.add(false).link() // a reader
		for n := range 150 {
			p := w.pages[r.IntN(len(w.pages))]
			switch k := r.IntN(20); {
			case k < 4 && p.Edits:
				p.edit(r.IntN(4), fmt.Sprint(p.Page, ".", n))
			case k == 4:
				p.decide()
			case k == 5 && p.linked:
				p.unlink()
			case k == 6 && !p.linked:
				p.link()
			case k == 7 && p.Edits && p.etag == w.tagNow() && p.Told(p.local):
				w.etag++
				w.saved = p.ToSave(p.local)
				p.saved, p.etag = w.saved, w.tagNow()
			case k == 8:
				p.refresh()
			case k == 9: // its name belonged to somebody else
				p.Rename(fmt.Sprint(p.Page, "'"))
			default:
				p.step(r)
			}
		}
		w.settle(r)
		for _, p := range w.pages {
			if got, want := aliases(p.local), aliases(w.pages[0].local); got != want {
				t.Fatalf("seed %d: %s ends with %s, and %s with %s; room %s %s of %s", seed, p.Page, got, w.pages[0].Page, want, p.ID(), w.pages[0].ID(), w.room)
			}
			if p.local.ID != "ap_1" {
				t.Fatalf("seed %d: %s has lost the id", seed, p.Page)
			}
		}
	}
}

// settle brings everybody together until nothing happens any more.
func (w *world) settle(r *rand.Rand) {
	for _, p := range w.pages {
		if !p.linked {
			p.link()
		}
	}
	for range 600 {
		for _, p := range w.pages {
			p.refresh()
			for len(p.Forks(p.local)) > 0 {
				p.decide()
			}
			p.step(r)
		}
	}
}

// A page whose copy differs from the shared form notices it at the next entry with a digest. It then has the shared form, and has lost nothing of
// its own.
func TestCopyThatDiffersRecovers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	w := &world{t: t, now: time.Unix(0, 0), saved: formtest.Parse(t, fourSteps)}
	a, b := w.add(true), w.add(true)
	a.link()
	b.link()
	a.edit(0, "first")
	w.settle(r)
	if a.ID() == "" || b.ID() != a.ID() {
		t.Fatal("they share nothing")
	}
	// b gets another entry than a has sent.
	n := len(w.entries) + 1
	wrong := live.Entry{Number: n, Page: a.Page, Serial: n, Edits: []schema.Edit{{Path: model.NodePath(1).Key("alias"), Value: "wrong"}}}
	b.Edit(schema.NewObject(schema.Member{Key: "room", Value: w.room}, schema.Member{Key: "number", Value: schema.IntNumber(n)},
		schema.Member{Key: "entry", Value: wrong.Tree()}))
	if s, ok := b.TakeNext(b.state()); !ok {
		t.Fatal("the entry is not taken")
	} else {
		b.local = s.Local
	}
	a.edit(2, "right")
	for len(w.entries) < n {
		a.step(r)
	}
	b.edit(3, "own")
	for i := range 12 {
		a.edit(0, fmt.Sprint("a", i))
		w.settle(r)
	}
	if got, want := aliases(b.local), aliases(a.local); got != want || b.local.Nodes[2].Alias != "right" || b.local.Nodes[3].Alias != "own" {
		t.Errorf("b has %s, a %s", got, want)
	}
}

// What the server refuses is not sent again and again.
func TestRefusedRequestsGetRarer(t *testing.T) {
	w := &world{t: t, now: time.Unix(0, 0), saved: formtest.Parse(t, fourSteps)}
	p := w.add(true)
	p.link()
	w.add(true).link()
	p.edit(0, "x")
	asked := 0
	for range 3000 { // five minutes
		w.now = w.now.Add(100 * time.Millisecond)
		q, _ := p.Next(p.state())
		switch q.Want {
		case together.Tell:
			asked++
			p.Failed(w.now, true)
		case together.Nothing:
		default:
			p.Done(q, w.answer(q), p.state())
		}
	}
	if asked < 5 || asked > 12 {
		t.Errorf("asked %d times", asked)
	}
}

// A page that is alone asks for nothing, whatever it edits.
func TestNobodyElse(t *testing.T) {
	w := &world{t: t, now: time.Unix(0, 0), saved: formtest.Parse(t, fourSteps)}
	p := w.add(true)
	p.link()
	p.edit(0, "x")
	if q, wait := p.Next(p.state()); q.Want != together.Nothing || wait != 0 {
		t.Errorf("it asks for %+v", q)
	}
	other := w.add(true)
	other.link()
	if q, _ := other.Next(other.state()); q.Want != together.Nothing {
		t.Errorf("somebody without changes asks for %+v", q)
	}
	if q, _ := p.Next(p.state()); q.Want != together.Open {
		t.Errorf("with somebody else, it asks for %+v", q)
	}
}

// The pages of one browser share a form while the server is away, through one of them.
func TestLocal(t *testing.T) {
	f := formtest.Parse(t, fourSteps)
	local := &together.Local{Page: "A"}
	pages := map[string]*page{}
	for _, name := range []string{"A", "B"} {
		p := &page{w: &world{t: t, now: time.Unix(0, 0), saved: f}, saved: f, local: f, etag: "1"}
		p.Page, p.Edits = name, true
		p.Hello(true, nil)
		pages[name] = p
	}
	run := func() {
		t.Helper()
		for range 12 {
			for _, p := range pages {
				p.w.now = p.w.now.Add(time.Second)
				if s, ok := p.TakeNext(p.state()); ok {
					p.local = s.Local
				}
				q, _ := p.Next(p.state())
				if q.Want == together.Nothing {
					continue
				}
				sent, err := together.ReadRequest(q.Tree())
				if err != nil {
					t.Fatal(err)
				}
				answer, told, ok := local.Answer(sent)
				if !ok {
					t.Fatalf("%+v is refused", q)
				}
				part, err := together.ReadPart(answer.Tree())
				if err != nil {
					t.Fatal(err)
				}
				for _, other := range pages {
					if told != nil {
						other.Edit(told)
					}
				}
				if s, ok := p.Done(q, part, p.state()); ok {
					p.local = s.Local
				}
			}
		}
	}
	pages["A"].edit(0, "from A")
	pages["B"].edit(1, "from B")
	run()
	want := "a=from A b=from B c=0 d=0 "
	for name, p := range pages {
		if got := aliases(p.local); got != want {
			t.Errorf("%s has %s, want %s", name, got, want)
		}
	}
	// Another page takes over without the room.
	local = &together.Local{Page: "B"}
	pages["B"].edit(2, "later")
	run()
	want = "a=from A b=from B c=later d=0 "
	for name, p := range pages {
		if got := aliases(p.local); got != want {
			t.Errorf("%s has %s, want %s", name, got, want)
		}
	}
	if _, _, ok := local.Answer(together.Request{Want: together.Tell, Entry: live.Entry{
		Number: 1 + len(aliases(f)), Edits: []schema.Edit{{Path: schema.Path{schema.Key("name"), schema.Key("x")}}},
	}}); !ok {
		t.Error("an entry of a later number is refused instead of answered")
	}
}

// A page whose entry came second tells it again at once, and not after the pause between two entries. Each further time it waits longer.
func TestSecondTellsAgain(t *testing.T) {
	w := &world{t: t, now: time.Unix(0, 0), saved: formtest.Parse(t, fourSteps)}
	first, second := w.add(true), w.add(true)
	first.link()
	second.link()
	first.edit(0, "x") // opens the room
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		first.step(r)
		second.step(r)
	}
	takeAll := func() {
		for _, p := range w.pages {
			p.events = nil
			for s, ok := p.TakeNext(p.state()); ok; s, ok = p.TakeNext(p.state()) {
				p.local = s.Local
			}
		}
	}
	w.now = w.now.Add(time.Second)
	second.edit(1, "y")
	late, _ := second.Next(second.state())
	for i, want := range []time.Duration{0, 10 * time.Millisecond, 20 * time.Millisecond} {
		w.now = w.now.Add(time.Second)
		first.edit(0, fmt.Sprint(i))
		ahead, _ := first.Next(first.state())
		if ahead.Want != together.Tell || late.Want != together.Tell {
			t.Fatalf("%d: the pages ask for %v and %v", i, ahead.Want, late.Want)
		}
		first.Done(ahead, w.answer(ahead), first.state())
		second.Done(late, w.answer(late), second.state())
		takeAll()
		if want > 0 {
			if q, wait := second.Next(second.state()); q.Want != together.Nothing || wait != want {
				t.Errorf("%d: the second asks for %v and waits %v, want %v", i, q.Want, wait, want)
			}
		}
		w.now = w.now.Add(want)
		late, _ = second.Next(second.state())
	}
	second.Done(late, w.answer(late), second.state())
	if last := w.entries[len(w.entries)-1]; last.Page != second.Page {
		t.Errorf("the last entry is that of %s", last.Page)
	}
}

// A page that joins a shared form knows whose work it takes if one person has edited it.
func TestWhoEditedBefore(t *testing.T) {
	f := formtest.Parse(t, `{"id":"ap_1","name":"Form","nodes":[]}`)
	for _, tt := range []struct {
		people []string
		want   string
	}{{nil, ""}, {[]string{"Ben"}, "Ben"}, {[]string{"Ben", "Cem"}, ""}} {
		part, err := together.ReadPart(together.Part{Room: "R", Number: 3, Form: live.Content(f.Tree()), People: tt.people}.Tree())
		if err != nil {
			t.Fatal(err)
		}
		r := together.Room{Page: "A", Edits: true}
		r.Done(together.Request{Want: together.Read, Number: -1}, part, together.State{Saved: f, Local: f, Now: time.Now()})
		if r.ID() != "R" || r.Who() != tt.want {
			t.Errorf("%q: in room %q after %q", tt.people, r.ID(), r.Who())
		}
	}
}
