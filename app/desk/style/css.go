package style

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// kind is what a part of a style sheet is.
type kind uint8

const (
	plain kind = iota
	comment
	quoted
	at       // an at-rule's name
	selector // the prelude of a rule
	property
	value
	hex // a color such as #2a3fb8
)

// classes are the classes of CSS of the kinds.
var classes = [...]string{plain: "", comment: "cm", quoted: "st", at: "at", selector: "se", property: "pr", value: "va", hex: "hx"}

// token is a part of a style sheet.
type token struct {
	kind     kind
	from, to int // in bytes
}

// fault is a mistake that makes browsers ignore a part of a style sheet.
type fault struct {
	line int // counted from 1
	text string
}

// declaration is a property with its value.
type declaration struct {
	name, value string
	from, to    int // of the value, in bytes, without spaces around it
	rule        string
}

// sheet is a style sheet, taken apart as far as an editor needs it. It accepts everything, as browsers do.
type sheet struct {
	tokens       []token
	faults       []fault
	declarations []declaration
	// roots are the offsets behind the opening braces of rules for the whole form.
	roots []int
}

// parse parses a style sheet.
func parse(css string) *sheet {
	p := &parser{css: css, sheet: &sheet{}}
	p.rules(0)
	return p.sheet
}

type parser struct {
	css   string
	at    int
	sheet *sheet
}

func (p *parser) add(k kind, from, to int) {
	if from < to {
		p.sheet.tokens = append(p.sheet.tokens, token{k, from, to})
	}
}

func (p *parser) fault(at int, format string, args ...any) {
	p.sheet.faults = append(p.sheet.faults, fault{1 + strings.Count(p.css[:at], "\n"), fmt.Sprintf(format, args...)})
}

// rules parses rules and declarations up to a closing brace, or to the end at depth 0.
func (p *parser) rules(depth int, rule ...string) {
	for p.at < len(p.css) {
		start := p.at
		end, found := p.upTo("{};")
		text := strings.TrimSpace(strip(p.css[start:end]))
		switch found {
		case '{':
			p.prelude(start, end, text)
			opened := p.at
			p.at++
			if global(text) {
				p.sheet.roots = append(p.sheet.roots, p.at)
			}
			p.rules(depth+1, text)
			if p.at >= len(p.css) && (p.at == 0 || p.css[p.at-1] != '}' || !p.closed(opened)) {
				p.fault(opened, "this { is never closed")
				return
			}
		case '}':
			p.declare(start, end, text, rule)
			p.at++
			if depth == 0 {
				p.fault(end, "this } closes nothing")
				continue
			}
			return
		default:
			p.declare(start, end, text, rule)
			if found == 0 {
				return
			}
			p.at++
		}
	}
}

// closed reports whether the brace at an offset has its counterpart.
func (p *parser) closed(opened int) bool {
	depth := 0
	for i := opened; i < len(p.css); {
		switch c := p.css[i]; {
		case strings.HasPrefix(p.css[i:], "/*"):
			i = p.commentEnd(i)
			continue
		case c == '"' || c == '\'':
			i = p.stringEnd(i)
			continue
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return true
			}
		}
		i++
	}
	return false
}

// upTo moves to the first of some characters outside comments, strings and parentheses, and adds the comments and strings on the way.
func (p *parser) upTo(stops string) (end int, found byte) {
	parens := 0
	for p.at < len(p.css) {
		c := p.css[p.at]
		switch {
		case strings.HasPrefix(p.css[p.at:], "/*"):
			from := p.at
			p.at = p.commentEnd(p.at)
			p.add(comment, from, p.at)
			if p.at == len(p.css) && !strings.HasSuffix(p.css[from:], "*/") {
				p.fault(from, "this comment is never closed")
			}
			continue
		case c == '"' || c == '\'':
			from := p.at
			p.at = p.stringEnd(p.at)
			p.add(quoted, from, p.at)
			if p.css[p.at-1] != c || p.at-from == 1 {
				p.fault(from, "this quotation mark is never closed")
			}
			continue
		case c == '\\':
			p.at++
		case c == '(':
			parens++
		case c == ')':
			parens = max(0, parens-1)
		case strings.IndexByte(stops, c) >= 0 && (parens == 0 || c != ';'):
			return p.at, c
		}
		p.at = min(p.at+1, len(p.css))
	}
	return p.at, 0
}

func (p *parser) commentEnd(from int) int {
	if i := strings.Index(p.css[from+2:], "*/"); i >= 0 {
		return from + 2 + i + 2
	}
	return len(p.css)
}

// stringEnd returns the end of a string, which a line break ends too.
func (p *parser) stringEnd(from int) int {
	for i := from + 1; i < len(p.css); i++ {
		switch p.css[i] {
		case '\\':
			i++
		case '\n':
			return i
		case p.css[from]:
			return i + 1
		}
	}
	return len(p.css)
}

// prelude adds what stands before an opening brace.
func (p *parser) prelude(from, to int, text string) {
	k := selector
	if strings.HasPrefix(text, "@") {
		k = at
	}
	p.add(k, from, to)
	if text == "" {
		p.fault(to, "a selector is missing before {")
	}
}

// declare adds a declaration, or an at-rule without a block.
func (p *parser) declare(from, to int, text string, rule []string) {
	if text == "" {
		return
	}
	if strings.HasPrefix(text, "@") {
		p.add(at, from, to)
		if strings.HasPrefix(text, "@import") {
			p.fault(from+skip(p.css[from:to]), "@import has no effect: forms load no other style sheets")
		}
		return
	}
	colon := strings.IndexByte(p.css[from:to], ':')
	if colon < 0 || len(rule) == 0 {
		p.fault(from+skip(p.css[from:to]), "%q is not a declaration such as color: red", cut(text))
		return
	}
	colon += from
	p.add(property, from, colon)
	p.values(colon+1, to)
	begin, end := colon+1, to
	for begin < end && space(p.css[begin]) {
		begin++
	}
	for end > begin && space(p.css[end-1]) {
		end--
	}
	name := strings.TrimSpace(strip(p.css[from:colon]))
	p.sheet.declarations = append(p.sheet.declarations, declaration{name, p.css[begin:end], begin, end, rule[len(rule)-1]})
}

// values adds the value of a declaration, its colors apart.
func (p *parser) values(from, to int) {
	for from < to {
		i := strings.IndexByte(p.css[from:to], '#')
		if i < 0 {
			break
		}
		end := from + i + 1
		for end < to && isHex(p.css[end]) {
			end++
		}
		p.add(value, from, from+i)
		p.add(hex, from+i, end)
		from = end
	}
	p.add(value, from, to)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// skip returns the number of spaces at the beginning of a text.
func skip(s string) int {
	n := 0
	for n < len(s) && space(s[n]) {
		n++
	}
	return n
}

// strip returns a text without comments.
func strip(s string) string {
	for {
		i := strings.Index(s, "/*")
		if i < 0 {
			return s
		}
		end := strings.Index(s[i+2:], "*/")
		if end < 0 {
			return s[:i]
		}
		s = s[:i] + s[i+2+end+2:]
	}
}

// cut returns the beginning of a text.
func cut(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return schema.Shorten(s, 31)
}

// variable returns the last value of a custom property in a rule for the whole form, "" if there is none.
func (s *sheet) variable(name string) (d declaration, ok bool) {
	for _, of := range s.declarations {
		if of.name == name && global(of.rule) {
			d, ok = of, true
		}
	}
	return d, ok
}

// global reports whether a selector is for the whole form.
func global(selector string) bool {
	return selector == ":root" || selector == "html" || selector == "body" || selector == ".af-form" || selector == ".af-custom-style"
}

// withVariable returns a style sheet in which a custom property has a value for the whole form.
func withVariable(css, name, value string) string {
	s := parse(css)
	if d, ok := s.variable(name); ok {
		return css[:d.from] + value + css[d.to:]
	}
	line := "\n  " + name + ": " + value + ";"
	if len(s.roots) > 0 {
		at := s.roots[0]
		return css[:at] + line + css[at:]
	}
	block := ":root {" + line + "\n}\n"
	if css == "" {
		return block
	}
	return block + "\n" + css
}

// withoutVariable returns a style sheet without the declarations of a custom property for the whole form.
func withoutVariable(css, name string) string {
	for {
		d, ok := parse(css).variable(name)
		if !ok {
			return css
		}
		from := strings.LastIndex(css[:d.from], name)
		to := d.to
		for to < len(css) && space(css[to]) && css[to] != '\n' {
			to++
		}
		if to < len(css) && css[to] == ';' {
			to++
		}
		for from > 0 && (css[from-1] == ' ' || css[from-1] == '\t') {
			from--
		}
		if to < len(css) && css[to] == '\n' && from > 0 && css[from-1] == '\n' {
			to++
		}
		css = css[:from] + css[to:]
	}
}
