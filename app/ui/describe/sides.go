package describe

import (
	"strings"
	"unicode"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// sideLength is the maximum number of characters of a side of a conflict.
const sideLength = 1000

// Sides describes what each side made of the place of a conflict. It shows no secrets.
func Sides(f *model.Form, c merge.Conflict) (mine, theirs string) {
	return side(f, c, c.Mine), side(f, c, c.Theirs)
}

func side(f *model.Form, c merge.Conflict, v merge.Value) string {
	switch {
	case c.Kind == merge.RemovedAndUsed && v.Present:
		return "Kept, since something leads to it"
	case !v.Present && (c.Kind == merge.RemovedAndChanged || c.Kind == merge.RemovedAndUsed):
		return "Removed"
	case !v.Present:
		return "Not set"
	case c.Secret():
		return "A hidden value"
	case c.Kind == merge.BothMoved:
		id, _ := v.Tree.(string)
		return "Moved to " + NodeName(f, id)
	case c.Kind == merge.BothAdded:
		return "Added here"
	}
	return schema.Shorten(valueText(f, v.Tree), sideLength)
}

// valueText formats a value for people.
func valueText(f *model.Form, v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	case string:
		if v == "" {
			return "Empty"
		}
		if strings.HasPrefix(v, "$") || model.ValidIdentifier(v) {
			return nameOf(f, v)
		}
		return v
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, valueText(f, e))
		}
		return strings.Join(parts, ", ")
	case *schema.Object:
		for _, key := range []string{"label", "alias", "text", "key", "value", "id"} {
			if s := v.Text(key); s != "" {
				return s
			}
		}
		if v.Has("operands") { // a condition has words of its own
			return string(schema.Encode(v))
		}
		return "Changed"
	}
	return string(schema.Encode(v))
}

// nameOf returns the name of the node or component with an id, or the text itself if there is none.
func nameOf(f *model.Form, id string) string {
	if c, _, _ := f.Component(id); c != nil {
		return caption.Component(c)
	}
	if _, i := f.Node(id); i >= 0 || id == model.EndingID {
		return NodeName(f, id)
	}
	return id
}

// Differing cuts a text into what it begins with as another text does, what differs, and what it ends with as the other does. It cuts between
// words, and marks nothing if hardly anything is the same.
func Differing(text, other string) (before, between, after string) {
	a, b := []rune(text), []rune(other)
	from := 0
	for from < len(a) && from < len(b) && a[from] == b[from] {
		from++
	}
	for from > 0 && from < len(a) && !unicode.IsSpace(a[from-1]) {
		from--
	}
	to := 0
	for to < len(a)-from && to < len(b)-from && a[len(a)-1-to] == b[len(b)-1-to] {
		to++
	}
	begins := func(r []rune) bool { return len(r)-to == from || unicode.IsSpace(r[len(r)-to-1]) }
	for to > 0 && (!begins(a) || !begins(b)) {
		to--
	}
	if from+to == 0 {
		return text, "", "" // nothing is the same: marks would not help
	}
	return string(a[:from]), string(a[from : len(a)-to]), string(a[len(a)-to:])
}
