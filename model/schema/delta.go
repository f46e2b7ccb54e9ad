package schema

// Edit is a change of a tree at one place: the value there is replaced or added, or removed.
type Edit struct {
	Path    Path
	Value   any
	Cleared bool
}

// Delta returns edits that turn the tree a into b, in the order in which Patch applies them. It does not look into what both trees share, so
// its cost is that of the difference. An array that got longer or shorter is one edit.
func Delta(a, b *Object) []Edit {
	var edits []Edit
	objectDelta(&edits, nil, a, b)
	return edits
}

func objectDelta(edits *[]Edit, at Path, a, b *Object) {
	if a == b {
		return
	}
	for _, m := range a.Members() {
		if !b.Has(m.Key) {
			*edits = append(*edits, Edit{Path: at.Key(m.Key), Cleared: true})
		}
	}
	for _, m := range b.Members() {
		was, ok := a.Get(m.Key)
		if !ok {
			*edits = append(*edits, Edit{Path: at.Key(m.Key), Value: m.Value})
			continue
		}
		valueDelta(edits, Key(m.Key), at, was, m.Value)
	}
}

// valueDelta compares the values at an element of the path at, which is extended only where they differ.
func valueDelta(edits *[]Edit, e Elem, at Path, a, b any) {
	switch now := b.(type) {
	case *Object:
		if was, ok := a.(*Object); ok {
			if was != now {
				objectDelta(edits, at.join(e), was, now)
			}
			return
		}
	case []any:
		was, ok := a.([]any)
		if !ok || len(was) != len(now) {
			break
		}
		if len(now) == 0 || &was[0] == &now[0] {
			return
		}
		at = at.join(e)
		for i := range now {
			valueDelta(edits, Index(i), at, was[i], now[i])
		}
		return
	default:
		if _, ok := a.(*Object); !ok {
			if _, ok := a.([]any); !ok && a == b {
				return
			}
		}
	}
	*edits = append(*edits, Edit{Path: at.join(e), Value: b})
}

// Patch returns the tree after edits. The error is ErrNoPlace for edits of another tree.
func Patch(o *Object, edits []Edit) (*Object, error) {
	var tree any = o
	for _, e := range edits {
		var err error
		if e.Cleared {
			tree, err = Clear(tree, e.Path)
		} else {
			tree, err = Set(tree, e.Path, e.Value)
		}
		if err != nil {
			return nil, err
		}
	}
	now, ok := tree.(*Object)
	if !ok {
		return nil, ErrNoPlace
	}
	return now, nil
}

// EncodeEdits returns edits as a tree that DecodeEdits reads.
func EncodeEdits(edits []Edit) []any {
	list := make([]any, len(edits))
	for i, e := range edits {
		if e.Cleared {
			list[i] = NewObject(Member{"at", e.Path.String()})
		} else {
			list[i] = NewObject(Member{"at", e.Path.String()}, Member{"to", e.Value})
		}
	}
	return list
}

// DecodeEdits returns the edits in a tree that EncodeEdits returned.
func DecodeEdits(list []any) ([]Edit, error) {
	edits := make([]Edit, len(list))
	for i, v := range list {
		o, _ := v.(*Object)
		p, err := ParsePath(o.Text("at"))
		if err != nil {
			return nil, err
		}
		to, ok := o.Get("to")
		edits[i] = Edit{Path: p, Value: to, Cleared: !ok}
	}
	return edits, nil
}
