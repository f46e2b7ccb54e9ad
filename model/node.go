package model

import (
	"slices"
	"sync/atomic"

	"github.com/formgraph/formgraph/model/schema"
)

// NodeType discriminates nodes.
type NodeType string

// The node types.
const (
	StepNode   NodeType = "STEP"
	FlowNode   NodeType = "FLOW"
	RouterNode NodeType = "ROUTER"
)

// The ids of the two ends, also used in the attribute data-node. A pointer in a form may be EndingID; StartID is never written into a form.
const (
	StartID  = "$start"
	EndingID = "$ending"
)

// Pointer is the id of a node, or EndingID, or "" for nothing.
type Pointer string

// Point is a place on the canvas in form units: one unit is one CSS pixel at
// zoom 1.
type Point struct{ X, Y int }

// Add returns p moved by d, kept within MaxCoordinate on either side.
func (p Point) Add(d Point) Point { return Point{clamp(p.X + d.X), clamp(p.Y + d.Y)} }

// Sub returns the offset from q to p.
func (p Point) Sub(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

func clamp(v int) int { return max(-MaxCoordinate, min(MaxCoordinate, v)) }

// Tree returns the Coordinates object of the point.
func (p Point) Tree() *schema.Object { return p.Into(nil) }

// Into returns a Coordinates object with the point in it. Its other members, which a tenant with newer tables may have, stay. nil is an
// empty object.
func (p Point) Into(c *schema.Object) *schema.Object {
	return c.With("x", schema.IntNumber(p.X)).With("y", schema.IntNumber(p.Y))
}

// Node is a node of the graph. It is immutable.
type Node struct {
	ID     string
	Type   NodeType
	Alias  string
	At     Point
	Placed bool // false if the node has no usable coordinates
	Config Config

	tree     *schema.Object                  // nil if the element is not an object
	problems atomic.Pointer[schema.Problems] // memo of Checker; valid since the node never changes
	doubtful atomic.Pointer[schema.Problems] // memo of warnings; valid likewise
}

// Config is the config of a node by its type: *Step, *Flow or *Router, or nil for an unknown type.
//
//sumtype:decl
type Config interface{ isConfig() }

// Step shows components and waits for input.
type Step struct {
	Components []*Component
	Next       Pointer
}

// Flow runs a flow of the tenant.
type Flow struct {
	FlowID string
	Next   Pointer
}

// Router continues with the first rule whose condition holds, or else with Fallback.
type Router struct {
	Rules    []*Rule
	Fallback Pointer
}

func (*Step) isConfig()   {}
func (*Flow) isConfig()   {}
func (*Router) isConfig() {}

// Rule is one way out of a router.
type Rule struct {
	ID        string
	Alias     string
	Condition any // any JSON value; nil if absent
	Next      Pointer

	tree *schema.Object
}

// Tree returns the rule's object, nil if the element is not an object.
func (r *Rule) Tree() *schema.Object { return r.tree }

// Component is one part of a step. The table of its Kind describes its config.
type Component struct {
	ID        string
	Category  Category
	Type      string
	Label     string
	Required  bool
	Sensitive bool
	Kind      *Kind // nil for an unknown type

	tree *schema.Object
}

// Tree returns the component's object, nil if the element is not an object.
func (c *Component) Tree() *schema.Object { return c.tree }

// known reports whether a table checks the component: its category must have its type.
func (c *Component) known() bool { return c.Kind != nil && c.Kind.Category == c.Category }

// Config returns the component's config, nil if there is none.
func (c *Component) Config() *schema.Object { return c.tree.Object("config") }

// Button reports whether the component is one of the buttons at the end of a step.
func (c *Component) Button() bool { return c.Kind != nil && c.Kind.Button }

// GoesBack reports whether the component leads to the previous step when it is pressed.
func (c *Component) GoesBack() bool { return c.Kind != nil && c.Kind.Type == "PREVIOUS_BUTTON" }

// captions are the properties of configs that serve as captions for any kind.
var captions = func() []string {
	var names []string
	for i := range Kinds {
		for _, name := range Kinds[i].captions {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}()

// Captions returns the properties of the config that may describe a component
// without a label, in the order of preference. For an unknown type they are
// those of all kinds. The caller must not change them.
func (c *Component) Captions() []string {
	if c.Kind != nil {
		return c.Kind.captions
	}
	return captions
}

// Tree returns the node's object, nil if the element is not an object.
func (n *Node) Tree() *schema.Object { return n.tree }

// readNode reads a node. was is the node previously in its place, whose config is reused if its object is the same, so that moving a step
// of 100 components does not read them again.
func readNode(o *schema.Object, was *Node) *Node {
	n := &Node{ID: o.Text("id"), Type: NodeType(o.Text("type")), Alias: o.Text("alias"), tree: o}
	n.At, n.Placed = pointAt(o)
	config := o.Object("config")
	if was != nil && was.Type == n.Type && config != nil && was.tree.Object("config") == config {
		n.Config = was.Config
		return n
	}
	switch n.Type {
	case StepNode:
		s := &Step{Next: pointerAt(config, "next_node")}
		for _, v := range config.List("components") {
			c, _ := v.(*schema.Object)
			s.Components = append(s.Components, ReadComponent(c))
		}
		n.Config = s
	case FlowNode:
		n.Config = &Flow{FlowID: config.Text("flow_id"), Next: pointerAt(config, "next_node")}
	case RouterNode:
		r := &Router{Fallback: pointerAt(config, "fallback")}
		for _, v := range config.List("rules") {
			o, _ := v.(*schema.Object)
			cond, _ := o.Get("condition")
			r.Rules = append(r.Rules, &Rule{ID: o.Text("id"), Alias: o.Text("alias"), Condition: cond, Next: pointerAt(o, "next_node"), tree: o})
		}
		n.Config = r
	}
	return n
}

// ReadComponent returns the typed view of a component's object. It never fails: what does not match the tables stays in the tree.
func ReadComponent(o *schema.Object) *Component {
	required, _ := o.Get("required")
	sensitive, _ := o.Get("sensitive")
	return &Component{
		ID: o.Text("id"), Category: Category(o.Text("category")), Type: o.Text("type"), Label: o.Text("label"),
		Required: required == true, Sensitive: sensitive == true, Kind: KindOf(o.Text("type")), tree: o,
	}
}

func pointerAt(o *schema.Object, key string) Pointer { return Pointer(o.Text(key)) }

func pointAt(o *schema.Object) (Point, bool) { return PointOf(o.Object("coordinates")) }

// PointOf returns the point of a Coordinates object, clamped to MaxCoordinate, and false
// if it is not one.
func PointOf(c *schema.Object) (Point, bool) {
	x, okX := intAt(c, "x")
	y, okY := intAt(c, "y")
	if !okX || !okY {
		return Point{}, false
	}
	return Point{clamp(x), clamp(y)}, true
}

func intAt(o *schema.Object, key string) (int, bool) {
	v, _ := o.Get(key)
	n, ok := v.(schema.Number)
	if !ok {
		return 0, false
	}
	return n.Int()
}
