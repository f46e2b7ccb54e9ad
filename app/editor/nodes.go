package editor

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// ErrNoNode is returned for a command on a node that the form does not have.
var ErrNoNode = errors.New("there is no such node")

// noNode returns the error of an action on a node that the form does not have.
func noNode(action, key string) error {
	return fmt.Errorf("%s %s: %w", action, model.KeyID(key), ErrNoNode)
}

var nodesPath = schema.Path{schema.Key("nodes")}

// MoveNodes moves nodes by a distance in form units. Coordinates are clamped to their bounds. A node without coordinates moves from its
// place in From.
type MoveNodes struct {
	IDs []string
	By  model.Point
	// From holds the drawn places of nodes without coordinates. It may be nil if all have coordinates.
	From map[string]model.Point
	// Burst merges successive moves, as with arrow keys.
	Burst bool
}

// Label states the number of nodes.
func (c MoveNodes) Label() verb.Phrase { return nodesPhrase(verb.Move, c.IDs) }

// MergeKey merges a burst of key presses on the same nodes.
func (c MoveNodes) MergeKey() string {
	if !c.Burst {
		return ""
	}
	return fmt.Sprint("move ", c.IDs)
}

// Do writes the new coordinates of exactly the nodes that moved.
func (c MoveNodes) Do(s State) (State, error) {
	if c.By == (model.Point{}) {
		return s, nil
	}
	places, find := make(map[string]model.Point, len(c.IDs)), finder(s.Form, len(c.IDs))
	for _, id := range c.IDs {
		at, placed := model.Point{}, false
		if id == model.StartID || id == model.EndingID {
			_, at, placed = endPlace(s.Form, id)
		} else if i := find(id); i >= 0 {
			at, placed = s.Form.Nodes[i].At, s.Form.Nodes[i].Placed
		}
		if from, ok := c.From[id]; ok && !placed {
			at = from
		}
		places[id] = at.Add(c.By)
	}
	return placed(s, "move", places)
}

// placesOf returns the index of every node by its key, except nodes that are not objects.
func placesOf(f *model.Form) map[string]int {
	m := make(map[string]int, len(f.Nodes))
	for i, k := range f.Keys() {
		if f.Nodes[i].Tree() != nil {
			m[k] = i
		}
	}
	return m
}

// finder returns a function that finds the index of a node by its key, -1 for none. count is the number of lookups to expect: for a few, a
// map of the whole form would cost more than it saves.
func finder(f *model.Form, count int) func(key string) int {
	if count > fewNodes {
		places := placesOf(f)
		return func(key string) int {
			if i, ok := places[key]; ok {
				return i
			}
			return -1
		}
	}
	return func(key string) int {
		if n, i := f.Node(key); n != nil && n.Tree() != nil {
			return i
		}
		return -1
	}
}

func endPlace(f *model.Form, id string) (p schema.Path, at model.Point, placed bool) {
	if id == model.StartID {
		return schema.Path{schema.Key("start"), schema.Key("coordinates")}, f.Start.At, f.Start.Placed
	}
	return schema.Path{schema.Key("ending"), schema.Key("coordinates")}, f.Ending.At, f.Ending.Placed
}

// AddNode adds a node. If After is set, that edge then leads to the new node, and the new node to the edge's former target.
type AddNode struct {
	Node  *schema.Object
	After *EdgeRef
}

// Label names the kind.
func (c AddNode) Label() verb.Phrase {
	return verb.Add.Of(kindWord(model.NodeType(c.Node.Text("type"))))
}

// Do appends the node and selects it.
func (c AddNode) Do(s State) (State, error) {
	id := c.Node.Text("id")
	if n, _ := s.Form.Node(id); n != nil {
		return s, fmt.Errorf("add node: the id %s is taken", id)
	}
	node := c.Node
	if c.After != nil {
		out, ok := s.Form.OutOf(c.After.From, c.After.Port)
		if !ok {
			return s, noNode("add node after", c.After.From)
		}
		if out.To != "" {
			node = withNext(node, string(out.To))
		}
	}
	f, err := s.Form.Insert(model.NodePath(len(s.Form.Nodes)), node)
	if err == nil && c.After != nil {
		out, _ := s.Form.OutOf(c.After.From, c.After.Port)
		f, err = f.Set(out.Path, id)
	}
	s.Selection = SelectNodes(id)
	return withForm(s, f, err)
}

// withNext returns the tree of a node with an id as its next node or fallback.
func withNext(o *schema.Object, to string) *schema.Object {
	kind := model.NodeKindOf(model.NodeType(o.Text("type")))
	if kind == nil {
		return o
	}
	return o.With("config", o.Object("config").With(kind.Next, to))
}

// RemoveNodes deletes nodes and clears the pointers to them. The two ends stay.
type RemoveNodes struct {
	IDs []string
	// Join closes the gaps: pointers to a removed node then lead to what followed it, see gap. That of the start is cleared if no node is left.
	Join bool
}

// Label states the number of nodes.
func (c RemoveNodes) Label() verb.Phrase {
	p := nodesPhrase(verb.Delete, c.IDs)
	p.Join = c.Join
	return p
}

// Do removes the nodes except the two ends.
func (c RemoveNodes) Do(s State) (State, error) {
	ids := withoutEnds(c.IDs)
	if len(ids) == 0 {
		return s, errors.New("start and ending cannot be deleted")
	}
	gone := make(map[string]bool, len(ids))
	places := placesOf(s.Form)
	for _, id := range ids {
		if _, ok := places[id]; !ok {
			return s, noNode("delete", id)
		}
		gone[id] = true
	}
	kept, keys := []any{}, s.Form.Keys()
	for i, v := range s.Form.Tree().List("nodes") {
		if !gone[keys[i]] {
			kept = append(kept, v)
		}
	}
	f, err := s.Form.Set(nodesPath, kept)
	if err != nil {
		return s, err
	}
	left := placesOf(f)
	to := withoutNodes(gone, left)
	if c.Join {
		to = newGap(s.Form, gone, left).close
	}
	// The pointers of all nodes change in one pass, which keeps the removal of thousands of nodes fast.
	list := slices.Clone(kept)
	for i, n := range f.Nodes {
		if n.Tree() != nil {
			list[i] = n.MapPointers(notTo(n.ID, to))
		}
	}
	tree := f.Tree().With("nodes", list)
	if start := tree.Object("start"); start != nil {
		if len(left) == 0 {
			to = withoutNodes(gone, left)
		}
		tree = tree.With("start", mapPointer(start, "next_node", notTo(model.StartID, to)))
	}
	s.Selection = Selection{}
	return withForm(s, f.Derive(tree), nil)
}

// nodesPhrase says what is done to nodes.
func nodesPhrase(v verb.Verb, ids []string) verb.Phrase {
	p := verb.Phrase{Verb: v, Noun: "node", Count: len(ids)}
	if len(ids) == 1 {
		switch ids[0] {
		case model.StartID:
			p.Noun = "start"
		case model.EndingID:
			p.Noun = "ending"
		}
	}
	return p
}

func kindWord(t model.NodeType) string {
	if k := model.NodeKindOf(t); k != nil {
		return strings.ToLower(k.Label)
	}
	return "node"
}
