package model

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// element returns the spec inside lists, maps and Nullable.
func element(s schema.Spec) schema.Spec {
	switch s := s.(type) {
	case schema.List:
		return element(s.Item)
	case schema.Map:
		return element(s.Value)
	case schema.Nullable:
		return element(s.Spec)
	default:
		return s
	}
}

// words describes a type.
func words(s schema.Spec) string {
	if title := linked(s); title != "" {
		return fmt.Sprintf("object, see [%s](#%s)", title, anchor(title))
	}
	switch s := s.(type) {
	case schema.Table, schema.Choice, schema.Union:
		return "object"
	case schema.Open:
		if len(s.Rows) == 0 {
			return "object of any properties"
		}
		return "object, others allowed"
	case schema.Map:
		return "object of any keys; each value: " + words(s.Value)
	case schema.String:
		if s.Secret {
			return "string, secret"
		}
		return "string"
	case schema.Numeric:
		if s.Integer {
			return "integer"
		}
		return "number"
	case schema.Enum:
		if len(s) == 1 {
			return "`" + s[0] + "`"
		}
		return "one of `" + strings.Join(s, "`, `") + "`"
	case schema.Bool:
		return "true or false"
	case schema.True:
		return "`true`, nothing else"
	case schema.Any:
		return "any JSON value"
	case schema.List:
		return "list; each element: " + words(s.Item)
	case schema.Nullable:
		return words(s.Spec) + ", or null"
	case schema.Either:
		return s.Want
	}
	panic(fmt.Sprintf("%T has no words", s))
}

// bounds describes lengths, ranges and counts, "" for none.
func bounds(s schema.Spec) string {
	switch s := s.(type) {
	case schema.String:
		return between(limit(s.Min), limit(s.Max), " characters")
	case schema.Numeric:
		return between(string(s.Min), string(s.Max), "")
	case schema.List:
		own := between(limit(s.Min), "", " elements")
		if of := bounds(s.Item); of != "" {
			return strings.TrimPrefix(own+"; each "+of, "; ")
		}
		return own
	case schema.Map:
		if of := bounds(s.Value); of != "" {
			return "each " + of
		}
	case schema.Nullable:
		return bounds(s.Spec)
	case schema.Either:
		var parts []string
		for _, alt := range s.Of {
			parts = append(parts, words(alt)+": "+bounds(alt))
		}
		return strings.Join(parts, "; ")
	default: // has none
	}
	return ""
}

// limit describes a length, "" if there is no bound.
func limit(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func between(lo, hi, unit string) string {
	if lo == "1" && hi == "" {
		unit = strings.TrimSuffix(unit, "s")
	}
	switch {
	case lo == "" && hi == "":
		return ""
	case hi == "":
		return "at least " + lo + unit
	case lo == "":
		return "at most " + hi + unit
	}
	return lo + " to " + hi + unit
}

// cell escapes a text for a cell.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "|", `\|`)
}
