package editor

import (
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// Reach returns the changes that remove the warning that no journey reaches a node: a connection to it, if there is a sensible place to connect
// from and the connection leads to no other finding about the graph, and its deletion. It returns nil for any other problem.
func (m Maker) Reach(p schema.Problem) []Fix {
	f := m.state.Form
	at, ok := f.At(p.Path)
	if p.Code != schema.CodeUnreachable || !ok || !at.IsNode() {
		return nil
	}
	key := f.Keys()[at.Node]
	remove := Fix{Name: "Delete node", Command: RemoveNodes{IDs: []string{key}, Join: true}}
	if fix, ok := m.connecting(key, at.Node); ok && m.cures(fix, p) {
		return []Fix{fix, remove}
	}
	return []Fix{remove}
}

// connecting returns the connection to an unreachable node, of which node is the index, from the best place. It returns false if there is none.
func (m Maker) connecting(key string, node int) (Fix, bool) {
	f := m.state.Form
	c := Sequence{Name: verb.Phrase{Verb: verb.Connect}}
	from, free := m.approach(key)
	if c.Commands = []Command{Connect{From: from.From, Port: from.Port, To: model.Pointer(key)}}; !free {
		// The journeys that ended there end behind the node, unless it leads on already.
		if on := lastOut(f, node); on.To == "" && on.Path != nil {
			c.Commands = append(c.Commands, Connect{From: key, Port: on.Port, To: model.EndingID})
		}
	}
	if _, err := c.Do(m.state); from.From == "" || err != nil {
		return Fix{}, false
	}
	name := "start"
	if n, _ := f.Node(from.From); n != nil {
		name = n.Name()
	}
	return Fix{Name: "Connect from " + name, Command: c}, true
}

// approach returns the way out of a reached node that had best lead to an unreachable one: the nearest of those that lead nowhere, else of those
// that lead to the ending; free reports the former. One to the right of the node counts as far away. One of a node to which the unreachable node
// leads does not count, because journeys would go in a circle.
func (m Maker) approach(key string) (best EdgeRef, free bool) {
	const wrongSide, ending = 1 << 20, 1 << 24
	f, least := m.state.Form, 0
	to, _ := f.Node(key)
	closed, _ := proved(f, m.warnings()) // no journey gets there, whatever leads there
	offer := func(from string, at model.Point, o model.Out) {
		far := abs(to.At.X-at.X) + abs(to.At.Y-at.Y)
		if at.X > to.At.X {
			far += wrongSide
		}
		switch o.To {
		case "":
		case model.EndingID:
			far += ending
		default:
			return
		}
		if best.From == "" || far < least {
			best, least, free = EdgeRef{From: from, Port: o.Port}, far, o.To == ""
		}
	}
	offer(model.StartID, f.Start.At, f.StartOut())
	pause.Now()
	reached := Downstream(m.state, []string{model.StartID}).Nodes
	pause.Now()
	for _, from := range Downstream(m.state, []string{key}).Nodes {
		closed[from] = true
	}
	for _, from := range reached {
		if n, i := f.Node(from); n != nil && !closed[from] {
			for _, o := range f.Outs(i) {
				offer(from, n.At, o)
			}
		}
	}
	return best, free
}

func abs(n int) int { return max(n, -n) }
