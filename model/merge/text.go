package merge

import (
	"strconv"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// String describes the change for people: Step Welcome: component email: label changed from "E-mail" to "Work e-mail". It does not show
// possible secrets, objects or lists, and shortens long texts.
func (c Change) String() string {
	if c.Kind == Moved {
		return c.subject + " " + c.movement()
	}
	what := c.subject
	if len(c.rest) > 0 {
		what += ": " + propertyTitle(c.rest)
	}
	before, after := c.shown(c.Before), c.shown(c.After)
	switch {
	case len(c.rest) == 0 && c.Kind != Changed:
		return what + " " + string(c.Kind)
	case c.Kind == Added && after != "":
		return what + " set to " + after
	case c.Kind == Removed && before != "":
		return what + " removed, was " + before
	case c.Kind == Changed && before != "" && after != "":
		return what + " changed from " + before + " to " + after
	}
	return what + " " + string(c.Kind)
}

// movement describes a move, with places counted from 1.
func (c Change) movement() string {
	if c.origin != "" {
		return "moved here from " + c.origin
	}
	if len(c.Path) == 0 || len(c.From) == 0 {
		return string(Moved)
	}
	from, to := c.From[len(c.From)-1].Index, c.Path[len(c.Path)-1].Index
	if from == to {
		return "moved among its neighbours"
	}
	return "moved from place " + strconv.Itoa(from+1) + " to " + strconv.Itoa(to+1)
}

// Secret reports whether the values may contain secrets, so that they must not be shown.
func (c Change) Secret() bool { return c.secret }

func (c Change) shown(v Value) string {
	if c.secret || !v.Present {
		return ""
	}
	if c.Layout() {
		c, _ := v.Tree.(*schema.Object)
		if p, ok := model.PointOf(c); ok {
			return "(" + strconv.Itoa(p.X) + ", " + strconv.Itoa(p.Y) + ")"
		}
	}
	return shownTree(v.Tree)
}

// maxShown bounds the quoted part of a text, as in problems.
const maxShown = 60

// shownTree formats a value for people, "" for an object or a list.
func shownTree(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case schema.Number:
		return cut(string(v))
	case string:
		return strconv.Quote(cut(v))
	}
	return ""
}

func cut(s string) string { return schema.Shorten(s, maxShown+1) }

// propertyTitle names a property for its author, without the config, which contains most properties.
func propertyTitle(p schema.Path) string {
	if len(p) > 1 && p[0].Key == "config" {
		p = p[1:]
	}
	return cut(p.String())
}

func componentTitle(v any) string { return "component " + model.IDTitle(textOf(v, "id")) }
