// Package pattern matches texts against regular expressions, in time linear in the text. The browser's program cannot link the standard
// library's package (see CONTRIBUTING.md), and a form must run the same there and on the command line.
//
// A pattern has the syntax that ECMAScript and package regexp share: characters, ., classes, \d \w \s \b and their opposites, ^ and $,
// groups, | and the quantifiers * + ? {n,m}. Anything else, such as a lookahead or a back reference, is an error. Classes with a
// backslash contain only ASCII. A text matches if any part of it does.
package pattern

import "unicode/utf8"

// Pattern is a compiled pattern. It is immutable and safe for concurrent use.
type Pattern struct{ program []instruction }

// instruction is a step of the machine that matches. It continues with the next one unless it says otherwise.
type instruction struct {
	op   op
	set  set // of opSet
	x, y int // where opSplit continues, or opJump with x
}

type op uint8

const (
	opSet   op = iota // consume a character of the set
	opSplit           // continue at x and at y
	opJump            // continue at x
	opBegin           // continue at the beginning of the text
	opEnd             // continue at its end
	opWord            // continue at the edge of a word
	opInner           // continue anywhere else
	opMatch
)

// set is a set of characters: ranges with both bounds included, or all others.
type set struct {
	ranges []rune // pairs
	not    bool
}

func (s set) has(r rune) bool {
	for i := 0; i < len(s.ranges); i += 2 {
		if s.ranges[i] <= r && r <= s.ranges[i+1] {
			return !s.not
		}
	}
	return s.not
}

// none is the character before the first and after the last.
const none = rune(-1)

// Match reports whether a part of the text matches.
func (p *Pattern) Match(text string) bool {
	m := machine{program: p.program, reached: make([]int, len(p.program)), before: none}
	for m.place = 1; ; m.place++ {
		size := 0
		if m.after = none; text != "" {
			m.after, size = utf8.DecodeRuneInString(text)
		}
		m.todo = append(m.todo, 0) // a match may begin anywhere
		if m.advance() {
			return true
		}
		if size == 0 {
			return false
		}
		for _, pc := range m.waiting {
			if p.program[pc].set.has(m.after) {
				m.todo = append(m.todo, pc+1)
			}
		}
		m.before, text = m.after, text[size:]
	}
}

// machine follows all ways through a program at once, from one place between characters to the next.
type machine struct {
	program       []instruction
	place         int   // counted from 1
	before, after rune  // the characters around the place
	todo          []int // instructions to continue at
	waiting       []int // instructions reached that consume a character
	reached       []int // for each instruction, the last place at which it was reached
}

// advance continues without consuming a character. It reports whether the program ends, and otherwise leaves what is waiting for one.
func (m *machine) advance() (matched bool) {
	m.waiting = m.waiting[:0]
	for len(m.todo) > 0 {
		pc := m.todo[len(m.todo)-1]
		m.todo = m.todo[:len(m.todo)-1]
		if m.reached[pc] == m.place {
			continue
		}
		m.reached[pc] = m.place
		switch in := m.program[pc]; in.op {
		case opMatch:
			return true
		case opSet:
			m.waiting = append(m.waiting, pc)
		case opSplit:
			m.todo = append(m.todo, in.x, in.y)
		case opJump:
			m.todo = append(m.todo, in.x)
		default:
			if m.holds(in.op) {
				m.todo = append(m.todo, pc+1)
			}
		}
	}
	return false
}

// holds reports whether an assertion holds at the place.
func (m *machine) holds(assertion op) bool {
	switch assertion {
	case opBegin:
		return m.before == none
	case opEnd:
		return m.after == none
	case opWord:
		return word.has(m.before) != word.has(m.after)
	default:
		return word.has(m.before) == word.has(m.after)
	}
}
