package schema

// JSONSchemaDialect is the meta-schema that Printer writes for.
const JSONSchemaDialect = "https://json-schema.org/draft/2020-12/schema"

// Printer prints a Spec as a JSON Schema, draft 2020-12, that accepts exactly the values in which Check finds no problem, with two limits:
// a format with neither Pattern nor Near is only an annotation, and the alternatives of an Either must be of different JSON types, since
// anyOf has no order.
//
// The choice of keywords for each Spec is ours. The zero Printer is ready to use. It is safe for concurrent use as long as it is not
// changed.
type Printer struct {
	Defs []Def  // the contents of $defs, in order
	Near []Near // approximate patterns for formats without a Pattern
}

// Def is a spec that the schema defines once, in $defs, and refers to
// wherever it occurs. Two specs are the same if they share their
// rows, arms or values in memory, or are equal and have no list.
type Def struct {
	// Name is the key in $defs. It becomes part of a URI fragment as it is, so
	// it must be letters, digits, '.', '-' and '_'.
	Name       string
	Title, Doc string // "" writes none
	Spec       Spec
}

// Near is a pattern that accepts everything that a Format does, and more. Comment describes the difference.
type Near struct {
	Format  *Format
	Pattern string
	Comment string
}

// JSONSchema returns the schema of s, with $defs at its end. It has neither
// $schema nor $id; a caller puts them before it. Members and lists keep the
// order of the tables, so one spec always prints as the same text. Neither s nor
// a definition may contain itself: the walk would not end.
func (p Printer) JSONSchema(s Spec) *Object {
	members := p.spec(s)
	if len(p.Defs) > 0 {
		defs := make([]Member, len(p.Defs))
		for i, d := range p.Defs {
			defs[i] = Member{d.Name, described(d.Title, d.Doc, p.spec(d.Spec))}
		}
		members = append(members, Member{"$defs", NewObject(defs...)})
	}
	return NewObject(members...)
}

// part returns the schema of s inside another.
func (p Printer) part(s Spec) []Member {
	for _, d := range p.Defs {
		if same(d.Spec, s) {
			return []Member{{"$ref", "#/$defs/" + d.Name}}
		}
	}
	return p.spec(s)
}

// spec returns the keywords of s, none if every value is allowed.
func (p Printer) spec(s Spec) []Member {
	switch s := s.(type) {
	case Table:
		return p.object(s, false)
	case Open:
		return p.object(s.Rows, true)
	case Map:
		return []Member{typed("object"), {"additionalProperties", whole(p.part(s.Value))}}
	case String:
		return p.text(s)
	case Numeric:
		return numeric(s)
	case Enum:
		return []Member{{"enum", texts(s)}}
	case Bool:
		return []Member{typed("boolean")}
	case True:
		return []Member{{"const", true}}
	case Any:
		return nil
	case List:
		m := []Member{typed("array"), {"items", whole(p.part(s.Item))}}
		if s.Min > 0 {
			m = append(m, Member{"minItems", IntNumber(s.Min)})
		}
		return m
	case Nullable:
		return []Member{{"anyOf", []any{whole(p.part(s.Spec)), whole([]Member{typed("null")})}}}
	case Either:
		of := make([]any, len(s.Of))
		for i, alt := range s.Of {
			of[i] = whole(p.part(alt))
		}
		return []Member{{"anyOf", of}}
	case Union:
		return p.union(s)
	case Choice:
		return p.union(s.union())
	}
	return nil // the set is closed
}

func (p Printer) object(t Table, open bool) []Member {
	m := []Member{typed("object")}
	var required Enum
	properties := make([]Member, len(t))
	for i, r := range t {
		properties[i] = Member{r.Name, described(r.Title(), r.Doc, p.part(r.Spec))}
		if r.Required {
			required = append(required, r.Name)
		}
	}
	if len(properties) > 0 {
		m = append(m, Member{"properties", NewObject(properties...)})
	}
	if len(required) > 0 {
		m = append(m, Member{"required", texts(required)})
	}
	return append(m, Member{"additionalProperties", open})
}

func (p Printer) text(s String) []Member {
	m := []Member{typed("string")}
	if f := s.Format; f != nil {
		m = append(m, Member{"format", f.Name})
		if f.Pattern != "" {
			m = append(m, Member{"pattern", f.Pattern})
		}
		for _, n := range p.Near {
			if n.Format == f && f.Pattern == "" {
				m = append(m, Member{"pattern", n.Pattern}, Member{"$comment", n.Comment})
			}
		}
	}
	if s.Min > 0 {
		m = append(m, Member{"minLength", IntNumber(s.Min)})
	}
	if s.Max > 0 {
		m = append(m, Member{"maxLength", IntNumber(s.Max)})
	}
	if s.Secret {
		m = append(m, Member{"writeOnly", true})
	}
	return m
}

func numeric(s Numeric) []Member {
	m := []Member{typed("number")}
	if s.Integer {
		m[0] = typed("integer")
	}
	if s.Min != "" {
		m = append(m, Member{"minimum", s.Min})
	}
	if s.Max != "" {
		m = append(m, Member{"maximum", s.Max})
	}
	return m
}

// union prints a chain of conditions. With oneOf or anyOf a validator that finds
// one error in a component would also report the errors of all the other kinds,
// while a condition that does not hold reports nothing. The discriminator has its
// own keywords, so that a wrong one is one error and nothing else is checked.
func (p Printer) union(u Union) []Member {
	var names Enum
	arms := make([]any, len(u.Arms))
	for i, a := range u.Arms {
		own := append(Enum{a.Tag}, a.Aliases...)
		names = append(names, own...)
		arms[i] = whole([]Member{
			// The condition includes the type because properties and required
			// are true for everything that is not an object.
			{"if", whole(append([]Member{typed("object")}, tagged(u.Tag, own)...))},
			{"then", whole(p.part(a.Spec))},
		})
	}
	m := append([]Member{typed("object")}, tagged(u.Tag, names)...)
	return append(m, Member{"allOf", arms})
}

// tagged requires a property to be one of the names.
func tagged(tag string, names Enum) []Member {
	return []Member{
		{"properties", whole([]Member{{tag, whole([]Member{{"enum", texts(names)}})}})},
		{"required", texts(Enum{tag})},
	}
}

// union returns the choice as a union of objects with two properties each.
func (s Choice) union() Union {
	u := Union{Tag: s.Tag}
	for _, o := range s.Options {
		own := o.Row
		own.Required = true
		u.Arms = append(u.Arms, Arm{Tag: o.Tag, Spec: Table{{Name: s.Tag, Spec: Enum{o.Tag}, Required: true}, own}})
	}
	return u
}

// described puts title and description before the keywords.
func described(title, doc string, keywords []Member) any {
	var m []Member
	if title != "" {
		m = append(m, Member{"title", title})
	}
	if doc != "" {
		m = append(m, Member{"description", doc})
	}
	return whole(append(m, keywords...))
}

// whole returns the schema with some keywords, or true if there are none.
func whole(keywords []Member) any {
	if len(keywords) == 0 {
		return true
	}
	return NewObject(keywords...)
}

func typed(name string) Member { return Member{"type", name} }

func texts(names []string) []any {
	out := make([]any, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}

// same reports whether two specs are the same; see Def.
func same(a, b Spec) bool {
	switch a := a.(type) {
	case Table:
		b, ok := b.(Table)
		return ok && shared(a, b)
	case Open:
		b, ok := b.(Open)
		return ok && shared(a.Rows, b.Rows)
	case Map:
		b, ok := b.(Map)
		return ok && same(a.Value, b.Value)
	case String, Numeric, Bool, True, Any:
		return a == b
	case Enum:
		b, ok := b.(Enum)
		return ok && shared(a, b)
	case List:
		b, ok := b.(List)
		return ok && a.Min == b.Min && same(a.Item, b.Item)
	case Nullable:
		b, ok := b.(Nullable)
		return ok && same(a.Spec, b.Spec)
	case Either:
		b, ok := b.(Either)
		return ok && shared(a.Of, b.Of)
	case Union:
		b, ok := b.(Union)
		return ok && a.Tag == b.Tag && shared(a.Arms, b.Arms)
	case Choice:
		b, ok := b.(Choice)
		return ok && a.Tag == b.Tag && shared(a.Options, b.Options)
	}
	return false
}

func shared[E any](a, b []E) bool { return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0] }
