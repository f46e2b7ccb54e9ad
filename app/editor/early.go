package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// early knows which values of new components the person has not been asked for yet. A value that they had no chance to enter is not their
// mistake.
type early struct {
	left    map[string]bool // the values whose controls have lost the focus, by earlyKey
	checked *model.Form     // the form when Checked was called last; nil for never
	changes int             // see Asked
}

// Early reports whether a problem is only that a new component still lacks a value: the component is neither saved nor checked, and the control
// of the value has not lost the focus. Such a problem counts like any other, but shows as something to do.
func (e *Editor) Early(p schema.Problem) bool {
	f := e.state.Form
	key, id := earlyKey(f, p.Path)
	if v, ok := schema.Lookup(f.Tree(), p.Path); key == "" || ok && v != "" || e.early.left[key] {
		return false
	}
	for _, known := range [...]*model.Form{e.saved.form, e.early.checked} {
		if known == nil {
			continue
		}
		if c, _, _ := known.Component(id); c != nil {
			return false
		}
	}
	return true
}

// Left records that the control of the value at a path lost the focus.
func (e *Editor) Left(path schema.Path) {
	key, _ := earlyKey(e.state.Form, path)
	if key == "" || e.early.left[key] {
		return
	}
	if e.early.left == nil {
		e.early.left = map[string]bool{}
	}
	e.early.left[key] = true
	e.early.changes++
	e.notify()
}

// Checked records that the person looked at the problems of the form or tried to save it.
func (e *Editor) Checked() {
	if e.early.checked == e.state.Form {
		return
	}
	e.early.checked = e.state.Form
	e.early.changes++
	e.notify()
}

// Asked returns a number that changes with what Early reports about the same form.
func (e *Editor) Asked() int { return e.early.changes }

// earlyKey returns a key for the value at a path in a component, and the id of the component. Both are "" for any other path.
func earlyKey(f *model.Form, path schema.Path) (key, id string) {
	at, ok := f.At(path)
	if !ok || at.Node < 0 || at.Component < 0 || len(at.Rest) == 0 {
		return "", ""
	}
	c := f.Nodes[at.Node].Component(at.Component)
	if c == nil || c.ID == "" {
		return "", ""
	}
	return c.ID + "\x00" + at.Rest.String(), c.ID
}
