package model

import (
	"sync"
	"sync/atomic"

	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// Form is a form in the editor or the store: a tree and a typed view of it. It
// is immutable and safe for concurrent use. Derive makes a form after an edit.
type Form struct {
	ID        string // "" before it is stored
	Name      string
	CreatedAt string // RFC 3339, "" before it is stored
	UpdatedAt string
	Nodes     []*Node // one for each element of the tree's array, including broken ones
	Start     Start
	Ending    Ending

	tree   *schema.Object
	fields atomic.Pointer[Fields] // of this form or of one that it is derived from; nil until Fields is called
	named  sync.Once              // makes them those of this form
	index  index
}

// Start is where a journey begins. It is drawn even if the form lacks the property.
type Start struct {
	Next   Pointer
	At     Point
	Placed bool // false if the form has no usable coordinates for it
	Hidden []HiddenField
}

// HiddenField is a value that comes with the request and is not shown.
type HiddenField struct{ Key, Value string }

// Ending is where a journey ends. It is drawn even if the form lacks the property.
type Ending struct {
	At         Point
	Placed     bool
	Target     string // of the redirection
	FlowID     string // of after_submit
	ResumeFlow bool
}

// FromTree returns the form of a tree. It never fails: what does not match the tables stays in the tree and is the zero value in the typed
// view. Checker reports it.
func FromTree(o *schema.Object) *Form { return (&Form{}).Derive(o) }

// New returns an empty form with a name.
func New(name string) *Form {
	return FromTree(schema.NewObject(schema.Member{Key: "name", Value: name}))
}

// Tree returns the tree of the form.
func (f *Form) Tree() *schema.Object { return f.tree }

// Derive returns the form of a tree that resulted from an edit of f's tree, or from f's tree and those of others. Nodes whose object is
// unchanged are shared with these forms, not copied.
func (f *Form) Derive(o *schema.Object, others ...*Form) *Form {
	g := &Form{
		ID: o.Text("id"), Name: o.Text("name"),
		CreatedAt: o.Text("created_at"), UpdatedAt: o.Text("updated_at"),
		tree: o,
	}
	g.fields.Store(f.fields.Load())
	g.Nodes = deriveNodes(f.Nodes, o.List("nodes"), others)
	start := o.Object("start")
	g.Start = Start{Next: pointerAt(start, "next_node")}
	g.Start.At, g.Start.Placed = pointAt(start)
	for _, h := range start.List("hidden_fields") {
		h, _ := h.(*schema.Object)
		g.Start.Hidden = append(g.Start.Hidden, HiddenField{h.Text("key"), h.Text("value")})
	}
	ending := o.Object("ending")
	g.Ending = Ending{Target: ending.Object("redirection").Text("target"), FlowID: ending.Object("after_submit").Text("flow_id")}
	g.Ending.At, g.Ending.Placed = pointAt(ending)
	resume, _ := ending.Get("resume_flow")
	g.Ending.ResumeFlow = resume == true
	return g
}

// deriveNodes reuses the old nodes. An edit leaves most nodes at the front and at the
// back in place, so only those in between are compared.
func deriveNodes(old []*Node, list []any, others []*Form) []*Node {
	if len(list) == 0 {
		return nil
	}
	nodes := make([]*Node, len(list))
	same := func(n *Node, v any) bool {
		o, ok := v.(*schema.Object)
		return ok && o == n.tree
	}
	front := 0
	for front < len(list) && front < len(old) && same(old[front], list[front]) {
		nodes[front] = old[front]
		front++
	}
	back := 0
	for back < len(list)-front && back < len(old)-front && same(old[len(old)-1-back], list[len(list)-1-back]) {
		back++
		nodes[len(list)-back] = old[len(old)-back]
	}
	between := old[front : len(old)-back]
	byTree := make(map[*schema.Object]*Node, len(between))
	take := func(nodes []*Node) {
		for _, n := range nodes {
			byTree[n.tree] = n
		}
	}
	take(between)
	if front+back < len(list) {
		for _, f := range others {
			take(f.Nodes)
		}
	}
	for i := front; i < len(list)-back; i++ {
		pause.Now()
		o, _ := list[i].(*schema.Object)
		if n := byTree[o]; n != nil && o != nil {
			nodes[i] = n
			continue
		}
		var was *Node
		if i < len(old) {
			was = old[i]
		}
		nodes[i] = readNode(o, was)
	}
	return nodes
}

// Set returns the form with v at the path p; see schema.Set.
func (f *Form) Set(p schema.Path, v any) (*Form, error) {
	t, err := schema.Set(f.tree, p, v)
	return f.derived(t, err)
}

// Clear returns the form without the value at p; see schema.Clear.
func (f *Form) Clear(p schema.Path) (*Form, error) {
	t, err := schema.Clear(f.tree, p)
	return f.derived(t, err)
}

// Insert returns the form with v inserted at the path p of an array element; see
// schema.Insert.
func (f *Form) Insert(p schema.Path, v any) (*Form, error) {
	t, err := schema.Insert(f.tree, p, v)
	return f.derived(t, err)
}

func (f *Form) derived(t any, err error) (*Form, error) {
	if err != nil {
		return nil, err
	}
	return f.Derive(t.(*schema.Object)), nil
}
