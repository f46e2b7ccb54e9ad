package editor

import (
	"errors"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
)

// Connect connects a way out of a node to another node, or disconnects it if To is "".
type Connect struct {
	From string // a node's key or model.StartID
	Port model.Port
	To   model.Pointer
}

// Label describes the command.
func (c Connect) Label() verb.Phrase {
	if c.To == "" {
		return verb.Phrase{Verb: verb.Disconnect}
	}
	return verb.Phrase{Verb: verb.Connect}
}

// Do sets the pointer. The error says why a node cannot be the target.
func (c Connect) Do(s State) (State, error) {
	out, ok := s.Form.OutOf(c.From, c.Port)
	if !ok {
		return s, noNode("connect", c.From)
	}
	if c.To == "" {
		f, err := s.Form.Clear(out.Path)
		return withForm(s, f, err)
	}
	switch {
	case string(c.To) == model.StartID:
		return s, errors.New("nothing can lead to the start")
	case string(c.To) == c.From:
		return s, errors.New("a node cannot lead to itself")
	case c.From == model.StartID && c.To == model.EndingID && len(s.Form.Nodes) == 0:
		return s, errors.New("add a node first: the form would end before it begins")
	}
	if err := pointable(s.Form, string(c.To)); err != nil {
		return s, err
	}
	if out.To == c.To {
		return s, nil
	}
	f, err := s.Form.Set(out.Path, string(c.To))
	return withForm(s, f, err)
}

// pointable returns the reason why no pointer can lead to the node with a key, or nil.
func pointable(f *model.Form, key string) error {
	n, _ := f.Node(key)
	switch {
	case key == model.EndingID, n != nil && n.ID == key:
		return nil
	case n == nil:
		return noNode("connect to", key)
	case n.ID == "":
		return errors.New("give the node an id first")
	}
	return errors.New("give the node an id of its own first: another node has the same")
}
