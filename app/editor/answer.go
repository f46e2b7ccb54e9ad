package editor

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// Answered records a save: sent is the form that was sent, and answer the one that the tenant has now, which is the truth. It returns what
// the tenant changed in what was sent, and the conflicts with edits made since, which stay and are still unsaved.
//
// The tenant's changes do not become an undo step. They are applied to every state of the history. If they were a step, undoing an
// edit would also undo what the tenant added or dropped, the form would be unsaved in places that the person never touched, and
// the tenant would change them again at each save. If the value in a state differs from the one that the tenant changed, the state
// keeps it; what the tenant dropped is dropped in every state.
func (e *Editor) Answered(sent, answer *model.Form) ([]merge.Change, []merge.Conflict) {
	return rebased(e, sent, answer, func([]merge.Conflict) func(merge.Conflict) bool {
		return func(c merge.Conflict) bool { return c.Theirs.Present }
	})
}

// rebased applies the difference between a form that was sent and the answer to all states of an editor. Where both changed a value, the present
// state keeps its own. A state of the history keeps its own in the conflicts that the result of keeps reports; undecided are those of the present
// state.
func rebased(e *Editor, sent, answer *model.Form, keeps func(undecided []merge.Conflict) func(merge.Conflict) bool) (
	[]merge.Change, []merge.Conflict,
) {
	if model.Diff(sent, answer).Empty() {
		e.Saved(sent)
		return nil, nil
	}
	answer = sent.Share(answer)
	pause.Now()
	now, merged := e.state.Form, answer
	var conflicts []merge.Conflict
	if now != sent {
		merged, conflicts = merge.Forms(sent, now, answer)
	}
	pause.Now()
	r := newRebase(sent, answer)
	r.forms[now] = merged
	r.keep = keeps(conflicts)
	e.history.rewrite(r.state)
	e.saved.form = answer
	e.Seal()
	e.set(r.state(e.state))
	pause.Now()
	return worthTelling(merge.Changes(sent, answer)), conflicts
}

// worthTelling omits the changes that mean nothing to the person: properties of the form that only the tenant sets, and empty objects and
// lists that it leaves out or adds.
func worthTelling(changes []merge.Change) []merge.Change {
	var told []merge.Change
	for _, c := range changes {
		_, ours := model.ContentTable().Row(c.Path[0].Key)
		if ours && (!isEmpty(c.Before) || !isEmpty(c.After)) {
			told = append(told, c)
		}
	}
	return told
}

// isEmpty reports whether a value is absent, null, or an object or list without content.
func isEmpty(v merge.Value) bool {
	switch t := v.Tree.(type) {
	case nil:
		return true
	case []any:
		return len(t) == 0
	case *schema.Object:
		return t.Len() == 0
	}
	return false
}

// rebase applies the difference between a form that was sent and the tenant's answer to other states. States share most of their nodes, so
// it works node by node and does each only once.
type rebase struct {
	sent, answer           *model.Form
	beside                 bool                      // they differ beside the nodes
	renamed                bool                      // they have an element with different ids, and so may what refers to it
	keep                   func(merge.Conflict) bool // reports whether a state keeps its value in a conflict
	sentNodes, answerNodes map[string]*schema.Object
	forms                  map[*model.Form]*model.Form
	nodes                  map[*schema.Object]*schema.Object
}

func newRebase(sent, answer *model.Form) *rebase {
	return &rebase{
		sent: sent, answer: answer, beside: !model.Diff(besideNodes(sent), besideNodes(answer)).Empty(),
		renamed: !flow.SureRenamesOf(sent, answer).Empty(), sentNodes: nodesByID(sent), answerNodes: nodesByID(answer),
		forms: map[*model.Form]*model.Form{sent: answer}, nodes: map[*schema.Object]*schema.Object{},
	}
}

// nodesByID returns the objects of a form's nodes. Of nodes with one id it has the first.
func nodesByID(f *model.Form) map[string]*schema.Object {
	m := make(map[string]*schema.Object, len(f.Nodes))
	for _, n := range f.Nodes {
		if m[n.ID] == nil && n.Tree() != nil {
			m[n.ID] = n.Tree()
		}
	}
	return m
}

func (r *rebase) state(s State) State {
	before := s.Form
	pause.Now()
	s.Form = r.form(before)
	return s.adopted(before)
}

func (r *rebase) form(f *model.Form) *model.Form {
	if g, ok := r.forms[f]; ok {
		return g
	}
	if r.renamed || !flow.SureRenamesOf(r.sent, f).Empty() {
		g := merge.Carry(r.sent, f, r.answer, r.keep)
		r.forms[f] = g
		return g
	}
	tree := f.Tree()
	if r.beside {
		tree = r.merge(besideNodes(r.sent), besideNodes(f), besideNodes(r.answer)).Tree()
		if v, ok := f.Tree().Get("nodes"); ok {
			tree = tree.With("nodes", v)
		}
	}
	if list := r.list(f); list != nil {
		tree = tree.With("nodes", list)
	}
	g := f.Derive(tree, r.answer)
	r.forms[f] = g
	return g
}

// list returns the nodes of a state with the tenant's changes, nil for no nodes.
func (r *rebase) list(f *model.Form) []any {
	var list []any
	has := make(map[string]bool, len(f.Nodes))
	for _, v := range f.Tree().List("nodes") {
		pause.Now()
		o, _ := v.(*schema.Object)
		id := o.Text("id")
		was, is := r.sentNodes[id], r.answerNodes[id]
		switch {
		case o == nil || was == nil || was == is || has[id]:
			list = append(list, v)
		case is != nil:
			list = append(list, r.node(o, was, is))
		default: // dropped by the tenant
		}
		has[id] = true
	}
	for _, n := range r.answer.Nodes {
		if n.Tree() != nil && r.sentNodes[n.ID] == nil && !has[n.ID] {
			list = append(list, n.Tree())
		}
	}
	return list
}

func (r *rebase) node(o, was, is *schema.Object) *schema.Object {
	if o == was {
		return is
	}
	if done, ok := r.nodes[o]; ok {
		return done
	}
	alone := func(o *schema.Object) *model.Form {
		return model.FromTree(schema.NewObject(schema.Member{Key: "nodes", Value: []any{o}}))
	}
	done := o
	if f := r.merge(alone(was), alone(o), alone(is)); len(f.Nodes) == 1 && f.Nodes[0].Tree() != nil {
		done = f.Nodes[0].Tree()
	}
	r.nodes[o] = done
	return done
}

func besideNodes(f *model.Form) *model.Form { return model.FromTree(f.Tree().Without("nodes")) }

// merge merges theirs into mine. Where both changed a value, theirs counts unless mine is to be kept.
func (r *rebase) merge(base, mine, theirs *model.Form) *model.Form {
	merged, conflicts := merge.Forms(base, mine, theirs)
	return merge.TakeTheirs(merged, slices.DeleteFunc(conflicts, r.keep))
}
