package pattern

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxRepeat  = 1000 // of a quantifier
	maxNesting = 100  // of groups
	maxParts   = 5000 // after repetition, since nested quantifiers multiply
)

// The classes with a backslash.
var (
	digit = set{ranges: []rune{'0', '9'}}
	word  = set{ranges: []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}}
	space = set{ranges: []rune{'\t', '\n', '\f', '\r', ' ', ' '}}
	dot   = set{ranges: []rune{'\n', '\n'}, not: true}
)

var errSize = errors.New("must repeat less")

// Compile compiles a pattern, or returns why it cannot.
func Compile(s string) (*Pattern, error) {
	p := parser{s: s}
	n := p.alternatives()
	if p.err == nil && p.at < len(s) {
		p.fail("must not close a group that is not open")
	}
	if p.err != nil {
		return nil, p.err
	}
	var c compiler
	c.emit(n)
	c.add(instruction{op: opMatch})
	if c.parts > maxParts {
		return nil, errSize
	}
	return &Pattern{c.program}, nil
}

// node is a part of a pattern: of what kind, and its parts.
type node struct {
	kind     kind
	of       []node
	in       instruction // of one
	low, top int         // of repeat; a top of -1 means any number
}

type kind uint8

const (
	one      kind = iota // a single instruction
	sequence             // the parts one after the other
	choice               // one of the parts
	repeat               // the only part again and again
)

// parser parses a pattern. It stops at the first mistake.
type parser struct {
	s     string
	at    int
	depth int
	err   error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format+" at byte %d", append(args, p.at)...)
	}
}

// more reports whether the pattern goes on, and how.
func (p *parser) more() (byte, bool) {
	if p.err != nil || p.at == len(p.s) {
		return 0, false
	}
	return p.s[p.at], true
}

func (p *parser) alternatives() node {
	of := []node{p.sequence()}
	for c, ok := p.more(); ok && c == '|'; c, ok = p.more() {
		p.at++
		of = append(of, p.sequence())
	}
	return node{kind: choice, of: of}
}

func (p *parser) sequence() node {
	var of []node
	for c, ok := p.more(); ok && c != '|' && c != ')'; c, ok = p.more() {
		of = append(of, p.quantified(p.atom()))
	}
	return node{kind: sequence, of: of}
}

// quantified parses the quantifier after a node. Whether it is lazy makes no difference to whether a text matches.
func (p *parser) quantified(n node) node {
	low, top, ok := p.quantifier()
	if !ok {
		return n
	}
	if c, ok := p.more(); ok && c == '?' {
		p.at++
	}
	if _, _, again := p.quantifier(); again {
		p.fail("must not repeat a quantifier")
	}
	return node{kind: repeat, of: []node{n}, low: low, top: top}
}

func (p *parser) quantifier() (low, top int, ok bool) {
	c, ok := p.more()
	if !ok {
		return 0, 0, false
	}
	switch c {
	case '*':
		low, top = 0, -1
	case '+':
		low, top = 1, -1
	case '?':
		low, top = 0, 1
	case '{':
		return p.counted()
	default:
		return 0, 0, false
	}
	p.at++
	return low, top, true
}

// counted parses {n}, {n,} or {n,m}. Any other brace is a character.
func (p *parser) counted() (low, top int, ok bool) {
	inner, _, closed := strings.Cut(p.s[p.at+1:], "}")
	from, to, ranged := strings.Cut(inner, ",")
	if !closed || !digits(from) || ranged && to != "" && !digits(to) {
		return 0, 0, false
	}
	low, err := strconv.Atoi(from)
	top = low
	if ranged && err == nil {
		if top = -1; to != "" {
			top, err = strconv.Atoi(to)
		}
	}
	if err != nil || low > maxRepeat || top > maxRepeat || top >= 0 && top < low {
		p.fail("must repeat between n and m times, at most %d", maxRepeat)
	}
	p.at += len(inner) + 2
	return low, top, true
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// atom parses what a quantifier may follow.
func (p *parser) atom() node {
	switch c := p.s[p.at]; c {
	case '(':
		return p.group()
	case '[':
		return p.class()
	case '.':
		p.at++
		return consume(dot)
	case '^':
		p.at++
		return node{in: instruction{op: opBegin}}
	case '$':
		p.at++
		return node{in: instruction{op: opEnd}}
	case '*', '+', '?', '{':
		if _, _, ok := p.quantifier(); ok {
			p.fail("must have something to repeat before %c", c)
		}
	case '\\':
		if strings.HasPrefix(p.s[p.at:], `\b`) || strings.HasPrefix(p.s[p.at:], `\B`) {
			p.at += 2
			if p.s[p.at-1] == 'b' {
				return node{in: instruction{op: opWord}}
			}
			return node{in: instruction{op: opInner}}
		}
		return consume(p.escape())
	}
	return consume(p.character())
}

func consume(s set) node { return node{in: instruction{op: opSet, set: s}} }

func (p *parser) group() node {
	if p.depth++; p.depth > maxNesting {
		p.fail("must nest at most %d deep", maxNesting)
		return node{}
	}
	p.at++
	if c, ok := p.more(); ok && c == '?' {
		if !strings.HasPrefix(p.s[p.at:], "?:") {
			p.fail("must not use (? but as (?:")
			return node{}
		}
		p.at += 2
	}
	n := p.alternatives()
	if c, ok := p.more(); !ok || c != ')' {
		p.fail("must close the group")
		return node{}
	}
	p.at++
	p.depth--
	return n
}

// character parses a character that stands for itself.
func (p *parser) character() set {
	if p.at == len(p.s) {
		p.fail("must not end here")
		return set{}
	}
	r, size := utf8.DecodeRuneInString(p.s[p.at:])
	p.at += size
	return set{ranges: []rune{r, r}}
}

// escape parses what begins with a backslash: a class or a character.
func (p *parser) escape() set {
	p.at++
	c, ok := p.more()
	if !ok {
		p.fail("must have a character after \\")
		return set{}
	}
	switch classes := map[byte]set{'d': digit, 'w': word, 's': space}; {
	case c == 'd' || c == 'w' || c == 's':
		p.at++
		return classes[c]
	case c == 'D' || c == 'W' || c == 'S':
		p.at++
		return set{ranges: classes[c+'a'-'A'].ranges, not: true}
	case strings.IndexByte("tnrfv", c) >= 0:
		p.at++
		r := rune("\t\n\r\f\v"[strings.IndexByte("tnrfv", c)])
		return set{ranges: []rune{r, r}}
	case c < utf8.RuneSelf && !word.has(rune(c)):
		return p.character()
	}
	p.fail("must not use \\%c", c)
	return set{}
}

// class parses [...].
func (p *parser) class() node {
	p.at++
	var s set
	if s.not = strings.HasPrefix(p.s[p.at:], "^"); s.not {
		p.at++
	}
	for {
		c, ok := p.more()
		switch {
		case !ok:
			p.fail("must close the class")
			return node{}
		case c == ']' && s.ranges == nil:
			p.fail("must have a character in the class")
			return node{}
		case c == ']':
			p.at++
			return consume(s)
		case c == '[':
			p.fail("must write [ as \\[ in a class")
			return node{}
		}
		low := p.member()
		if rest := p.s[p.at:]; p.err == nil && strings.HasPrefix(rest, "-") && !strings.HasPrefix(rest, "-]") {
			p.at++
			top := p.member()
			if p.err == nil && (low.not || top.not || len(low.ranges) != 2 || low.ranges[0] != low.ranges[1] ||
				len(top.ranges) != 2 || top.ranges[0] != top.ranges[1] || low.ranges[0] > top.ranges[0]) {
				p.fail("must have a range from a lesser character to a greater one")
			}
			if p.err != nil {
				return node{}
			}
			low.ranges = []rune{low.ranges[0], top.ranges[0]}
		}
		s.ranges = append(s.ranges, low.all()...)
	}
}

// member parses a character or a class with a backslash inside [...].
func (p *parser) member() set {
	if c, ok := p.more(); ok && c == '\\' {
		return p.escape()
	}
	return p.character()
}

// all returns the ranges of the set, which are in order if it stands for all others.
func (s set) all() []rune {
	if !s.not {
		return s.ranges
	}
	var others []rune
	from := rune(0)
	for pair := range slices.Chunk(s.ranges, 2) {
		if pair[0] > from {
			others = append(others, from, pair[0]-1)
		}
		from = pair[1] + 1
	}
	return append(others, from, utf8.MaxRune)
}

// compiler writes a program.
type compiler struct {
	program []instruction
	parts   int
}

func (c *compiler) add(in instruction) int {
	c.program = append(c.program, in)
	return len(c.program) - 1
}

func (c *compiler) emit(n node) {
	if c.parts++; c.parts > maxParts {
		return
	}
	switch n.kind {
	case one:
		c.add(n.in)
	case sequence:
		for _, of := range n.of {
			c.emit(of)
		}
	case choice:
		c.choice(n.of)
	case repeat:
		c.repeat(n)
	}
}

func (c *compiler) choice(of []node) {
	var ends []int
	for i, n := range of {
		if i == len(of)-1 {
			c.emit(n)
			break
		}
		split := c.add(instruction{op: opSplit})
		c.emit(n)
		ends = append(ends, c.add(instruction{op: opJump}))
		c.program[split].x, c.program[split].y = split+1, len(c.program)
	}
	for _, end := range ends {
		c.program[end].x = len(c.program)
	}
}

func (c *compiler) repeat(n node) {
	for range n.low {
		c.emit(n.of[0])
	}
	if n.top < 0 {
		split := c.add(instruction{op: opSplit})
		c.emit(n.of[0])
		c.add(instruction{op: opJump, x: split})
		c.program[split].x, c.program[split].y = split+1, len(c.program)
		return
	}
	var splits []int
	for range n.top - n.low {
		splits = append(splits, c.add(instruction{op: opSplit}))
		c.emit(n.of[0])
	}
	for _, split := range splits {
		c.program[split].x, c.program[split].y = split+1, len(c.program)
	}
}
