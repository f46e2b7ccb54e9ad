package answer

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// parseCustom reads any JSON value. A text is read as JSON if the schema wants another type than a string.
func parseCustom(config *schema.Object, given any) (any, Key) {
	if blank(given) {
		return nil, ""
	}
	s, ok := given.(string)
	typ, typed := config.Object("schema").Get("type")
	if !ok || !typed || hasType(typ, s) {
		return given, ""
	}
	if v, problems := schema.Decode([]byte(s)); len(problems) == 0 {
		return v, ""
	}
	return given, ""
}

// unlikeSchema reports whether an answer does not match the JSON Schema of a CUSTOM field.
func unlikeSchema(bound, answer any, _ *schema.Object) bool {
	v := validator{root: bound}
	return !v.matches(bound, answer, 0)
}

// validator validates values against a JSON Schema of draft 2020-12. It ignores keywords that it does not know; see Choices.
type validator struct {
	root any
	work int // schemas applied
}

// Bounds of the work for one answer, so that a schema that refers to itself ends. What is beyond them matches.
const (
	maxSchemaDepth = 64
	maxSchemaWork  = 200_000
)

// matches reports whether a value matches a schema.
func (v *validator) matches(s, value any, depth int) bool {
	o, ok := s.(*schema.Object)
	if v.work++; !ok || depth > maxSchemaDepth || v.work > maxSchemaWork {
		return s != false
	}
	for _, m := range o.Members() {
		if fits, ok := keywords[m.Key]; ok && !fits(m.Value, value) {
			return false
		}
	}
	return v.composed(o, value, depth+1) && v.items(o, value, depth+1) && v.properties(o, value, depth+1)
}

// keywords are the assertions about a value alone. Values of another type than theirs match.
var keywords = map[string]func(bound, value any) bool{
	"type": hasType,
	"enum": func(bound, value any) bool {
		list, _ := bound.([]any)
		return slices.ContainsFunc(list, func(v any) bool { return schema.Equal(v, value) })
	},
	"const":            schema.Equal,
	"minimum":          compares(func(c int) bool { return c >= 0 }),
	"maximum":          compares(func(c int) bool { return c <= 0 }),
	"exclusiveMinimum": compares(func(c int) bool { return c > 0 }),
	"exclusiveMaximum": compares(func(c int) bool { return c < 0 }),
	"multipleOf":       isMultiple,
	"minLength":        counts(func(c int) bool { return c >= 0 }, textLength),
	"maxLength":        counts(func(c int) bool { return c <= 0 }, textLength),
	"minItems":         counts(func(c int) bool { return c >= 0 }, listLength),
	"maxItems":         counts(func(c int) bool { return c <= 0 }, listLength),
	"minProperties":    counts(func(c int) bool { return c >= 0 }, objectLength),
	"maxProperties":    counts(func(c int) bool { return c <= 0 }, objectLength),
	"uniqueItems": func(bound, value any) bool {
		list, _ := value.([]any)
		for i, v := range list {
			if bound == true && slices.ContainsFunc(list[:i], func(w any) bool { return schema.Equal(v, w) }) {
				return false
			}
		}
		return true
	},
	"required": func(bound, value any) bool {
		names, _ := bound.([]any)
		o, ok := value.(*schema.Object)
		return !ok || !slices.ContainsFunc(names, func(n any) bool { s, _ := n.(string); return !o.Has(s) })
	},
}

// hasType reports whether a value has the type, or one of the types, that a schema names.
func hasType(types, value any) bool {
	if list, ok := types.([]any); ok {
		return slices.ContainsFunc(list, func(t any) bool { return hasType(t, value) })
	}
	name := ""
	switch v := value.(type) {
	case nil:
		name = "null"
	case bool:
		name = "boolean"
	case string:
		name = "string"
	case schema.Number:
		name = "number"
		if types == "integer" && v.Integer() {
			name = "integer"
		}
	case []any:
		name = "array"
	case *schema.Object:
		name = "object"
	}
	return types == name
}

func compares(fits func(int) bool) func(bound, value any) bool {
	return func(bound, value any) bool {
		b, bounded := bound.(schema.Number)
		n, ok := value.(schema.Number)
		return !bounded || !ok || fits(n.Compare(b))
	}
}

func counts(fits func(int) bool, length func(any) (int, bool)) func(bound, value any) bool {
	return func(bound, value any) bool {
		b, bounded := bound.(schema.Number)
		n, ok := length(value)
		return !bounded || !ok || fits(schema.IntNumber(n).Compare(b))
	}
}

func textLength(v any) (int, bool)   { s, ok := v.(string); return utf8.RuneCountInString(s), ok }
func listLength(v any) (int, bool)   { l, ok := v.([]any); return len(l), ok }
func objectLength(v any) (int, bool) { o, ok := v.(*schema.Object); return o.Len(), ok }

// isMultiple reports whether a value is a multiple of a bound, as exactly as a float64 shows.
func isMultiple(bound, value any) bool {
	b, bounded := bound.(schema.Number)
	n, ok := value.(schema.Number)
	if !bounded || !ok {
		return true
	}
	step, err := strconv.ParseFloat(string(b), 64)
	x, err2 := strconv.ParseFloat(string(n), 64)
	if err != nil || err2 != nil || step <= 0 {
		return true
	}
	times := x / step
	return math.Abs(times-math.Round(times)) < 1e-9*max(1, math.Abs(times))
}

// composed judges the keywords that apply schemas to the value itself.
func (v *validator) composed(o *schema.Object, value any, depth int) bool {
	matching := func(key string) (matches, all int) {
		for _, s := range o.List(key) {
			if all++; v.matches(s, value, depth) {
				matches++
			}
		}
		return matches, all
	}
	if n, all := matching("allOf"); n < all {
		return false
	}
	if n, all := matching("anyOf"); all > 0 && n == 0 {
		return false
	}
	if n, all := matching("oneOf"); all > 0 && n != 1 {
		return false
	}
	if s, ok := o.Get("not"); ok && v.matches(s, value, depth) {
		return false
	}
	if s, ok := o.Get("if"); ok {
		branch := "then"
		if !v.matches(s, value, depth) {
			branch = "else"
		}
		if s, ok := o.Get(branch); ok && !v.matches(s, value, depth) {
			return false
		}
	}
	if s, ok := v.resolve(o.Text("$ref")); ok {
		return v.matches(s, value, depth)
	}
	return true
}

// resolve returns the schema of a reference within the root schema.
func (v *validator) resolve(ref string) (any, bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	at := v.root
	for i, part := range strings.Split(pointer, "/") {
		if i == 0 {
			ok = ok && part == ""
			continue
		}
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch c := at.(type) {
		case *schema.Object:
			at, _ = c.Get(part)
		case []any:
			n, err := strconv.Atoi(part)
			if err != nil || n < 0 || n >= len(c) {
				return nil, false
			}
			at = c[n]
		default:
			return nil, false
		}
	}
	return at, ok && at != nil
}

// items judges the elements of a list.
func (v *validator) items(o *schema.Object, value any, depth int) bool {
	list, ok := value.([]any)
	if !ok {
		return true
	}
	prefix := o.List("prefixItems")
	rest, hasRest := o.Get("items")
	contains, hasContains := o.Get("contains")
	found := false
	for i, item := range list {
		switch {
		case i < len(prefix):
			if !v.matches(prefix[i], item, depth) {
				return false
			}
		case hasRest && !v.matches(rest, item, depth):
			return false
		}
		found = found || hasContains && v.matches(contains, item, depth)
	}
	return !hasContains || found
}

// properties judges the members of an object.
func (v *validator) properties(o *schema.Object, value any, depth int) bool {
	object, ok := value.(*schema.Object)
	if !ok {
		return true
	}
	names, hasNames := o.Get("propertyNames")
	rest, hasRest := o.Get("additionalProperties")
	if o.Has("patternProperties") {
		hasRest = false // which members they cover is unknown
	}
	for _, m := range object.Members() {
		if hasNames && !v.matches(names, m.Key, depth) {
			return false
		}
		if s, ok := o.Object("properties").Get(m.Key); ok {
			if !v.matches(s, m.Value, depth) {
				return false
			}
		} else if hasRest && !v.matches(rest, m.Value, depth) {
			return false
		}
	}
	return true
}
