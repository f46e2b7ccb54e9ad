package rules

import "slices"

// check checks a rule as a whole.
func (r *router) check(i int) (f Finding, ok bool) {
	if r.find(want{i, decides}) == none {
		return Finding{Kind: Contradictory, Detail: r.contradictory(i)}, true
	}
	if k := r.copied(i); k >= 0 {
		return Finding{Kind: Duplicate, Detail: r.duplicate(i, k), Earlier: []int{k}}, true
	}
	before := make([]int, i)
	for k := range before {
		before[k] = k
	}
	if !r.covered(i, before) {
		return f, false
	}
	var alone []int
	for _, k := range before {
		if !r.covered(i, []int{k}) {
			continue
		}
		if r.covered(k, []int{i}) {
			return Finding{Kind: Duplicate, Detail: r.duplicate(i, k), Earlier: []int{k}}, true
		}
		alone = append(alone, k)
	}
	if len(alone) > 0 {
		return Finding{Kind: Shadowed, Detail: r.shadowed(i, alone[:1]), Earlier: alone[:1]}, true
	}
	// The last ones are left out first, so that those remain which come first.
	for _, k := range slices.Backward(before) {
		fewer := slices.DeleteFunc(slices.Clone(before), func(j int) bool { return j == k })
		if r.covered(i, fewer) {
			before = fewer
		}
	}
	return Finding{Kind: Shadowed, Detail: r.shadowed(i, before), Earlier: before}, true
}

// copied returns an earlier rule with the same condition, -1 for none.
func (r *router) copied(i int) int {
	for k := range i {
		if r.rules[k].key == r.rules[i].key && r.certain(r.rules[i]) {
			return k
		}
	}
	return -1
}

// certain reports whether all comparisons of a condition can be judged, whatever the values are.
func (r *router) certain(e *expr) bool {
	if e.operator != "" {
		return !slices.ContainsFunc(e.of, func(of *expr) bool { return !r.certain(of) })
	}
	a := r.atoms[e.atom]
	return a.judged != nil && judge(a, "", true) != unsure
}

// covered reports whether one of the given rules applies whenever a rule may.
func (r *router) covered(i int, by []int) bool {
	wants := []want{{i, decides}}
	for _, k := range by {
		wants = append(wants, want{k, passes})
	}
	return r.find(wants...) == none
}
