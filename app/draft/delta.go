package draft

import (
	"errors"
	"slices"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model/schema"
)

// The members of a delta.
const (
	keySet     = "set"     // properties of the form with new values
	keyGone    = "gone"    // names of removed properties
	keyNodes   = "nodes"   // the list of nodes: runs of the old list, and new nodes
	keyOrder   = "order"   // names of all properties, if their order differs
	keyPending = "pending" // the pending texts, if they changed: [[path, text], ...]
)

var errMalformed = errors.New("the draft was not written by this program")

// delta returns the difference from one state to the next. Nodes are compared by identity: a command shares what it does not change, so the
// cost of a step depends on the changes and not on the size of the form.
func delta(was, now editor.State) *schema.Object {
	d := schema.NewObject()
	old, tree := was.Form.Tree(), now.Form.Tree()
	set, gone := schema.NewObject(), []any{}
	for _, m := range tree.Members() {
		before, there := old.Get(m.Key)
		if m.Key == keyNodes && there {
			if list, ok := nodeRuns(before, m.Value); ok {
				if list != nil {
					d = d.With(keyNodes, list)
				}
				continue
			}
		}
		if !there || !schema.Equal(before, m.Value) {
			set = set.With(m.Key, m.Value)
		}
	}
	for _, m := range old.Members() {
		if !tree.Has(m.Key) {
			gone = append(gone, m.Key)
		}
	}
	if set.Len() > 0 {
		d = d.With(keySet, set)
	}
	if len(gone) > 0 {
		d = d.With(keyGone, gone)
	}
	if order := names(tree); !slices.Equal(order, orderAfter(old, tree)) {
		d = d.With(keyOrder, order)
	}
	if !slices.EqualFunc(was.Pending, now.Pending, editor.Pending.Equal) {
		d = d.With(keyPending, pendingTree(now.Pending))
	}
	return d
}

func names(o *schema.Object) []any {
	var out []any
	for _, m := range o.Members() {
		out = append(out, m.Key)
	}
	return out
}

// orderAfter returns the order of the properties of was without the removed ones,
// followed by the added ones.
func orderAfter(was, now *schema.Object) []any {
	var out []any
	for _, m := range was.Members() {
		if now.Has(m.Key) {
			out = append(out, m.Key)
		}
	}
	for _, m := range now.Members() {
		if !was.Has(m.Key) {
			out = append(out, m.Key)
		}
	}
	return out
}

// nodeRuns returns how the list now is made from the list was: [from, count] for a run of old elements, {"node": value} for a new one. It
// returns nil if both are the same, and false if one of them is not a list.
func nodeRuns(was, now any) (runs []any, ok bool) {
	old, ok1 := was.([]any)
	list, ok2 := now.([]any)
	if !ok1 || !ok2 {
		return nil, false
	}
	places := make(map[*schema.Object]int, len(old))
	for i, v := range old {
		if o, ok := v.(*schema.Object); ok && o != nil {
			places[o] = i
		}
	}
	runs = []any{}
	from, count := 0, 0
	flush := func() {
		if count > 0 {
			runs = append(runs, []any{schema.IntNumber(from), schema.IntNumber(count)})
		}
		count = 0
	}
	for _, v := range list {
		o, _ := v.(*schema.Object)
		place, kept := places[o]
		switch {
		case !kept || o == nil:
			flush()
			runs = append(runs, schema.NewObject(schema.Member{Key: "node", Value: v}))
		case count > 0 && place == from+count:
			count++
		default:
			flush()
			from, count = place, 1
		}
	}
	whole := len(runs) == 0 && from == 0 && count == len(old)
	flush()
	if whole {
		return nil, true
	}
	return runs, true
}

// apply returns the state that results from a delta.
func apply(was editor.State, d *schema.Object) (editor.State, error) {
	tree := was.Form.Tree()
	for _, name := range d.List(keyGone) {
		name, ok := name.(string)
		if !ok {
			return was, errMalformed
		}
		tree = tree.Without(name)
	}
	if d.Has(keyNodes) {
		list, err := fromRuns(tree.List("nodes"), d.List(keyNodes))
		if err != nil {
			return was, err
		}
		tree = tree.With("nodes", list)
	}
	for _, m := range d.Object(keySet).Members() {
		tree = tree.With(m.Key, m.Value)
	}
	if d.Has(keyOrder) {
		var members []schema.Member
		for _, name := range d.List(keyOrder) {
			name, _ := name.(string)
			v, ok := tree.Get(name)
			if !ok {
				return was, errMalformed
			}
			members = append(members, schema.Member{Key: name, Value: v})
		}
		tree = schema.NewObject(members...)
	}
	now := editor.State{Form: was.Form.Derive(tree), Pending: was.Pending}
	if d.Has(keyPending) {
		var err error
		if now.Pending, err = pendingOf(d.List(keyPending)); err != nil {
			return was, err
		}
	}
	return now, nil
}

func fromRuns(old, runs []any) ([]any, error) {
	list := []any{}
	for _, r := range runs {
		switch r := r.(type) {
		case *schema.Object:
			v, ok := r.Get("node")
			if !ok {
				return nil, errMalformed
			}
			list = append(list, v)
		case []any:
			if len(r) != 2 {
				return nil, errMalformed
			}
			from, ok1 := intOf(r[0])
			count, ok2 := intOf(r[1])
			if !ok1 || !ok2 || from < 0 || count < 0 || from > len(old) || count > len(old)-from {
				return nil, errMalformed
			}
			list = append(list, old[from:from+count]...)
		default:
			return nil, errMalformed
		}
	}
	return list, nil
}

func intOf(v any) (int, bool) {
	n, ok := v.(schema.Number)
	if !ok {
		return 0, false
	}
	return n.Int()
}

func pendingTree(texts []editor.Pending) []any {
	out := []any{}
	for _, t := range texts {
		out = append(out, []any{t.Path.String(), t.Text})
	}
	return out
}

func pendingOf(list []any) ([]editor.Pending, error) {
	var out []editor.Pending
	for _, v := range list {
		pair, _ := v.([]any)
		if len(pair) != 2 {
			return nil, errMalformed
		}
		at, ok1 := pair[0].(string)
		text, ok2 := pair[1].(string)
		path, err := schema.ParsePath(at)
		if !ok1 || !ok2 || err != nil {
			return nil, errMalformed
		}
		out = append(out, editor.Pending{Path: path, Text: text})
	}
	return out, nil
}
