package inspector

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model/sizetest"
)

// A text follows another exactly if it is the first of its numbered forms that nobody else has, whatever was asked before.
func TestTakenTexts(t *testing.T) {
	texts := []string{"", "a", "a_1", "a_2", "a_3", "a_02", "a_x", "a_2_2", "b"}
	free := func(text string, others []string) string {
		out := text
		for i := 2; text != "" && slices.Contains(others, out); i++ {
			out = fmt.Sprintf("%s_%d", text, i)
		}
		return out
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range sizetest.Of(0, 500, 20_000) {
		all, list := newTaken(), make([]string, r.IntN(8))
		for i := range list {
			list[i] = texts[r.IntN(len(texts))]
			all.add(list[i])
			text := texts[r.IntN(len(texts))]
			if got, want := all.free(text), free(text, list[:i+1]); got != want {
				t.Fatalf("%q is free for %q among %q, want %q", got, text, list[:i+1], want)
			}
		}
		for i, own := range list {
			others := slices.Concat(list[:i], list[i+1:])
			for _, text := range texts {
				if got, want := all.follows(own, text), own == free(text, others); got != want {
					t.Fatalf("%q follows %q among %q: %v", own, text, list, got)
				}
			}
		}
	}
}
