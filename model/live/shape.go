package live

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Errors of what cannot be a shared form: ErrDeep and ErrMany are about the limits of documents, and ErrShape is about the kinds of its parts.
var (
	ErrDeep  = fmt.Errorf("containers nest deeper than %d", schema.MaxDepth)
	ErrMany  = fmt.Errorf("there are more than %d values", schema.MaxValues)
	ErrShape = errors.New("it is not a form")
)

// CheckForm returns an error if a tree is not within the limits of documents, or does not have the shape of a form, see CheckShape.
func CheckForm(tree *schema.Object) error {
	values, depth := schema.Measure(tree)
	switch {
	case depth > schema.MaxDepth:
		return ErrDeep
	case values > schema.MaxValues:
		return ErrMany
	}
	return CheckShape(tree)
}

// CheckEdits returns how many values edits add at most, or ErrDeep if the tree would nest too deep after one of them.
func CheckEdits(edits []schema.Edit) (values int, err error) {
	for _, e := range edits {
		n, depth := schema.Measure(e.Value)
		if len(e.Path)+depth > schema.MaxDepth {
			return 0, fmt.Errorf("at %s: %w", shortPath(e.Path), ErrDeep)
		}
		values += n + len(e.Path) // the objects on the way may be missing
	}
	return values, nil
}

// shortPath returns the beginning of a path.
func shortPath(p schema.Path) schema.Path { return p[:min(len(p), 3)] }

// CheckShape returns an error that wraps ErrShape if a part of a form is of another kind than the model reads: the list of its nodes, of which
// each is an object, its name, and the other parts, which are objects. Parts may be null or missing. What is in them does not count.
func CheckShape(tree *schema.Object) error {
	for _, row := range model.ContentTable() {
		v, _ := tree.Get(row.Name)
		if v == nil {
			continue
		}
		ok, kind := false, "an object"
		switch row.Spec.(type) {
		case schema.String:
			_, ok = v.(string)
			kind = "a text"
		case schema.List:
			var l []any
			l, ok = v.([]any)
			kind = "a list"
			for i, e := range l {
				if o, _ := e.(*schema.Object); o == nil {
					return fmt.Errorf("%w: %s must be an object", ErrShape, row.Name+"["+strconv.Itoa(i)+"]")
				}
			}
		default:
			_, ok = v.(*schema.Object)
		}
		if !ok {
			return fmt.Errorf("%w: %s must be %s", ErrShape, row.Name, kind)
		}
	}
	return nil
}

// Digest returns a text that is the same for equal shared forms, and most likely another one for others.
func Digest(tree *schema.Object) string { return strconv.FormatUint(schema.Digest(Content(tree)), 16) }
