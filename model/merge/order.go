package merge

import (
	"cmp"
	"slices"
)

// weave returns main with the keys that only other has inserted, each after the
// key that it follows in other.
func weave(main, other []string) []string {
	return interleave(common(main, other), main, other, func(_, _ []string) bool { return true })
}

// common returns the keys of a that are also in b.
func common(a, b []string) []string {
	in := places(b)
	return filter(a, func(k string) bool { _, ok := in[k]; return ok })
}

// interleave returns the spine, which a and b share, with the other keys of a and b inserted after the key of the spine that they follow.
// If both have such keys, first reports whether those of a come first.
func interleave(spine, a, b []string, first func(a, b []string) bool) []string {
	place := places(spine)
	groups := func(keys []string) [][]string {
		out := make([][]string, len(spine)+1)
		at := 0
		for _, k := range keys {
			if i, ok := place[k]; ok {
				at = i + 1
			} else {
				out[at] = append(out[at], k)
			}
		}
		return out
	}
	ga, gb := groups(a), groups(b)
	out := make([]string, 0, len(a)+len(b)-len(spine))
	for i := range ga {
		if i > 0 {
			out = append(out, spine[i-1])
		}
		if len(ga[i]) == 0 || len(gb[i]) == 0 || first(ga[i], gb[i]) {
			out = append(append(out, ga[i]...), gb[i]...)
		} else {
			out = append(append(out, gb[i]...), ga[i]...)
		}
	}
	return out
}

// reordered returns the smallest set of keys that must move to turn the order of base into that of now: all but a longest increasing
// subsequence.
func reordered(base, now []string) map[string]bool {
	shared, place := common(now, base), places(base)
	// tails[n] is the last key of the sequence of n+1 keys that ends lowest.
	var tails []int
	before := make([]int, len(shared))
	for i, k := range shared {
		n, _ := slices.BinarySearchFunc(tails, place[k], func(t, p int) int { return cmp.Compare(place[shared[t]], p) })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	if len(tails) == len(shared) {
		return nil
	}
	stays := make([]bool, len(shared))
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		stays[i] = true
	}
	out := map[string]bool{}
	for i, k := range shared {
		if !stays[i] {
			out[k] = true
		}
	}
	return out
}
