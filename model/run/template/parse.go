// Package template parses and evaluates the templates in the texts of a form, such as "Hello {{ fields.name ?? 'you' }}". It knows no
// form: an Env supplies the values.
package template

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/run/template/scan"
	"github.com/formgraph/formgraph/model/schema"
)

// maxNesting bounds how deep arrays, calls and parentheses nest in an expression.
const maxNesting = 32

// Template is a parsed text. It is immutable and safe for concurrent use.
type Template struct {
	source string
	parts  []part
}

// part is a text, or an expression between {{ and }}.
type part struct {
	text string // as in the source, without the braces
	expr expr   // nil for a text
}

// Error is a mistake in a template.
type Error struct {
	Offset int // in the text, in bytes
	Detail string
}

func (e Error) Error() string { return fmt.Sprintf("%s at byte %d", e.Detail, e.Offset) }

// Parse parses a text with any number of expressions, in time linear in the text. It returns the mistakes in their order, at most one for
// each expression. An expression with a mistake is text.
func Parse(s string) (*Template, []Error) {
	t := &Template{source: s}
	var errs []Error
	done := 0
	scan.Frames(s, func(at, end int) {
		if end < 0 {
			errs = append(errs, Error{at - 2, "must close {{ with }}"})
			return
		}
		p := parser{s: s[:end], at: at}
		e := p.whole()
		if p.err != nil {
			errs = append(errs, *p.err)
			return
		}
		if at-2 > done {
			t.parts = append(t.parts, part{text: s[done : at-2]})
		}
		t.parts = append(t.parts, part{text: strings.TrimSpace(s[at:end]), expr: e})
		done = end + 2
	})
	if done < len(s) {
		t.parts = append(t.parts, part{text: s[done:]})
	}
	return t, errs
}

// Static reports whether the template is a text without expressions.
func (t *Template) Static() bool {
	return len(t.parts) == 0 || len(t.parts) == 1 && t.parts[0].expr == nil
}

// String returns the text that was parsed.
func (t *Template) String() string { return t.source }

// parser parses one expression. After a mistake it returns nil from everything.
type parser struct {
	s     string // up to the end of the expression
	at    int
	depth int
	err   *Error
}

func (p *parser) fail(at int, format string, args ...any) expr {
	if p.err == nil {
		p.err = &Error{at, fmt.Sprintf(format, args...)}
	}
	return nil
}

// next skips spaces and returns the next character, 0 at the end.
func (p *parser) next() byte {
	if p.at = scan.Space(p.s, p.at); p.at < len(p.s) {
		return p.s[p.at]
	}
	return 0
}

// take skips a text if it comes next.
func (p *parser) take(text string) bool {
	p.next()
	if !strings.HasPrefix(p.s[p.at:], text) {
		return false
	}
	p.at += len(text)
	return true
}

// unexpected records that something else is missing where the parser is.
func (p *parser) unexpected(want string) expr {
	if p.next() == 0 {
		return p.fail(p.at, "must have %s before the end of the expression", want)
	}
	r, _ := utf8.DecodeRuneInString(p.s[p.at:])
	return p.fail(p.at, "must have %s here, has %q", want, r)
}

// whole parses the whole expression.
func (p *parser) whole() expr {
	e := p.expr()
	if p.err == nil && p.next() != 0 {
		return p.unexpected("?? or }}")
	}
	return e
}

// expr parses values with ?? between them.
func (p *parser) expr() expr {
	if p.depth++; p.depth > maxNesting {
		return p.fail(p.at, "must nest at most %d deep", maxNesting)
	}
	defer func() { p.depth-- }()
	first := p.access(p.primary())
	if p.err != nil || !p.take("??") {
		return first
	}
	of := coalesce{first, p.access(p.primary())}
	for p.err == nil && p.take("??") {
		of = append(of, p.access(p.primary()))
	}
	return of
}

func (p *parser) primary() expr {
	switch c := p.next(); {
	case c == '\'' || c == '"':
		if text, ok := p.literal(); ok {
			return constant{text}
		}
		return nil
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	case c == '[':
		p.at++
		return array(p.list(']'))
	case c == '(':
		p.at++
		e := p.expr()
		if p.err == nil && !p.take(")") {
			return p.unexpected(")")
		}
		return e
	case scan.IsName(c):
		return p.name()
	}
	return p.unexpected("a value")
}

// list parses the values of an array or the arguments of a call, which may be none, and the closing character.
func (p *parser) list(closing byte) []expr {
	var of []expr
	if p.next() == closing {
		p.at++
		return nil
	}
	for p.err == nil {
		of = append(of, p.expr())
		switch {
		case p.err != nil:
		case p.take(","):
		case p.take(string(closing)):
			return of
		default:
			p.unexpected(", or " + string(closing))
		}
	}
	return nil
}

// number parses a number by the grammar of JSON.
func (p *parser) number() expr {
	from := p.at
	for p.at++; p.at < len(p.s); p.at++ {
		c := p.s[p.at]
		sign := (c == '+' || c == '-') && (p.s[p.at-1] == 'e' || p.s[p.at-1] == 'E')
		if !sign && c != '.' && !scan.IsName(c) || c == '-' && !sign {
			break
		}
	}
	n, ok := schema.ParseNumber(p.s[from:p.at])
	if !ok {
		return p.fail(from, "must be a number such as 12.5, is %s", schema.Shorten(p.s[from:p.at], 30))
	}
	return constant{n}
}

// literal parses a string literal, with the escapes of JSON and \' in it. A backslash before any other character is dropped.
func (p *parser) literal() (string, bool) {
	from := p.at
	end := scan.Literal(p.s, from)
	if end == 0 {
		p.fail(from, "must close the quote %c", p.s[from])
		return "", false
	}
	p.at = end
	inner := p.s[from+1 : end-1]
	if !strings.Contains(inner, `\`) {
		return inner, true
	}
	var b strings.Builder
	for i := 0; i < len(inner); i++ {
		if inner[i] != '\\' {
			b.WriteByte(inner[i])
			continue
		}
		i++
		switch c := inner[i]; c {
		case 'b', 'f', 'n', 'r', 't':
			b.WriteByte("\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
		case 'u':
			if i+5 > len(inner) {
				p.fail(from+1+i, "must have four hexadecimal digits after \\u")
				return "", false
			}
			code, err := strconv.ParseUint(inner[i+1:i+5], 16, 16)
			if err != nil {
				p.fail(from+1+i, "must have four hexadecimal digits after \\u")
				return "", false
			}
			b.WriteRune(rune(code))
			i += 4
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// name parses what begins with a name: a constant, a call or a reference.
func (p *parser) name() expr {
	from := p.at
	p.at = scan.NameEnd(p.s, from)
	name := p.s[from:p.at]
	switch name {
	case "true", "false":
		return constant{name == "true"}
	case "null":
		return constant{nil}
	case "undefined":
		return constant{absent{}}
	case "functions":
		return p.call()
	}
	if end := p.at; !p.take("(") {
		p.at = end // a space ends a reference
		return reference{namespace: name}
	}
	if name != "t" {
		return p.fail(from, "must call t or functions.NAME, calls %q", schema.Shorten(name, 30))
	}
	args := p.list(')')
	if p.err == nil && len(args) != 1 {
		return p.fail(from, "must be called as t(key), has %d arguments", len(args))
	}
	if p.err != nil {
		return nil
	}
	return translation{args[0]}
}

// call parses the call of a function, from the dot after "functions" on.
func (p *parser) call() expr {
	if p.at == len(p.s) || p.s[p.at] != '.' {
		return p.unexpected("the name of a function, as in functions.now()")
	}
	from := p.at + 1
	p.at = scan.NameEnd(p.s, from)
	f, ok := FunctionOf(p.s[from:p.at])
	if !ok {
		return p.fail(from, "must be a known function, is %q", schema.Shorten(p.s[from:p.at], 30))
	}
	if !p.take("(") {
		return p.unexpected("( after the name of a function")
	}
	args := p.list(')')
	if p.err != nil {
		return nil
	}
	if least := f.required(); len(args) < least || len(args) > len(f.Parameters) {
		return p.fail(from, "must be called as %s, has %d arguments", f.Signature(), len(args))
	}
	return call{f.Name, args}
}

// access parses the properties and indexes after a value.
func (p *parser) access(e expr) expr {
	var path schema.Path
	for p.err == nil && p.at < len(p.s) {
		from := p.at
		switch p.s[p.at] {
		case '.':
			if p.at = scan.NameEnd(p.s, from+1); p.at == from+1 {
				p.unexpected("the name of a property")
			}
			path = append(path, schema.Key(p.s[from+1:p.at]))
			continue
		case '[':
			p.at++
			path = append(path, p.element())
			if p.err == nil && !p.take("]") {
				p.unexpected("]")
			}
			continue
		}
		break
	}
	ref, ok := e.(reference)
	switch {
	case p.err != nil:
		return nil
	case ok:
		ref.path = append(ref.path, path...)
		return ref
	case path != nil:
		return property{e, path}
	}
	return e
}

// element parses what is between brackets: an index or a string literal.
func (p *parser) element() schema.Elem {
	switch c := p.next(); {
	case c == '\'' || c == '"':
		text, _ := p.literal()
		return schema.Key(text)
	case '0' <= c && c <= '9':
		from := p.at
		for p.at < len(p.s) && '0' <= p.s[p.at] && p.s[p.at] <= '9' {
			p.at++
		}
		i, err := strconv.Atoi(p.s[from:p.at])
		if err != nil {
			p.fail(from, "must be an index that exists, is %s", schema.Shorten(p.s[from:p.at], 30))
		}
		return schema.Index(i)
	}
	p.unexpected("an index or a name in quotes")
	return schema.Elem{}
}
