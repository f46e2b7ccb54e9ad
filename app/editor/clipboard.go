package editor

import (
	"errors"
	"fmt"
	"math"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// fragmentKey marks a text that Copy wrote. Its value is the version of the format. ParsePaste does not require it, so that people can
// write a fragment by hand.
const fragmentKey = "formgraph"

// Copy returns the selection as text for the clipboard: components in the order of their step, a rule, or nodes in the order of the form. It is readable JSON that
// ParsePaste accepts:
//
//	{"formgraph": 1, "nodes": [...]}
//	{"formgraph": 1, "components": [...]}
//	{"formgraph": 1, "rules": [...]}
//
// The format is our choice. Elements are unchanged. Pointers to elements that are not copied stay in the text; Paste decides whether to
// keep them. Nodes without coordinates get those at which they are drawn. The start, the ending and texts in other languages are not
// copied. The error says that there is nothing to copy, or that the text would be longer than ParsePaste accepts.
func Copy(s State) (text string, err error) {
	p, err := selected(s)
	if err != nil {
		return "", err
	}
	o := schema.NewObject(schema.Member{Key: fragmentKey, Value: schema.IntNumber(1)})
	for _, part := range p.lists() {
		if len(part.list) > 0 {
			o = o.With(part.key, elements(part.list))
		}
	}
	b := schema.EncodeIndent(o)
	if len(b) > schema.MaxBytes {
		b = schema.Encode(o)
	}
	if len(b) > schema.MaxBytes {
		return "", fmt.Errorf("the selection is too large to copy: %d bytes, at most %d", len(b), schema.MaxBytes)
	}
	return string(b), nil
}

// Cut deletes what Copy copies. The caller must put the text of Copy on the clipboard before it runs the command, so that nothing is lost.
type Cut struct{}

// Label describes the command.
func (Cut) Label() verb.Phrase { return verb.Phrase{Verb: verb.Cut} }

// Do deletes the selection as RemoveSelection does, and closes the gaps. It refuses what Copy refuses.
func (Cut) Do(s State) (State, error) {
	if _, err := selected(s); err != nil {
		return s, err
	}
	return RemoveSelection{Join: true}.Do(s)
}

// selected returns the selected elements, without the ends.
func selected(s State) (Pasted, error) {
	sel := s.Selection
	switch {
	case len(sel.Parts) > 0:
		return selectedParts(s)
	case sel.Component != "" || sel.Rule != "":
		path, err := partPath(s.Form, sel)
		if err != nil {
			return Pasted{}, err
		}
		v, _ := schema.Lookup(s.Form.Tree(), path)
		o, ok := v.(*schema.Object)
		switch {
		case !ok:
			return Pasted{}, errors.New("the selected part no longer exists")
		case sel.Component != "":
			return Pasted{Components: []*schema.Object{o}}, nil
		}
		return Pasted{Rules: []*schema.Object{o}}, nil
	case sel.Edge != nil:
		return Pasted{}, errors.New("an edge cannot be copied: select the nodes it joins")
	}
	return selectedNodes(s)
}

// selectedParts returns the components that are selected together, in the order of the step.
func selectedParts(s State) (p Pasted, err error) {
	n, _ := s.Form.Node(s.Selection.Only())
	for _, i := range s.Selection.Components(n) {
		p.Components = append(p.Components, n.Component(i).Tree())
	}
	if len(p.Components) == 0 {
		err = errors.New("the selected components no longer exist")
	}
	return p, err
}

func selectedNodes(s State) (Pasted, error) {
	wanted := setOf(withoutEnds(s.Selection.Nodes))
	var p Pasted
	var scene *graph.Scene // only for nodes that have no coordinates
	for i, key := range s.Form.Keys() {
		n := s.Form.Nodes[i]
		if !wanted[key] || n.Tree() == nil {
			continue
		}
		o := n.Tree()
		if !n.Placed {
			if scene == nil {
				scene = graph.New(s.Form)
			}
			o = placedAt(o, drawnAt(scene, key))
		}
		p.Nodes = append(p.Nodes, o)
	}
	switch {
	case len(p.Nodes) > 0:
		return p, nil
	case len(s.Selection.Nodes) > 0:
		return Pasted{}, errors.New("start and ending cannot be copied")
	}
	return Pasted{}, errors.New("nothing is selected")
}

// drawnAt returns where the canvas draws a node, within the bounds of coordinates.
func drawnAt(s *graph.Scene, key string) model.Point {
	c := s.Card(key)
	if c == nil {
		return model.Point{}
	}
	return model.Point{}.Add(model.Point{X: int(math.Round(c.Rect.X)), Y: int(math.Round(c.Rect.Y))})
}

func withoutEnds(ids []string) []string {
	var nodes []string
	for _, id := range ids {
		if id != model.StartID && id != model.EndingID {
			nodes = append(nodes, id)
		}
	}
	return nodes
}

// elements returns objects as the elements of an array.
func elements(list []*schema.Object) []any {
	out := make([]any, len(list))
	for i, o := range list {
		out[i] = o
	}
	return out
}
