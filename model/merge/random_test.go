package merge_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// author makes random edits through the public API. From a valid form it makes valid
// forms.
type author struct {
	t      testing.TB
	r      *rand.Rand
	name   string                 // prefix of the ids that it makes
	mine   func(node string) bool // the nodes that it may edit
	shared bool                   // it also edits properties of the form and the order of nodes
	keeps  bool                   // it renames nothing
	n      int
}

func newAuthor(tb testing.TB, seed uint64, name string) *author {
	tb.Helper()
	return &author{t: tb, r: rand.New(rand.NewPCG(seed, 7)), name: name, shared: true}
}

func (a *author) fresh() string {
	a.n++
	return fmt.Sprintf("%s%d", a.name, a.n)
}

func (a *author) word() string { return fmt.Sprintf("%s %d", a.name, a.r.IntN(1000)) }

var authorKinds = []string{
	"DIVIDER",
	"HTML",
	"IMAGE",
	"NEXT_BUTTON",
	"RICH_TEXT",
	"TEXT",
	"EMAIL",
	"CHOICE",
	"BOOLEAN",
	"PAYMENT",
	"RECAPTCHA",
	"CUSTOM",
	"JUMP_BUTTON",
	"RESEND_BUTTON",
}

func (a *author) component() *schema.Object {
	k := model.KindOf(authorKinds[a.r.IntN(len(authorKinds))])
	return filled(model.NewComponent(k, model.SpecDialect, a.fresh())).(*schema.Object)
}

// filled fills in values that only an author knows.
func filled(v any) any {
	switch v := v.(type) {
	case string:
		if v == "" {
			return "known"
		}
	case *schema.Object:
		for _, m := range v.Members() {
			v = v.With(m.Key, filled(m.Value))
		}
		return v
	}
	return v
}

func (a *author) node() *schema.Object {
	t := []model.NodeType{model.StepNode, model.StepNode, model.StepNode, model.FlowNode, model.RouterNode}[a.r.IntN(5)]
	n := model.NewNode(t, a.fresh(), model.Point{X: a.r.IntN(100), Y: a.r.IntN(100)})
	list := []any{}
	for range a.r.IntN(4) {
		if t == model.StepNode {
			list = append(list, a.component())
		} else {
			list = append(list, model.NewRule(a.fresh()))
		}
	}
	switch t {
	case model.StepNode:
		return n.With("config", schema.NewObject(schema.Member{Key: "components", Value: list}))
	case model.RouterNode:
		return n.With("config", schema.NewObject(schema.Member{Key: "rules", Value: list}))
	case model.FlowNode:
	}
	return n
}

// form makes a form with a number of nodes.
func (a *author) form(nodes int) *model.Form {
	f := model.New("form")
	for range nodes {
		f = a.insert(f, schema.Path{schema.Key("nodes")}, a.node())
	}
	for range nodes {
		f = a.point(f)
	}
	f = a.set(f, "messages.custom.hello", "Hello")
	f = a.set(f, "translations.de.components.c.label", "Hallo")
	f = a.set(f, "start.hidden_fields", []any{
		schema.NewObject(schema.Member{Key: "key", Value: "h1"}), schema.NewObject(schema.Member{Key: "key", Value: "h2"}),
	})
	return f
}

func (a *author) must(f *model.Form, err error) *model.Form {
	if err != nil {
		a.t.Fatal(err)
	}
	return f
}

func (a *author) set(f *model.Form, path string, v any) *model.Form {
	p, err := schema.ParsePath(path)
	if err != nil {
		a.t.Fatal(err)
	}
	return a.must(f.Set(p, v))
}

// insert inserts an element at a random place in a list.
func (a *author) insert(f *model.Form, list schema.Path, v any) *model.Form {
	l, _ := schema.Lookup(f.Tree(), list)
	elems, _ := l.([]any)
	return a.must(f.Insert(list.Index(a.r.IntN(len(elems)+1)), v))
}

// pick returns the index of a suitable node that the author may edit, or -1.
func (a *author) pick(f *model.Form, fits func(i int) bool) int {
	var all []int
	for i, n := range f.Nodes {
		if (a.mine == nil || a.mine(n.ID)) && fits(i) {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return -1
	}
	return all[a.r.IntN(len(all))]
}

func nodeAt(i int) schema.Path { return schema.Path{schema.Key("nodes"), schema.Index(i)} }

func (a *author) step(f *model.Form, least int) (int, *model.Step) {
	i := a.pick(f, func(i int) bool {
		s, ok := f.Nodes[i].Config.(*model.Step)
		return ok && len(s.Components) >= least
	})
	if i < 0 {
		return -1, nil
	}
	return i, f.Nodes[i].Config.(*model.Step)
}

func componentsAt(i int) schema.Path { return nodeAt(i).Key("config").Key("components") }

// point changes where a random way out leads.
func (a *author) point(f *model.Form) *model.Form {
	i := a.pick(f, func(i int) bool { return len(f.Outs(i)) > 0 })
	to := a.pick(f, func(int) bool { return true })
	if i < 0 || to < 0 {
		return f
	}
	outs := f.Outs(i)
	id := f.Nodes[to].ID
	if a.r.IntN(4) == 0 {
		id = model.EndingID
	}
	return a.must(f.Set(outs[a.r.IntN(len(outs))].Path, id))
}

// edits makes n random edits.
func (a *author) edits(f *model.Form, n int) *model.Form {
	for range n {
		f = a.edit(f)
	}
	return f
}

func (a *author) edit(f *model.Form) *model.Form {
	op := a.r.IntN(18)
	if op == 17 && a.keeps {
		op = a.r.IntN(17)
	}
	if op >= 13 && !a.shared {
		op = a.r.IntN(13)
	}
	switch op {
	case 0: // add a node
		return a.insert(f, schema.Path{schema.Key("nodes")}, a.node())
	case 1: // remove a node and the pointers to it
		i := a.pick(f, func(i int) bool {
			if a.mine == nil {
				return true
			}
			return !slices.ContainsFunc(f.Edges(), func(e model.Edge) bool { return string(e.To) == f.Nodes[i].ID })
		})
		if i < 0 {
			return f
		}
		id := f.Nodes[i].ID
		for _, e := range f.Edges() {
			if string(e.To) == id {
				f = a.must(f.Set(e.Path, model.EndingID))
			}
		}
		return a.must(f.Clear(nodeAt(i)))
	case 2: // alias
		if i := a.pick(f, func(int) bool { return true }); i >= 0 {
			return a.must(f.Set(nodeAt(i).Key("alias"), a.word()))
		}
	case 3: // place
		if i := a.pick(f, func(int) bool { return true }); i >= 0 {
			return a.must(f.Set(nodeAt(i).Key("coordinates"), model.Point{X: a.r.IntN(1000), Y: a.r.IntN(1000)}.Tree()))
		}
	case 4, 5: // add a component
		if i, _ := a.step(f, 0); i >= 0 {
			return a.insert(f, componentsAt(i), a.component())
		}
	case 6: // remove a component
		if i, s := a.step(f, 1); i >= 0 {
			return a.must(f.Clear(componentsAt(i).Index(a.r.IntN(len(s.Components)))))
		}
	case 7, 8: // move a component within its step or to another
		i, s := a.step(f, 1)
		to, _ := a.step(f, 0)
		if i >= 0 {
			j := a.r.IntN(len(s.Components))
			tree := s.Components[j].Tree()
			return a.insert(a.must(f.Clear(componentsAt(i).Index(j))), componentsAt(to), tree)
		}
	case 9: // a component's property
		if i, s := a.step(f, 1); i >= 0 {
			j := a.r.IntN(len(s.Components))
			c := s.Components[j]
			at := componentsAt(i).Index(j)
			switch {
			case c.Category != model.Block && a.r.IntN(2) == 0:
				return a.must(f.Set(at.Key("label"), a.word()))
			case c.Type == "TEXT":
				return a.must(
					f.Set(
						at.Key("config"),
						schema.NewObject(
							schema.Member{Key: "placeholder", Value: a.word()},
							schema.Member{Key: "min_length", Value: schema.IntNumber(1 + a.r.IntN(5))},
						),
					),
				)
			case c.Type == "PAYMENT":
				return a.must(f.Set(at.Key("config").Key("credentials").Key("private_key"), a.word()))
			case c.Type == "NEXT_BUTTON" || c.Type == "DIVIDER":
				return a.must(f.Set(at.Key("config").Key("text"), a.word()))
			case c.Type == "EMAIL": // becomes another kind
				return a.must(f.Set(at, filled(model.NewComponent(model.KindOf("URL"), model.SpecDialect, c.ID))))
			}
		}
	case 10: // rules
		i := a.pick(f, func(i int) bool { return f.Nodes[i].Type == model.RouterNode })
		if i < 0 {
			return f
		}
		rules := nodeAt(i).Key("config").Key("rules")
		n := len(f.Nodes[i].Config.(*model.Router).Rules)
		switch j := a.r.IntN(n + 1); {
		case j == n:
			return a.insert(f, rules, model.NewRule(a.fresh()))
		case a.r.IntN(3) == 0:
			return a.must(f.Clear(rules.Index(j)))
		default:
			return a.must(f.Set(rules.Index(j).Key("condition"), a.word()))
		}
	case 11:
		return a.point(f)
	case 12: // a step becomes a flow
		if i, s := a.step(f, 0); i >= 0 && len(s.Components) < 2 && a.r.IntN(3) == 0 {
			n := f.Nodes[i].Tree().With("type", "FLOW").With("config", schema.NewObject(schema.Member{Key: "flow_id", Value: "af_1"}))
			return a.must(f.Set(nodeAt(i), n))
		}
	case 13:
		return a.set(f, "messages.custom."+[]string{"hello", "bye", a.name}[a.r.IntN(3)], a.word())
	case 14:
		return a.set(f, "translations.de.components.c."+[]string{"label", "hint"}[a.r.IntN(2)], a.word())
	case 15:
		if a.r.IntN(3) == 0 {
			f = a.must(f.Clear(schema.Path{schema.Key("start"), schema.Key("hidden_fields"), schema.Index(0)}))
		}
		return a.insert(
			f,
			schema.Path{schema.Key("start"), schema.Key("hidden_fields")},
			schema.NewObject(schema.Member{Key: "key", Value: a.fresh()}, schema.Member{Key: "value", Value: a.word()}),
		)
	case 17:
		return a.rename(f)
	case 16: // the order of nodes
		if len(f.Nodes) > 1 {
			i := a.r.IntN(len(f.Nodes))
			tree := f.Nodes[i].Tree()
			return a.insert(a.must(f.Clear(nodeAt(i))), schema.Path{schema.Key("nodes")}, tree)
		}
	}
	return f
}

// rename gives an element another id.
func (a *author) rename(f *model.Form) *model.Form {
	i := a.pick(f, func(int) bool { return true })
	if i < 0 {
		return f
	}
	n := f.Nodes[i]
	switch a.r.IntN(3) {
	case 0:
		return a.must(flow.RenameNode(f, n.ID, a.fresh()))
	case 1:
		if len(f.Start.Hidden) > 0 {
			return a.must(flow.RenameHiddenField(f, f.Start.Hidden[0].Key, a.fresh()))
		}
	default:
		if c := n.Component(0); c != nil {
			return a.must(flow.RenameComponent(f, c.ID, a.fresh()))
		}
		if r := n.Rule(0); r != nil {
			return a.must(flow.RenameRule(f, n.ID, r.ID, a.fresh()))
		}
	}
	return f
}

// content is a form without what only a response has.
func content(f *model.Form) *schema.Object {
	t := f.Tree()
	for _, key := range []string{"id", "created_at", "updated_at", "embedded_at", "submitted_at"} {
		t = t.Without(key)
	}
	return t
}

// spoil breaks a form: places anywhere hold another value, are gone or twice.
func (a *author) spoil(f *model.Form, n int) *model.Form {
	junk := []any{nil, true, "a", schema.Number("3"), []any{}, schema.NewObject(), []any{nil, "x"}, "STEP", "b1", "b2", "m1"}
	for range n {
		var p schema.Path
		v := any(f.Tree())
	down:
		for {
			switch x := v.(type) {
			case *schema.Object:
				if x.Len() == 0 || len(p) > 0 && a.r.IntN(6) == 0 {
					break down
				}
				m := x.Members()[a.r.IntN(x.Len())]
				p, v = p.Key(m.Key), m.Value
			case []any:
				if len(x) == 0 || a.r.IntN(6) == 0 {
					break down
				}
				i := a.r.IntN(len(x))
				p, v = p.Index(i), x[i]
			default:
				break down
			}
		}
		if len(p) == 0 {
			return f
		}
		switch last := p[len(p)-1]; {
		case a.r.IntN(4) == 0:
			f = a.must(f.Clear(p))
		case last.Index >= 0 && a.r.IntN(2) == 0:
			f = a.must(f.Insert(p, v))
		default:
			f = a.must(f.Set(p, junk[a.r.IntN(len(junk))]))
		}
	}
	return f
}
