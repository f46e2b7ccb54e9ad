package editor

import (
	"errors"
	"fmt"

	"github.com/formgraph/formgraph/model"
)

// Connect leads a way out of a node to another node, or nowhere when To is "".
type Connect struct {
	From string // a node's key or model.StartID
	Port model.Port
	To   model.Pointer
}

// Label says what happens.
func (c Connect) Label() string {
	if c.To == "" {
		return "Disconnect"
	}
	return "Connect"
}

// Do sets the pointer. The error says why a node cannot be the target.
func (c Connect) Do(s State) (State, error) {
	out, ok := s.Form.OutOf(c.From, c.Port)
	if !ok {
		return s, fmt.Errorf("connect %s: %w", c.From, ErrNoNode)
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
	if n, _ := s.Form.Node(string(c.To)); string(c.To) != model.EndingID && (n == nil || n.ID != string(c.To)) {
		return s, fmt.Errorf("connect to %s: %w", c.To, ErrNoNode)
	}
	if out.To == c.To {
		return s, nil
	}
	f, err := s.Form.Set(out.Path, string(c.To))
	return withForm(s, f, err)
}
