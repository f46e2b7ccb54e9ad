package translate

import (
	"slices"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model/schema"
)

// RemoveOrphans removes translations that translate nothing, as answer.Orphans finds them, as one undo step. What is empty without them goes,
// too, but their language stays. The paths are in document order. A path that leads to nothing is skipped.
type RemoveOrphans struct{ Paths []schema.Path }

// Label says what goes.
func (c RemoveOrphans) Label() verb.Phrase { return verb.Remove.With("left-over translations") }

// Do removes the translations. It does not use editor.Set, which drops the pending texts of all languages.
func (c RemoveOrphans) Do(s editor.State) (editor.State, error) {
	at := schema.Path{schema.Key(translationsKey)}
	var all any = s.Form.Tree().Object(translationsKey)
	// From the end, so that the elements of a list keep their places until they are looked at.
	for _, p := range slices.Backward(c.Paths) {
		all = without(all, p[1:], len(p) > languageDepth)
	}
	if all == nil {
		return editor.Clear{Path: at}.Do(s)
	}
	form, err := s.Form.Set(at, all)
	if err == nil {
		s.Form = form
	}
	return s, err
}

// languageDepth is the length of the path of a language.
const languageDepth = 2

// without returns a value without the one at a path in it, and without what is empty then; nil if nothing is left. It keeps the members of the
// value itself, even if they are empty then, if keep is set.
func without(v any, p schema.Path, keep bool) any {
	if len(p) == 0 {
		return nil
	}
	switch v := v.(type) {
	case *schema.Object:
		member, has := v.Get(p[0].Key)
		if !has {
			return v
		}
		now := without(member, p[1:], false)
		if now == nil && keep {
			now = schema.NewObject()
		}
		if now != nil {
			return v.With(p[0].Key, now)
		}
		if o := v.Without(p[0].Key); o.Len() > 0 {
			return o
		}
		return nil
	case []any:
		i := p[0].Index
		if i < 0 || i >= len(v) {
			return v
		}
		list := append([]any(nil), v...)
		// An element may be named by its place: those after it stay where they are.
		if list[i] = without(list[i], p[1:], false); list[i] == nil {
			list[i] = schema.NewObject()
		}
		for len(list) > 0 {
			if o, ok := list[len(list)-1].(*schema.Object); !ok || o.Len() > 0 {
				return list
			}
			list = list[:len(list)-1]
		}
		return nil
	}
	return v
}
