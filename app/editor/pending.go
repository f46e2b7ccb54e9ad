package editor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// Pending is text typed into a row that accepts any JSON value, while the text is not valid JSON. The form cannot hold it, so the State
// does: like every other edit it can be undone, is kept in drafts and counts as unsaved.
type Pending struct {
	Path schema.Path // of the row
	Text string
}

// Equal reports whether two pending texts have the same row and text.
func (p Pending) Equal(q Pending) bool { return p.Text == q.Text && p.Path.Equal(q.Path) }

// PendingAt returns the pending text of the row at a path.
func (s State) PendingAt(p schema.Path) (string, bool) {
	for _, t := range s.Pending {
		if t.Path.Equal(p) {
			return t.Text, true
		}
	}
	return "", false
}

// SetPending stores a text that is not valid JSON for the row at a path. The form keeps its value there until the text is valid.
type SetPending Pending

// Label names the property.
func (c SetPending) Label() verb.Phrase { return verb.Edit.Of(propertyName(c.Path)) }

// MergeKey is that of a Set of the path, since the text may become valid while it is typed.
func (c SetPending) MergeKey() string { return "set " + c.Path.String() }

// Do stores the text; if it is unchanged, Do changes nothing.
func (c SetPending) Do(s State) (State, error) {
	if was, ok := s.PendingAt(c.Path); ok && was == c.Text {
		return s, nil
	}
	s = s.withoutPending(c.Path)
	s.Pending = append(slices.Clip(s.Pending), Pending(c))
	return s, nil
}

// withoutPending returns s without the pending texts at p and below.
func (s State) withoutPending(p schema.Path) State {
	under := func(t Pending) bool { return t.Path.HasPrefix(p) }
	if slices.ContainsFunc(s.Pending, under) {
		s.Pending = slices.DeleteFunc(slices.Clone(s.Pending), under)
	}
	return s
}

// adopted returns s, a state whose form was changed by others from the form before, with what they renamed still selected.
func (s State) adopted(before *model.Form) State {
	if s.Selection.Empty() && len(s.Pending) == 0 {
		return s
	}
	if r := flow.SureRenamesOf(before, s.Form); !r.Empty() {
		s.Selection = s.Selection.renamed(r)
		before = r.Apply(before)
	}
	s.Selection = s.Selection.within(s.Form)
	return s.followPending(before)
}

// followPending returns s, the state after a command on the form before, with its pending texts moved along with their rows. A text whose
// row was removed is dropped; undo restores both.
func (s State) followPending(before *model.Form) State {
	if len(s.Pending) == 0 || s.Form == before {
		return s
	}
	kept := make([]Pending, 0, len(s.Pending))
	for _, t := range s.Pending {
		if p, ok := follow(before.Tree(), s.Form.Tree(), t.Path); ok {
			kept = append(kept, Pending{p, t.Text})
		}
	}
	s.Pending = kept
	return s
}

// follow returns the path in the tree now of the value that is at p in the tree was, and false if it was removed. It follows elements of
// lists as they move.
func follow(was, now any, p schema.Path) (schema.Path, bool) {
	out := make(schema.Path, 0, len(p))
	for _, e := range p {
		if e.Index < 0 {
			was, now = member(was, e.Key), member(now, e.Key)
			out = append(out, e)
			continue
		}
		old, _ := was.([]any)
		list, _ := now.([]any)
		i := e.Index
		if i < len(old) { // else a row for an element that does not exist yet
			j := followElement(old, list, i)
			if j < 0 {
				return nil, false
			}
			was, now, i = old[i], list[j], j
		} else {
			was, now = nil, nil
		}
		out = append(out, schema.Index(i))
	}
	return out, true
}

func member(v any, key string) any {
	o, _ := v.(*schema.Object)
	m, _ := o.Get(key)
	return m
}

// followElement returns the index in now of the element i of old, or -1 if it was removed. A command leaves unaffected elements identical
// in both trees, so they identify themselves; an edited one is between the common ends.
func followElement(old, now []any, i int) int {
	front, back := 0, 0
	for front < min(len(old), len(now)) && sameElement(old[front], now[front]) {
		front++
	}
	for back < min(len(old), len(now))-front && sameElement(old[len(old)-1-back], now[len(now)-1-back]) {
		back++
	}
	switch {
	case i < front:
		return i
	case i >= len(old)-back:
		return len(now) - (len(old) - i)
	}
	between := now[front : len(now)-back]
	if j := slices.IndexFunc(between, func(v any) bool { return sameElement(old[i], v) }); j >= 0 {
		return front + j
	}
	if id := strings.TrimSpace(idOf(old[i])); id != "" {
		if j := slices.IndexFunc(between, func(v any) bool { return idOf(v) == id }); j >= 0 {
			return front + j
		}
	}
	if len(old) == len(now) {
		return i
	}
	return -1
}

func idOf(v any) string {
	o, _ := v.(*schema.Object)
	return o.Text("id")
}

// sameElement reports whether two elements are the same object, or equal
// values of another type.
func sameElement(a, b any) bool {
	x, isObject := a.(*schema.Object)
	if y, ok := b.(*schema.Object); ok || isObject {
		return ok && isObject && x == y
	}
	return schema.Equal(a, b)
}

// pendingProblems returns a problem for each pending text. Its offset is -1, since the document does not contain the text.
func (s State) pendingProblems() schema.Problems {
	var ps schema.Problems
	for _, t := range s.Pending {
		detail := "must be a number"
		if _, found := schema.Decode([]byte(t.Text)); len(found) > 0 {
			line, column := schema.Position([]byte(t.Text), found[0].Offset)
			detail = fmt.Sprintf("is not valid JSON: line %d, column %d: %s", line, column, found[0].Detail)
		}
		ps = append(ps, schema.Problem{Path: t.Path, Code: schema.CodeSyntax, Detail: detail, Offset: -1})
	}
	return ps
}
