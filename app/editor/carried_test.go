package editor

import (
	"strconv"
	"testing"

	"github.com/formgraph/formgraph/model"
)

// Blocks stand for the changes that are kept, whenever large ones are forgotten.
func TestBlocksOfCarriedChanges(t *testing.T) {
	var o others
	last := model.New("f")
	for i := range 300 {
		switch i {
		case blockSize - 1, blockSize + 9, 3*blockSize + 5, 4*blockSize + 1: // too much at once
			large := &o.taken[min(3, len(o.taken)-1)]
			large.size += maxSize
			o.size += maxSize
		}
		next := model.New(strconv.Itoa(i))
		o.add(carried{before: last, after: next})
		last = next
		size := 0
		for _, c := range o.taken {
			size += c.size
		}
		if size != o.size || size > maxSize || o.seen() != i+1 {
			t.Fatalf("after %d changes, %d of %d bytes are kept, and %d seen", i+1, size, o.size, o.seen())
		}
		if len(o.taken) == 0 || o.taken[len(o.taken)-1].after != next || len(o.blocks) != len(o.taken)/blockSize {
			t.Fatalf("after %d changes, there are %d and %d blocks", i+1, len(o.taken), len(o.blocks))
		}
		for b, block := range o.blocks {
			if block.before != o.taken[b*blockSize].before || block.after != o.taken[(b+1)*blockSize-1].after {
				t.Fatalf("after %d changes, block %d leads from %s to %s", i+1, b, block.before.Name, block.after.Name)
			}
		}
	}
}
