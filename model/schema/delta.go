package schema

// Edit is a change of a tree at one place: the value there is replaced or added, or removed. An Inserted one is a new element of an array,
// before the one at the place.
type Edit struct {
	Path     Path
	Value    any
	Cleared  bool
	Inserted bool
}

// Delta returns edits that turn the tree a into b, in the order in which Patch applies them. It does not look into what both trees share, so
// its cost is that of the difference. Elements of arrays are removed and inserted one by one if the trees share those around them.
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
		if !ok {
			break
		}
		if len(was) == len(now) && (len(now) == 0 || &was[0] == &now[0]) {
			return
		}
		if arrayDelta(edits, at.join(e), was, now) {
			return
		}
	default:
		if _, ok := a.(*Object); !ok {
			if _, ok := a.([]any); !ok && a == b {
				return
			}
		}
	}
	*edits = append(*edits, Edit{Path: at.join(e), Value: b})
}

// maxSplices is how many elements of an array are removed and inserted one by one at most.
const maxSplices = 32

// arrayDelta compares two arrays, and returns false if their difference is best described by the new array as a whole. Elements between those
// that both share at the beginning and at the end are compared in order.
func arrayDelta(edits *[]Edit, at Path, was, now []any) bool {
	from := 0
	for from < min(len(was), len(now)) && alike(was[from], now[from]) {
		from++
	}
	a, b := len(was), len(now)
	for a > from && b > from && alike(was[a-1], now[b-1]) {
		a, b = a-1, b-1
	}
	if len(was) != len(now) && (a-from > maxSplices || b-from > maxSplices) {
		return false
	}
	if len(was) == len(now) && oneMoved(edits, at, from, was[from:a], now[from:b]) {
		return true
	}
	both := min(a, b)
	for i := from; i < both; i++ {
		valueDelta(edits, Index(i), at, was[i], now[i])
	}
	for i := a - 1; i >= both; i-- {
		*edits = append(*edits, Edit{Path: at.join(Index(i)), Cleared: true})
	}
	for i := both; i < b; i++ {
		*edits = append(*edits, Edit{Path: at.join(Index(i)), Value: now[i], Inserted: true})
	}
	return true
}

// oneMoved describes two arrays of which one is the other with one element at the other end, which begin at an index.
func oneMoved(edits *[]Edit, at Path, from int, was, now []any) bool {
	last := len(was) - 1
	if last < 1 {
		return false
	}
	same := func(a, b []any) bool {
		for i := range a {
			if !alike(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	take, put := 0, 0
	switch {
	case alike(was[0], now[last]) && same(was[1:], now[:last]):
		take, put = from, from+last
	case alike(was[last], now[0]) && same(was[:last], now[1:]):
		take, put = from+last, from
	default:
		return false
	}
	*edits = append(*edits, Edit{Path: at.join(Index(take)), Cleared: true},
		Edit{Path: at.join(Index(put)), Value: was[take-from], Inserted: true})
	return true
}

// alike reports whether two values are the same without looking into them.
func alike(a, b any) bool {
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
	default:
		if _, ok := b.([]any); ok {
			return false
		}
		return a == b
	}
}

// EncodeEdits returns edits as a tree that DecodeEdits reads.
func EncodeEdits(edits []Edit) []any {
	list := make([]any, len(edits))
	for i, e := range edits {
		switch at := (Member{"at", e.Path.String()}); {
		case e.Cleared:
			list[i] = NewObject(at)
		case e.Inserted:
			list[i] = NewObject(at, Member{"in", e.Value})
		default:
			list[i] = NewObject(at, Member{"to", e.Value})
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
		e := Edit{Path: p}
		if e.Value, e.Inserted = o.Get("in"); !e.Inserted {
			var ok bool
			e.Value, ok = o.Get("to")
			e.Cleared = !ok
		}
		edits[i] = e
	}
	return edits, nil
}
