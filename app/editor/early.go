package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// early knows which values of new components a person has not been asked for yet: to show these as mistakes would blame them for what they could
// not have done.
type early struct {
	left    map[string]bool // the values whose controls were left, by component and path in it
	checked *model.Form     // the form when its problems were looked at last; nil for never
	changes int
}

// Early reports whether a problem is only that a component, which is neither saved nor checked yet, still lacks a value, and that its control was
// not left without one. It counts like any other problem, and shows as something to do.
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

// Checked records that the person looks at the problems of the form, or has tried to save it.
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

// earlyKey names the value at a path of a component, and returns the id of that. Both are "" for any other path.
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
