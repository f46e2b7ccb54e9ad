package versions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/server/store"
)

// history is a random history of a form, and what its authors did.
type randomHistory struct {
	r     *rand.Rand
	forms []*model.Form
	by    []Author
	// renamed are the renamings of each version, from the version before to this one.
	renamed [][][2]element
	made    int // how many ids were made
}

const blamedForm = `{"name":"A","start":{"next_node":"one","hidden_fields":[{"key":"k","value":"v"}]},"nodes":[
	{"id":"one","type":"STEP","coordinates":{"x":1,"y":1},"config":{"components":[{"id":"ca","category":"FIELD","type":"TEXT","label":"A"},
		{"id":"cb","category":"FIELD","type":"TEXT","label":"{{fields.ca}}"}],"next_node":"two"}},
	{"id":"two","type":"ROUTER","coordinates":{"x":2,"y":2},"config":{"rules":[{"id":"ra","alias":"A","condition":null,"next_node":"one"},{"id":"rb","alias":"B","condition":null}],"fallback":"three"}},
	{"id":"three","type":"FLOW","coordinates":{"x":3,"y":3},"config":{"flow_id":"af_1","next_node":"$ending"}}],"ending":{"resume_flow":true}}`

func (h *randomHistory) id() string {
	h.made++
	return fmt.Sprintf("new%d", h.made)
}

// edit makes a random change of the newest form, and returns what was renamed by it.
func (h *randomHistory) edit(t *testing.T, f *model.Form) (*model.Form, [2]element) {
	t.Helper()
	must := func(g *model.Form, err error) *model.Form {
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	none := [2]element{}
	if h.r.IntN(12) == 0 {
		return must(f.Set(schema.Path{schema.Key("start"), schema.Key("hidden_fields"), schema.Index(0), schema.Key("value")}, h.id())), none
	}
	if len(f.Nodes) == 0 || h.r.IntN(8) == 0 {
		// With its alias it equals no other: an empty node for an empty one that was removed cannot be told from one that was renamed and moved.
		n := model.NewNode([]model.NodeType{model.StepNode, model.RouterNode, model.FlowNode}[h.r.IntN(3)], h.id(), model.Point{X: 10 + h.made, Y: h.made})
		n = n.With("alias", h.id())
		list := slices.Insert(slices.Clone(f.Tree().List("nodes")), h.r.IntN(len(f.Nodes)+1), any(n))
		return f.Derive(f.Tree().With("nodes", list)), none
	}
	at := h.r.IntN(len(f.Nodes))
	n := f.Nodes[at]
	path := model.NodePath(at)
	list, _ := schema.Lookup(f.Tree(), path.Key("config"))
	config, _ := list.(*schema.Object)
	parts, key := config.List("components"), "components"
	if n.Type == model.RouterNode {
		parts, key = config.List("rules"), "rules"
	}
	set := func(parts []any) *model.Form {
		return f.Derive(must(f.Set(path.Key("config").Key(key), parts)).Tree())
	}
	switch k := h.r.IntN(14); {
	case k == 0:
		return must(f.Set(path.Key("coordinates"), model.Point{X: 100 + h.made, Y: h.r.IntN(99)}.Tree())), none
	case k == 1 && len(f.Nodes) > 2:
		return f.Derive(f.Tree().With("nodes", slices.Delete(slices.Clone(f.Tree().List("nodes")), at, at+1))), none
	case k < 4:
		id := h.id()
		return must(flow.RenameNode(f, n.ID, id)), [2]element{nodeOf(n.ID), nodeOf(id)}
	case k == 4:
		return must(f.Set(path.Key("alias"), h.id())), none
	case n.Type == model.FlowNode:
		return must(f.Set(path.Key("config").Key("flow_id"), "af_"+h.id())), none
	case k == 5 && n.Type == model.StepNode || len(parts) == 0 && n.Type == model.StepNode:
		c := model.NewComponent(model.KindOf("TEXT"), model.SpecDialect, h.id()).With("label", h.id())
		return set(slices.Insert(slices.Clone(parts), h.r.IntN(len(parts)+1), any(c))), none
	case k == 5 || len(parts) == 0:
		return set(append(slices.Clone(parts), schema.NewObject(schema.Member{Key: "id", Value: h.id()}, schema.Member{Key: "alias", Value: h.id()}))), none
	}
	i := h.r.IntN(len(parts))
	part, _ := parts[i].(*schema.Object)
	switch k := h.r.IntN(6); {
	case k == 0:
		return set(slices.Delete(slices.Clone(parts), i, i+1)), none
	case k == 1:
		j := h.r.IntN(len(parts))
		parts = slices.Clone(parts)
		parts[i], parts[j] = parts[j], parts[i]
		return set(parts), none
	case k == 2 && key == "rules":
		id := h.id()
		return must(flow.RenameRule(f, n.ID, part.Text("id"), id)), [2]element{ruleOf(n.ID, part.Text("id")), ruleOf(n.ID, id)}
	case k == 2:
		id := h.id()
		return must(flow.RenameComponent(f, part.Text("id"), id)), [2]element{componentOf(part.Text("id")), componentOf(id)}
	case k == 3 && key == "components":
		for j := range f.Nodes {
			if f.Nodes[j].Type == model.StepNode && j != at {
				g := set(slices.Delete(slices.Clone(parts), i, i+1))
				to := model.NodePath(j).Key("config").Key("components")
				there, _ := schema.Lookup(g.Tree(), to)
				has, _ := there.([]any)
				return must(g.Set(to, append(slices.Clone(has), any(part)))), none
			}
		}
	}
	name := "label"
	if key == "rules" {
		name = "alias"
	}
	return must(f.Set(path.Key("config").Key(key).Index(i).Key(name), h.id())), none
}

func rename(f *model.Form, p [2]element) (*model.Form, error) {
	switch p[0].kind() {
	case 'n':
		return flow.RenameNode(f, p[0].id(), p[1].id())
	case 'c':
		return flow.RenameComponent(f, p[0].id(), p[1].id())
	}
	router, old := p[0].rule()
	_, id := p[1].rule()
	return flow.RenameRule(f, router, old, id)
}

// changedBy returns the elements that an oracle finds changed: the differences by id, after the older form was renamed.
func changedBy(t *testing.T, before, now *model.Form, renamed [][2]element) map[element]bool {
	t.Helper()
	for _, p := range renamed {
		next, err := rename(before, p)
		switch {
		case err == nil:
			before = next
		case !errors.Is(err, flow.ErrNoID): // it was added by the same save
			t.Fatal(err)
		}
	}
	got := map[element]bool{}
	all := func(f *model.Form, i int) {
		n := f.Nodes[i]
		got[nodeOf(n.ID)] = true
		tree, _ := schema.Lookup(f.Tree(), model.NodePath(i).Key("config"))
		config, _ := tree.(*schema.Object)
		for _, v := range config.List("rules") {
			got[ruleOf(n.ID, v.(*schema.Object).Text("id"))] = true
		}
		for _, v := range config.List("components") {
			id := v.(*schema.Object).Text("id")
			if c, _, _ := before.Component(id); c == nil {
				got[componentOf(id)] = true
			}
		}
	}
	for _, c := range merge.Changes(before, now) {
		at := model.PlaceOf(c.Path)
		switch {
		case c.Layout():
		case at.End != "":
			got[nodeOf(at.End)] = true
		case at.Node < 0:
		case at.IsNode() && c.Kind == merge.Added:
			all(now, at.Node)
		case at.IsNode():
		default:
			got[nodeOf(c.Node)] = true
			from := model.PlaceOf(c.From)
			if c.Kind == merge.Moved && c.Component != "" {
				got[nodeOf(before.Nodes[from.Node].ID)] = true
			}
			switch {
			case c.Kind == merge.Removed && len(at.Rest) == 0:
			case c.Component != "" && (c.Kind != merge.Moved || before.Nodes[from.Node].ID != c.Node):
				got[componentOf(c.Component)] = true
			case c.Rule != "" && c.Kind != merge.Moved:
				got[ruleOf(c.Node, c.Rule)] = true
			}
		}
	}
	return got
}

// oracle returns who changed what last, by comparing every pair of successive versions.
func (h *randomHistory) oracle(t *testing.T) map[element]int {
	t.Helper()
	newest := len(h.forms) - 1
	out := map[element]int{}
	for _, e := range elementsOf(h.forms[newest]).order {
		name := e
		for i := newest; ; i-- {
			if i == 0 || changedBy(t, h.forms[i-1], h.forms[i], h.renamed[i])[name] {
				out[e] = i
				break
			}
			for _, p := range slices.Backward(h.renamed[i]) {
				router, id := "", ""
				if name.kind() == 'r' {
					router, id = name.rule()
				}
				switch {
				case p[1] == name:
					name = p[0]
				case p[1] == nodeOf(router):
					name = ruleOf(p[0].id(), id)
				}
			}
		}
	}
	return out
}

// savedHours returns the form as saved some hours after noon.
func savedHours(f *model.Form, i int) []byte {
	return schema.Encode(f.Tree().With("updated_at", noon().Add(time.Duration(i)*time.Hour).Format(time.RFC3339)))
}

// told returns blame as the oracle does: the index of the version by its hour.
func (b *Blame) hours() map[element]int {
	out := map[element]int{}
	hour := func(c *Change) int { return int(c.Saved.Sub(noon()).Hours()) }
	for id, c := range b.Nodes {
		out[nodeOf(id)] = hour(c)
	}
	for id, c := range b.Components {
		out[componentOf(id)] = hour(c)
	}
	for router, rules := range b.Rules {
		for id, c := range rules {
			out[ruleOf(router, id)] = hour(c)
		}
	}
	return out
}

func newRandomHistory(t *testing.T, seed uint64, saves int) *randomHistory {
	t.Helper()
	h := &randomHistory{r: rand.New(rand.NewPCG(seed, 1)), forms: []*model.Form{formtest.Parse(t, blamedForm)}, by: []Author{ann}, renamed: [][][2]element{nil}}
	for range saves {
		f, pairs := h.save(t)
		for !evident(h.forms[len(h.forms)-1], f, pairs) {
			f, pairs = h.save(t)
		}
		h.forms, h.by, h.renamed = append(h.forms, f), append(h.by, []Author{ann, bob}[h.r.IntN(2)]), append(h.renamed, pairs)
	}
	return h
}

// save makes some random changes of the newest form, and returns what was renamed by them.
func (h *randomHistory) save(t *testing.T) (*model.Form, [][2]element) {
	t.Helper()
	f := h.forms[len(h.forms)-1]
	var pairs [][2]element
	for range 1 + h.r.IntN(3) {
		var p [2]element
		if f, p = h.edit(t, f); p[0] != "" {
			pairs = append(pairs, p)
		}
	}
	return f, kept(pairs, f)
}

// evident reports whether each renaming shows: a component is otherwise the same, and a node is, or it is at its place.
func evident(before, now *model.Form, pairs [][2]element) bool {
	for _, p := range pairs {
		if next, err := rename(before, p); err == nil {
			before = next
		}
	}
	was, is := elementsOf(before).parts, elementsOf(now).parts
	for _, p := range pairs {
		a, b := was[p[1]], is[p[1]]
		if a.tree == nil || b.tree == nil || same(a, b) || p[1].kind() == 'r' {
			continue
		}
		if p[1].kind() == 'c' || !schema.Equal(a.tree.(*schema.Object).Object("coordinates"), b.tree.(*schema.Object).Object("coordinates")) {
			return false
		}
	}
	return true
}

// kept returns the renamings of what the form still has. Of an element that was renamed and then removed, only the references that were
// changed with it are left.
func kept(pairs [][2]element, f *model.Form) [][2]element {
	alive := elementsOf(f).parts
	var out [][2]element
	for _, p := range slices.Backward(pairs) {
		was, ok := alive[p[1]]
		if !ok {
			continue
		}
		out = append(out, p)
		alive[p[0]] = was
		for _, e := range slices.Collect(maps.Keys(alive)) {
			if router, id := e.rule(); e.kind() == 'r' && nodeOf(router) == p[1] {
				alive[ruleOf(p[0].id(), id)] = alive[e]
			}
		}
	}
	slices.Reverse(out)
	return out
}

func (h *randomHistory) check(t *testing.T, b *Blame, when string) {
	t.Helper()
	got, want := b.hours(), h.oracle(t)
	for e, i := range want {
		if g, ok := got[e]; !ok || g != i {
			t.Errorf("%s: %s was changed by version %d (of %d), got %d, %t", when, e, i, len(h.forms), g, ok)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d elements, want %d", when, len(got), len(want))
	}
	for id, c := range b.Nodes {
		if i := got[nodeOf(id)]; c.By != h.by[i] {
			t.Errorf("%s: node %s by %v, want %v", when, id, c.By, h.by[i])
		}
	}
}

// Blame is what comparing every pair of successive versions finds, whatever is recorded late, and also after versions were removed.
func TestBlame(t *testing.T) {
	skipped, seeds := 0, sizetest.Of(0, 4, 200)
	for seed := range uint64(seeds) {
		random := newRandomHistory(t, seed, 30)
		h := newHistory(t)
		order := make([]int, len(random.forms))
		for i := range order {
			order[i] = i
		}
		for i := 1; i < len(order)-1; i++ { // some are recorded late
			if random.r.IntN(5) == 0 {
				order[i], order[i+1] = order[i+1], order[i]
			}
		}
		for n, i := range order {
			if err := h.record(t.Context(), "f", savedHours(random.forms[i], i), random.by[i], false); err != nil {
				t.Fatal(err)
			}
			if n == len(order)/2 {
				if _, err := h.Blame(t.Context(), "f"); err != nil { // it is remembered, and must not be when more is recorded
					t.Fatal(err)
				}
			}
		}
		list, _, err := h.Stored.List(t.Context(), "f", 0, 100)
		if err != nil || len(list) != len(random.forms) {
			skipped++
			continue // two versions with the same content are one
		}
		b, err := h.Blame(t.Context(), "f")
		if err != nil || !b.Complete {
			t.Fatalf("%+v, %v", b, err)
		}
		random.check(t, b, fmt.Sprint("seed ", seed))
		h.Now = func() time.Time { return noon().Add(keepAll + time.Duration(len(order)-5)*time.Hour) }
		if err := h.prune(t.Context(), "f"); err != nil {
			t.Fatal(err)
		}
		if b, err = h.Blame(t.Context(), "f"); err != nil || !b.Complete {
			t.Fatalf("%+v, %v", b, err)
		}
		random.check(t, b, fmt.Sprint("pruned, seed ", seed))
		if t.Failed() {
			t.FailNow()
		}
	}
	if skipped > seeds/2 {
		t.Errorf("%d histories were not compared", skipped)
	}
}

// asksFewer counts the versions whose changes are read from the store.
type asksFewer struct {
	store.Versions

	read int
}

func (s *asksFewer) Changes(ctx context.Context, form string, limit int) ([]store.Version, error) {
	all, err := s.Versions.Changes(ctx, form, limit)
	s.read += len(all)
	return all, err
}

// Blame continues from an earlier result and finds the same as from scratch, also if versions were recorded late.
func TestBlameGoesOn(t *testing.T) {
	for seed := range uint64(sizetest.Of(0, 3, 50)) {
		random := newRandomHistory(t, 100+seed, 40)
		h := newHistory(t)
		stored := &asksFewer{Versions: h.Stored}
		h.Stored = stored
		late := map[int]bool{20: true, 30: true}
		whole := 0 // versions whose changes must be read
		for i, f := range random.forms {
			hours := i
			if late[i] {
				hours = i - 3
			}
			if err := h.record(t.Context(), "f", savedHours(f, hours), random.by[i], false); err != nil {
				t.Fatal(err)
			}
			if i%3 == 2 {
				continue // several are new
			}
			stored.read = 0
			b, err := h.Blame(t.Context(), "f")
			read := stored.read
			fresh, wrong := NewHistory(h.Stored, h.Now).Blame(t.Context(), "f")
			if err != nil || wrong != nil {
				t.Fatal(err, wrong)
			}
			if !reflect.DeepEqual(b, fresh) {
				t.Fatalf("seed %d, version %d:\n%v, want\n%v", seed, i, b, fresh)
			}
			if read > 3 {
				whole++
			}
		}
		if whole > 1+len(late)*2 {
			t.Errorf("seed %d: all changes were read %d times", seed, whole)
		}
	}
}

// Versions that were recorded without what they changed are compared when blame is asked for, and only once.
func TestBlameOfOlderRows(t *testing.T) {
	random := newRandomHistory(t, 7, 12)
	h := newHistory(t)
	for i, f := range random.forms {
		if err := h.record(t.Context(), "f", savedHours(f, i), random.by[i], false); err != nil {
			t.Fatal(err)
		}
	}
	list, _, err := h.Stored.List(t.Context(), "f", 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		if _, err := h.Stored.Describe(t.Context(), "f", v.Number, func(v *store.Version) error { v.Changed = nil; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	b, err := h.Blame(t.Context(), "f")
	if err != nil {
		t.Fatal(err)
	}
	random.check(t, b, "compared")
	all, err := h.Stored.Changes(t.Context(), "f", 1000)
	if err != nil || len(all[0].Changed) == 0 {
		t.Errorf("what the newest changed is not stored: %v", err)
	}
}

// A renamed node is found by its content, its place and its parts, the strongest first, also among others that were added or removed.
func TestRenamedNodes(t *testing.T) {
	form := func(nodes ...string) *model.Form {
		return formtest.Parse(t, `{"name":"A","start":{},"ending":{},"nodes":[`+strings.Join(nodes, ",")+`]}`)
	}
	flowAt := func(id string, x int, flow string) string {
		return fmt.Sprintf(`{"id":%q,"type":"FLOW","coordinates":{"x":%d,"y":0},"config":{"flow_id":%q}}`, id, x, flow)
	}
	stepAt := func(id string, x int, components ...string) string {
		for i, c := range components {
			components[i] = fmt.Sprintf(`{"id":%q,"category":"FIELD","type":"TEXT"}`, c)
		}
		return fmt.Sprintf(`{"id":%q,"type":"STEP","coordinates":{"x":%d,"y":0},"config":{"components":[%s]}}`, id, x, strings.Join(components, ","))
	}
	for name, forms := range map[string][2]*model.Form{
		"an equal one is added":            {form(flowAt("old", 1, "")), form(flowAt("other", 9, ""), flowAt("new", 1, ""))},
		"an equal one is removed":          {form(flowAt("other", 9, ""), flowAt("old", 1, "")), form(flowAt("new", 1, ""))},
		"it is moved":                      {form(flowAt("old", 1, "")), form(flowAt("new", 9, ""))},
		"it is changed":                    {form(flowAt("old", 1, "a")), form(flowAt("new", 1, "b"))},
		"it is moved and loses a part":     {form(stepAt("old", 1, "c", "d")), form(stepAt("new", 9, "c"))},
		"its part goes to one that is new": {form(stepAt("old", 1, "c", "d")), form(stepAt("other", 9, "c"), stepAt("new", 1))},
	} {
		_, _, pairs := renamed(forms[0], forms[1])
		if want := [][2]element{{"n:old", "n:new"}}; !slices.Equal(pairs, want) {
			t.Errorf("%s: got %v, want %v", name, pairs, want)
		}
	}
}

// Without an earlier version, or with one that is damaged, nobody is blamed for what was there.
func TestBlameAtTheBeginning(t *testing.T) {
	h := newHistory(t)
	if _, err := h.Blame(t.Context(), "f"); err != store.ErrNotFound { //nolint:errorlint // it is returned as it is
		t.Errorf("without versions: %v", err)
	}
	v := store.Version{Form: "f", Number: 1, Saved: noon(), Hash: []byte{1}, Base: 1, Body: []byte("damaged")}
	if err := h.Stored.Add(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	f := formtest.Parse(t, blamedForm)
	if err := h.record(t.Context(), "f", savedHours(f, 1), ann, false); err != nil {
		t.Fatal(err)
	}
	b, err := h.Blame(t.Context(), "f")
	if err != nil || len(b.hours()) != 0 || !b.Complete {
		t.Errorf("after a damaged one: %v, %v", b, err)
	}
	g, err := f.Set(model.NodePath(0).Key("alias"), "X")
	if err != nil {
		t.Fatal(err)
	}
	if err := h.record(t.Context(), "f", savedHours(g, 2), bob, false); err != nil {
		t.Fatal(err)
	}
	if b, err = h.Blame(t.Context(), "f"); err != nil || len(b.hours()) != 1 || b.Nodes["one"].By != bob || !strings.HasPrefix(b.Nodes["one"].By.ID, "auth0|") {
		t.Errorf("after a change: %+v, %v", b, err)
	}
}

// Blame names an author who was credited after an earlier call.
func TestBlameOfAnAuthorWhoIsLate(t *testing.T) {
	h := newHistory(t)
	f := formtest.Parse(t, blamedForm)
	for _, by := range []Author{{}, ann} {
		if err := h.record(t.Context(), "f", savedHours(f, 1), by, false); err != nil {
			t.Fatal(err)
		}
		if b, err := h.Blame(t.Context(), "f"); err != nil || b.Nodes["one"].By != by {
			t.Errorf("by %v: %+v, %v", by, b, err)
		}
	}
}
