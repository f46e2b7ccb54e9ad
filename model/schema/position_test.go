package schema

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/sizetest"
)

// naivePosition counts from the beginning.
func naivePosition(src []byte, offset int) (line, column int) {
	before := string(src[:offset])
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}

func TestPositions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "é", "例", "❤", "\n", "\r\n", "\xff", strings.Repeat("x", markStep-1)}
	for range sizetest.Of(0, 40, 300) {
		var b bytes.Buffer
		for range r.IntN(40) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		src := b.Bytes()
		p := NewPositioner(src)
		for offset := 0; offset <= len(src); offset++ {
			if offset < len(src) && !utf8.RuneStart(src[offset]) {
				continue
			}
			line, column := p.Position(offset)
			wantLine, wantColumn := naivePosition(src, offset)
			if one, two := Position(src, offset); line != wantLine || column != wantColumn || one != wantLine || two != wantColumn {
				t.Fatalf("%d of %q: got %d:%d and %d:%d, want %d:%d", offset, src, line, column, one, two, wantLine, wantColumn)
			}
		}
	}
	p := NewPositioner([]byte("a\nbc"))
	for offset, want := range map[int][2]int{-1: {1, 1}, 4: {2, 3}, 99: {2, 3}} {
		if line, column := p.Position(offset); line != want[0] || column != want[1] {
			t.Errorf("%d: got %d:%d, want %v", offset, line, column, want)
		}
	}
}

// However long a line is, finding a position reads no more than the bytes between two
// marks, so the time for all findings of a document is linear in their number.
func TestPositionReadsLittle(t *testing.T) {
	src := []byte(strings.Repeat("é例a", 200_000))
	p := NewPositioner(src)
	if most := len(src)/markStep + 1; len(p.marks) > most {
		t.Errorf("%d marks for %d bytes, want at most %d", len(p.marks), len(src), most)
	}
	for offset := range src {
		if read := offset - p.before(offset).offset; read >= markStep {
			t.Fatalf("the position of %d reads %d bytes", offset, read)
		}
	}
}
