package schema

import "unicode/utf8"

// A Positioner finds lines and columns in one text. It keeps the text alive and is
// safe for concurrent use.
type Positioner struct {
	src   []byte
	marks []mark // one for each markStep bytes of src, the first at its beginning
}

// mark is the position of a byte from which others are counted: counting each from the beginning would take
// quadratic time for many problems on one long line.
type mark struct{ offset, line, column int }

// markStep bounds the bytes that are read to find a position, except for the rest of a character.
const markStep = 256

// NewPositioner reads src once.
func NewPositioner(src []byte) *Positioner {
	p := &Positioner{src: src, marks: make([]mark, 0, len(src)/markStep+1)}
	at := mark{line: 1, column: 1}
	for offset := 0; offset <= len(src); offset += markStep {
		at = at.to(src, offset)
		p.marks = append(p.marks, at)
	}
	return p
}

// Position returns the line and the column, both counted from 1, of a byte of the text. The column counts code points. An offset past the
// end has the position of the end.
func (p *Positioner) Position(offset int) (line, column int) {
	offset = max(0, min(offset, len(p.src)))
	at := p.before(offset).to(p.src, offset)
	return at.line, at.column
}

// before returns the mark from which the position of an offset is counted.
func (p *Positioner) before(offset int) mark { return p.marks[offset/markStep] }

// to returns the position of an offset that is not before m. Inside a character it returns that of the next one.
func (m mark) to(src []byte, offset int) mark {
	for m.offset < offset {
		r, size := utf8.DecodeRune(src[m.offset:])
		if m.offset += size; r == '\n' {
			m.line, m.column = m.line+1, 1
		} else {
			m.column++
		}
	}
	return m
}

// Position is Positioner.Position for a single position in a text.
func Position(src []byte, offset int) (line, column int) {
	at := mark{line: 1, column: 1}.to(src, max(0, min(offset, len(src))))
	return at.line, at.column
}
