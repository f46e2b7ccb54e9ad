package draft_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/app/draft"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// store stores the parts of a draft as a browser does.
type store map[string][]byte

func (s store) write(b draft.Batch) {
	for _, name := range b.Delete {
		delete(s, name)
	}
	for _, p := range b.Put {
		s[p.Name] = bytes.Clone(p.Content)
	}
}

func formOf(tb testing.TB, text string) *model.Form {
	tb.Helper()
	v, ps := schema.Decode([]byte(text))
	if len(ps) > 0 {
		tb.Fatal(ps)
	}
	return model.FromTree(v.(*schema.Object))
}

func path(tb testing.TB, text string) schema.Path {
	tb.Helper()
	p, err := schema.ParsePath(text)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// clock returns a clock that advances by one second with each call.
func clock() func() time.Time {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time { now = now.Add(time.Second); return now }
}

// show returns the content of a history as text.
func show(p editor.Past) string {
	var b bytes.Buffer
	state := func(label string, s editor.State) {
		fmt.Fprintf(&b, "%s: %s %v\n", label, schema.Encode(s.Form.Tree()), s.Pending)
	}
	state("origin", p.Origin)
	for _, s := range p.Steps {
		state(s.Label.String()+" "+s.At.UTC().Format(time.RFC3339Nano), s.State)
	}
	fmt.Fprintf(&b, "at %d\nsaved %s\n", p.At, schema.Encode(p.Saved.Tree()))
	return b.String()
}

const threeNodes = `{"id":"ap_a","name":"x","nodes":[
	{"id":"a","type":"STEP","config":{"components":[{"id":"c","category":"FIELD","type":"TEXT"}]}},
	{"id":"b","type":"ROUTER","config":{"rules":[]}},
	{"id":"c","type":"STEP","config":{}}, 7],"start":{"next_node":"a"}}`

// randomCommand returns an edit of any part of a form.
func randomCommand(t *testing.T, e *editor.Editor, rng *rand.Rand) editor.Command {
	t.Helper()
	f := e.State().Form
	list := f.Tree().List("nodes")
	place := path(t, "nodes").Index(rng.IntN(len(list) + 1))
	switch rng.IntN(9) {
	case 0:
		return editor.Set{Path: path(t, "name"), Value: fmt.Sprint("name ", rng.IntN(1000))}
	case 1:
		return editor.Set{Path: path(t, "translations.de.x"), Value: fmt.Sprint(rng.IntN(1000))}
	case 2:
		return editor.Clear{Path: path(t, "translations")}
	case 3:
		return editor.InsertItem{Path: place, Value: schema.NewObject(schema.Member{Key: "id", Value: fmt.Sprint("n", rng.IntN(1000))})}
	case 4:
		return editor.RemoveItem{Path: path(t, "nodes").Index(rng.IntN(max(1, len(list))))}
	case 5:
		return editor.MoveItem{List: path(t, "nodes"), From: rng.IntN(max(1, len(list))), To: rng.IntN(max(1, len(list)))}
	case 6:
		return editor.Set{Path: path(t, "nodes[0].alias"), Value: fmt.Sprint(rng.IntN(1000))}
	case 7:
		return editor.SetPending{Path: path(t, "nodes[0].config.schema"), Text: fmt.Sprint("{", rng.IntN(1000))}
	}
	return editor.Clear{Path: path(t, "nodes")}
}

// TestDraftMatchesTheHistoryAfterEveryCommand runs random commands, writes the batch of the Log
// after each, and sometimes reads the draft back, as after a crash.
// changedByTenant returns what a tenant makes of a form that was saved.
func changedByTenant(t *testing.T, f *model.Form, rng *rand.Rand) *model.Form {
	t.Helper()
	f, err := f.Set(path(t, "messages.custom.a"), fmt.Sprint(rng.IntN(3)))
	for i, n := range f.Nodes {
		if n.Tree() != nil && rng.IntN(2) == 0 && err == nil {
			f, err = f.Set(model.NodePath(i).Key("alias"), fmt.Sprint("tenant ", rng.IntN(3)))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestDraftMatchesTheHistoryAfterEveryCommand(t *testing.T) {
	for seed := range uint64(sizetest.Of(0, 2, 60)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		config := editor.Config{Now: clock(), Rand: rng.IntN}
		e := editor.New(formOf(t, threeNodes), config)
		log, parts := &draft.Log{}, store{}
		meta := draft.Meta{Form: "ap_a", Changed: config.Now()}
		for i := range 900 {
			switch rng.IntN(12) {
			case 0, 1:
				e.Undo()
			case 2:
				e.Redo()
			case 3:
				if sent := e.State().Form; rng.IntN(2) == 0 {
					e.Saved(sent)
				} else {
					_ = e.Run(randomCommand(t, e, rng)) // while the save is under way
					e.Answered(sent, changedByTenant(t, sent, rng))
				}
			case 4:
				if rng.IntN(20) == 0 {
					e.JumpTo(rng.IntN(len(e.Steps())))
				}
			case 5:
				if rng.IntN(10) == 0 {
					_, _ = e.Merge(formOf(t, threeNodes))
				}
			default:
				_ = e.Run(randomCommand(t, e, rng)) // some are refused
				if rng.IntN(3) > 0 {
					e.Seal()
				}
			}
			meta.Name, meta.Changes = e.State().Form.Name, e.ChangeCount()
			parts.write(log.Next(e.Past(), meta, "etag"))
			if rng.IntN(25) > 0 {
				continue
			}
			d, next, err := draft.Read(parts)
			if err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, i, err)
			}
			if d.Meta != meta || d.ETag != "etag" {
				t.Fatalf("seed %d, step %d: got %+v, want %+v", seed, i, d.Meta, meta)
			}
			got := d.Past
			if extra := len(got.Steps) - len(e.Past().Steps); extra > 0 { // forgotten by the editor, not yet by the draft
				got = editor.Past{Origin: got.Steps[extra-1].State, Steps: got.Steps[extra:], At: got.At - extra, Saved: got.Saved}
			}
			if diff := cmp.Diff(show(e.Past()), show(got)); diff != "" {
				t.Fatalf("seed %d, step %d:\n%s", seed, i, diff)
			}
			if rng.IntN(2) == 0 { // the browser was killed
				e, log = editor.Restore(d.Past, config), next
			}
		}
	}
}

func TestCommandWritesWhatItChanged(t *testing.T) {
	var nodes bytes.Buffer
	for i := range 2000 {
		fmt.Fprintf(&nodes, `,{"id":"n%d","type":"STEP","config":{}}`, i)
	}
	e := editor.New(formOf(t, `{"id":"ap_a","name":"x","nodes":[`+nodes.String()[1:]+`]}`), editor.Config{Now: clock()})
	var log draft.Log
	log.Next(e.Past(), draft.Meta{Form: "ap_a"}, "")
	if err := e.Run(editor.Set{Path: path(t, "nodes[1000].alias"), Value: "new"}); err != nil {
		t.Fatal(err)
	}
	size := 0
	b := log.Next(e.Past(), draft.Meta{Form: "ap_a"}, "")
	for _, p := range b.Put {
		size += len(p.Content)
	}
	if size > 1000 || len(b.Delete) > 0 {
		t.Errorf("one edit of 2,000 nodes writes %d bytes and deletes %v", size, b.Delete)
	}
	// Saving writes no form either: the saved form is that of a step.
	e.Saved(e.State().Form)
	for _, p := range log.Next(e.Past(), draft.Meta{Form: "ap_a"}, "").Put {
		if len(p.Content) > 1000 {
			t.Errorf("saving writes %d bytes to %s", len(p.Content), p.Name)
		}
	}
}

func TestDamagedStepEndsTheHistoryBeforeIt(t *testing.T) {
	e := editor.New(formOf(t, threeNodes), editor.Config{Now: clock()})
	log, parts := &draft.Log{}, store{}
	for _, name := range []string{"one", "two", "three"} {
		if err := e.Run(editor.Set{Path: path(t, "name"), Value: name}); err != nil {
			t.Fatal(err)
		}
		e.Seal()
	}
	meta := draft.Meta{Form: "ap_a", Changed: clock()()}
	parts.write(log.Next(e.Past(), meta, ""))
	parts["step-1"] = []byte(`{"nodes":[[0,99]]}`)
	d, next, err := draft.Read(parts)
	if err == nil || next == nil || d.Past.Now().Form.Name != "one" || d.Past.At != 1 {
		t.Fatalf("got %q at %d, %v", d.Past.Now().Form.Name, d.Past.At, err)
	}
	r := editor.Restore(d.Past, editor.Config{Now: clock()})
	if err := r.Run(editor.Set{Path: path(t, "name"), Value: "four"}); err != nil {
		t.Fatal(err)
	}
	parts.write(next.Next(r.Past(), meta, ""))
	if d, _, err = draft.Read(parts); err != nil || d.Past.Now().Form.Name != "four" || len(d.Past.Steps) != 2 {
		t.Errorf("after continuing: %q, %d steps, %v", d.Past.Now().Form.Name, len(d.Past.Steps), err)
	}
}

func TestUnreadableDrafts(t *testing.T) {
	for name, parts := range map[string]map[string][]byte{
		"nothing":         nil,
		"another version": {"head": []byte(`{"version":2,"form":"ap_a"}`)},
		"no origin": {"head": []byte(`{"version":1,"form":"ap_a","changed":"2026-01-02T03:04:05Z","changes":1,"first":0,"steps":0,` +
			`"at":0,"saved_as":-1}`)},
		"not an object": {"head": []byte(`[]`)},
	} {
		if _, log, err := draft.Read(parts); err == nil || log != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
