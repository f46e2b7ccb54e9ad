package describe

import (
	"cmp"
	"strings"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// changeLength is the maximum number of characters of a value of a change.
const changeLength = 60

// happened are the words for what became of a whole part of the form.
var happened = map[merge.ChangeKind]string{merge.Added: "Added", merge.Removed: "Removed", merge.Changed: "Replaced", merge.Moved: "Moved"}

// Change describes a change between two forms: the part of the form, such as "E-mail in Contact", with its symbol, and what became of it, such
// as "Hint set to “For receipts”". It shows no secrets.
func Change(before, after *model.Form, c *merge.Change) (part, icon, became string) {
	of := after
	if last := c.Path[len(c.Path)-1]; c.Kind == merge.Removed && last.Index >= 0 {
		of = before // where the element was
	}
	part, icon = Target(of, c.Path)
	if at, inGraph := of.At(c.Path); inGraph && len(at.Rest) == 0 {
		return part, icon, happened[c.Kind]
	}
	if c.Layout() {
		return part, icon, "Moved on the canvas"
	}
	property := Property(of, c.Path)
	was, is := quotedValue(before, c, c.Before), quotedValue(after, c, c.After)
	if spec, ok := of.Row(c.Path).Spec.(schema.String); ok && spec.Role == schema.NodePointer {
		became = property + " " + cmp.Or(is, "nothing")
		if was != "" {
			became += " instead of " + was
		}
		return part, icon, became
	}
	switch {
	case c.Kind == merge.Added && is != "":
		return part, icon, property + " set to " + is
	case c.Kind == merge.Removed && was != "":
		return part, icon, property + " removed; it was " + was
	case c.Kind == merge.Changed && was != "" && is != "":
		return part, icon, property + " changed from " + was + " to " + is
	}
	return part, icon, property + " " + string(c.Kind)
}

// quotedValue formats a value of a change as a part of a sentence, "" if it is not shown.
func quotedValue(f *model.Form, c *merge.Change, v merge.Value) string {
	if !v.Present || c.Secret() {
		return ""
	}
	switch v.Tree.(type) {
	case *schema.Object, []any:
		return ""
	}
	return kit.Quote(strings.TrimSpace(schema.Shorten(valueText(f, v.Tree), changeLength)))
}
