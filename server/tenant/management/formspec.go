package management

import (
	"slices"

	"github.com/formgraph/formgraph/model/schema"
)

// scalar parses a text as a value for spec.
func scalar(text string, spec schema.Spec) any {
	if wantsText(spec) {
		return text
	}
	v, ps := schema.Decode([]byte(text))
	if len(ps) > 0 {
		return text
	}
	return v
}

// wantsText reports whether spec accepts a string. If it has several alternatives, a string takes precedence: a text is what was sent.
func wantsText(spec schema.Spec) bool {
	switch s := spec.(type) {
	case schema.String, schema.Enum:
		return true
	case schema.Nullable:
		return wantsText(s.Spec)
	case schema.Either:
		return slices.ContainsFunc(s.Of, wantsText)
	default:
		return false
	}
}

// itemSpec returns the rule for the elements of an array, or nil if any value is allowed.
func itemSpec(spec schema.Spec) schema.Spec {
	switch s := spec.(type) {
	case schema.List:
		return s.Item
	case schema.Nullable:
		return itemSpec(s.Spec)
	default:
		return nil
	}
}

// isOpen reports whether spec is an object that may have members without a rule.
func isOpen(spec schema.Spec) bool {
	switch s := spec.(type) {
	case schema.Open:
		return true
	case schema.Nullable:
		return isOpen(s.Spec)
	case schema.Either:
		return slices.ContainsFunc(s.Of, isOpen)
	default:
		return false
	}
}

// memberSpec returns the rule for a member of the object at b, or nil if any value is allowed. The alternative of a union depends on the
// texts that b itself contains.
func (b *branch) memberSpec(spec schema.Spec, key string) schema.Spec {
	row := func(t schema.Table) schema.Spec {
		r, _ := t.Row(key)
		return r.Spec
	}
	switch s := spec.(type) {
	case schema.Table:
		return row(s)
	case schema.Open:
		return row(s.Rows)
	case schema.Map:
		return s.Value
	case schema.Nullable:
		return b.memberSpec(s.Spec, key)
	case schema.Choice:
		for _, o := range s.Options {
			if o.Row.Name == key {
				return o.Row.Spec
			}
		}
		if key == s.Tag {
			return schema.Enum(s.Tags())
		}
	case schema.Union:
		if key == s.Tag {
			return schema.Enum(s.Tags())
		}
		if tag := b.children[s.Tag]; tag != nil && tag.leaf {
			if arm, ok := s.Arm(tag.text); ok {
				return b.memberSpec(arm.Spec, key)
			}
		}
	case schema.Either:
		for _, of := range s.Of {
			if m := b.memberSpec(of, key); m != nil {
				return m
			}
		}
	default: // not an object
	}
	return nil
}
