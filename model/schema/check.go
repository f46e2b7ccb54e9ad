package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Check returns every problem of v against s in document order, or nil. Paths begin at v. Check does not change v and keeps no reference to
// it.
func Check(s Spec, v any) Problems {
	c := checker{}
	s.check(&c, v)
	return c.out
}

// checker holds the position of the walk. The path is copied only when a problem
// is found, so a valid document costs no allocation.
type checker struct {
	at  Path
	out Problems
}

func (c *checker) add(code Code, format string, args ...any) {
	c.out = append(c.out, Problem{Path: slices.Clone(c.at), Code: code, Detail: fmt.Sprintf(format, args...), Offset: -1})
}

func (c *checker) addAt(key string, code Code, format string, args ...any) {
	c.at = append(c.at, Key(key))
	c.add(code, format, args...)
	c.at = c.at[:len(c.at)-1]
}

// addForeign is addAt for what newer tables may allow.
func (c *checker) addForeign(key string, code Code, format string, args ...any) {
	c.addAt(key, code, format, args...)
	c.out[len(c.out)-1].Foreign = true
}

func (c *checker) wrongType(want string, v any) {
	c.add(CodeType, "must be %s, is %s", want, typeName(v))
}

func (c *checker) object(v any) (*Object, bool) {
	if o, ok := v.(*Object); ok {
		return o, true
	}
	c.wrongType("an object", v)
	return nil, false
}

func (c *checker) member(key string, s Spec, v any) {
	c.at = append(c.at, Elem{Key: key, Index: -1}) // Key(key) without its call
	s.check(c, v)
	c.at = c.at[:len(c.at)-1]
}

func (t Table) check(c *checker, v any) {
	if o, ok := c.object(v); ok {
		c.rows(t, o, false)
	}
}

func (s Open) check(c *checker, v any) {
	if o, ok := c.object(v); ok {
		c.rows(s.Rows, o, true)
	}
}

// manyMembers is the number of members of an object up to which they are matched with its table without allocating a list.
const manyMembers = 24

// rows checks the members of o. Absent ones come first, since they are reported at the object, which begins before its members.
func (c *checker) rows(t Table, o *Object, open bool) {
	var buf [manyMembers]int16
	found := buf[:0]
	seen, next := uint64(0), 0
	members := o.Members() // indexed, since copying each is measurable in the browser
	for k := range members {
		// Most objects are written in the order of their table. Then there is no call, which the browser's compiler does not inline.
		i := next
		if i >= len(t) || t[i].Name != members[k].Key {
			i = t.find(members[k].Key, next)
		}
		found = append(found, int16(i))
		if i >= 0 {
			next = i + 1
			seen |= 1 << i
		}
	}
	for i := range t {
		if t[i].Required && seen&(1<<i) == 0 {
			c.addAt(t[i].Name, CodeRequired, "is required")
		}
	}
	for k := range members {
		m := &members[k]
		switch i := found[k]; {
		case i >= 0: // member, without its call
			c.at = append(c.at, Elem{Key: m.Key, Index: -1})
			t[i].Spec.check(c, m.Value)
			c.at = c.at[:len(c.at)-1]
		case !open:
			c.addForeign(m.Key, CodeUnknown, "is not a property of this object")
		}
	}
}

// find returns the index of a row, searching from an index on and wrapping around, or -1.
func (t Table) find(name string, from int) int {
	for i := from; i < len(t); i++ {
		if t[i].Name == name {
			return i
		}
	}
	for i := range min(from, len(t)) {
		if t[i].Name == name {
			return i
		}
	}
	return -1
}

func (s Map) check(c *checker, v any) {
	o, ok := c.object(v)
	if !ok {
		return
	}
	for _, m := range o.Members() {
		c.member(m.Key, s.Value, m.Value)
	}
}

func (s String) check(c *checker, v any) {
	str, ok := v.(string)
	if !ok {
		c.wrongType("a string", v)
		return
	}
	n := len(str)
	if n < s.Min || s.Max > 0 && n > s.Max || s.Min > 1 {
		n = utf8.RuneCountInString(str)
	}
	switch {
	case n < s.Min && n == 0:
		c.add(CodeLength, "must not be empty")
	case n < s.Min:
		c.add(CodeLength, "must be at least %s, is %d", characters(s.Min), n)
	case s.Max > 0 && n > s.Max:
		c.add(CodeLength, "must be at most %s, is %d", characters(s.Max), n)
	case s.Format != nil && !s.Format.Check(str):
		if s.Secret {
			c.add(CodeFormat, "%s", s.Format.Detail)
			return
		}
		c.add(CodeFormat, "%s, is %s", s.Format.Detail, quote(str))
	}
}

func (s Numeric) check(c *checker, v any) {
	n, ok := v.(Number)
	switch {
	case !ok && s.Integer:
		c.wrongType("a whole number", v)
	case !ok:
		c.wrongType("a number", v)
	case s.Integer && !n.Integer():
		c.add(CodeType, "must be a whole number, is %s", shorten(string(n)))
	case s.Min != "" && n.Compare(s.Min) < 0, s.Max != "" && n.Compare(s.Max) > 0:
		c.add(CodeRange, "must be %s, is %s", s.bounds(), shorten(string(n)))
	}
}

func (s Numeric) bounds() string {
	switch {
	case s.Max == "":
		return "at least " + string(s.Min)
	case s.Min == "":
		return "at most " + string(s.Max)
	}
	return "from " + string(s.Min) + " to " + string(s.Max)
}

func (s Enum) check(c *checker, v any) {
	str, ok := v.(string)
	switch {
	case !ok:
		c.wrongType("a string", v)
	case !slices.Contains(s, str):
		c.add(CodeEnum, "must be one of %s, is %s", strings.Join(s, ", "), quote(str))
	}
}

func (Bool) check(c *checker, v any) {
	if _, ok := v.(bool); !ok {
		c.wrongType("true or false", v)
	}
}

func (True) check(c *checker, v any) {
	switch b, ok := v.(bool); {
	case !ok:
		c.wrongType("true", v)
	case !b:
		c.add(CodeEnum, "must be true or absent, is false")
	}
}

func (Any) check(*checker, any) {}

func (s List) check(c *checker, v any) {
	l, ok := v.([]any)
	if !ok {
		c.wrongType("a list", v)
		return
	}
	if len(l) < s.Min {
		c.add(CodeItems, "must have at least %d elements, has %d", s.Min, len(l))
	}
	for i, item := range l {
		c.at = append(c.at, Index(i))
		s.Item.check(c, item)
		c.at = c.at[:len(c.at)-1]
	}
}

func (s Nullable) check(c *checker, v any) {
	if v != nil {
		s.Spec.check(c, v)
	}
}

func (s Either) check(c *checker, v any) {
	for _, alt := range s.Of {
		probe := checker{}
		alt.check(&probe, v)
		if len(probe.out) == 0 || probe.out[0].Code != CodeType {
			alt.check(c, v)
			return
		}
	}
	c.wrongType(s.Want, v)
}

// tag checks a discriminator and returns its value.
func (c *checker) tag(o *Object, name string, known func(string) bool, list func() []string) (string, bool) {
	v, ok := o.Get(name)
	if !ok {
		c.addAt(name, CodeRequired, "is required")
		return "", false
	}
	tag, ok := v.(string)
	if !ok {
		c.addAt(name, CodeType, "must be a string, is %s", typeName(v))
		return "", false
	}
	if !known(tag) {
		c.addForeign(name, CodeEnum, "must be one of %s, is %s", strings.Join(list(), ", "), quote(tag))
		return "", false
	}
	return tag, true
}

func (u Union) check(c *checker, v any) {
	o, ok := c.object(v)
	if !ok {
		return
	}
	if tag, isText := o.value(u.Tag).(string); isText {
		if a := u.arm(tag); a != nil {
			a.Spec.check(c, v)
			return
		}
	}
	c.tag(o, u.Tag, func(string) bool { return false }, u.Tags)
}

func (s Choice) check(c *checker, v any) {
	o, ok := c.object(v)
	if !ok {
		return
	}
	tag, known := c.tag(o, s.Tag, func(t string) bool { return slices.Contains(s.Tags(), t) }, s.Tags)
	if known {
		own := s.Options[slices.Index(s.Tags(), tag)].Row.Name
		for _, op := range s.Options {
			if has := o.Has(op.Row.Name); has != (op.Row.Name == own) {
				c.add(CodeOneOf, "must have %s and nothing in its place, because %s is %s", own, s.Tag, tag)
				break
			}
		}
	}
	for _, m := range o.Members() {
		if m.Key == s.Tag {
			continue
		}
		i := slices.IndexFunc(s.Options, func(op Option) bool { return op.Row.Name == m.Key })
		switch {
		case i < 0:
			if known {
				c.addForeign(m.Key, CodeUnknown, "is not a property of this object")
			}
		case known && s.Options[i].Tag == tag:
			c.member(m.Key, s.Options[i].Row.Spec, m.Value)
		}
	}
}

func characters(n int) string {
	if n == 1 {
		return "1 character"
	}
	return strconv.Itoa(n) + " characters"
}

// maxQuoted bounds the quoted part of a value in a message.
const maxQuoted = 60

func shorten(s string) string { return Shorten(s, maxQuoted+1) }

func quote(s string) string { return strconv.Quote(shorten(s)) }

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "a string"
	case Number:
		return "a number"
	case []any:
		return "a list"
	case *Object:
		return "an object"
	}
	return fmt.Sprintf("%T", v)
}
