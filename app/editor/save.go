package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Changes returns the smallest patch that makes the form under edit of the one
// that is saved. It is empty when there is nothing to save: dirty is a
// difference, not a flag, so undoing everything is clean again.
//
// The screen asks several times a frame, so the answer is kept until one of the
// two forms is another.
func (e *Editor) Changes() model.Patch {
	if c := &e.changes; c.base != e.saved || c.now != e.state.Form {
		*c = changes{e.saved, e.state.Form, model.Diff(e.saved, e.state.Form)}
	}
	return e.changes.patch
}

// changes is a patch and the forms that it was made of.
type changes struct {
	base, now *model.Form
	patch     model.Patch
}

// Saved tells the editor that a form is now what the server holds: the form as
// it was when the save was sent, with the times of the answer. What was typed
// meanwhile stays, and stays to be saved. The history stays too.
func (e *Editor) Saved(f *model.Form) {
	e.saved = f
	e.notify()
}

// Base returns the form that is saved.
func (e *Editor) Base() *model.Form { return e.saved }

// ChangeCount returns how many things differ from what is saved: nodes that
// were added, removed or changed, and each other property of the form. It is
// for people to read; Changes decides.
func (e *Editor) ChangeCount() int {
	if e.Changes().Empty() {
		return 0
	}
	was := make(map[string]*model.Node, len(e.saved.Nodes))
	for _, n := range e.saved.Nodes {
		was[n.ID] = n
	}
	count := 0
	for _, n := range e.state.Form.Nodes {
		old := was[n.ID]
		delete(was, n.ID)
		if old == nil || old != n && !schema.Equal(old.Tree(), n.Tree()) {
			count++
		}
	}
	count += len(was)
	for _, m := range e.Changes().Tree().Members() {
		if m.Key != "nodes" {
			count++
		}
	}
	// Nodes that only changed places in the list.
	return max(1, count)
}
