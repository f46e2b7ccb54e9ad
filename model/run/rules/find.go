package rules

import (
	"slices"

	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// check checks a rule as a whole.
func (r *router) check(i int) (f Finding, ok bool) {
	if r.find(nil, want{i, decides}) == none {
		return Finding{Kind: Contradictory, Detail: r.contradictory(i), Fixes: []Fix{{Change: Remove}}}, true
	}
	if k := r.firsts[r.rules[i].key]; k < i && r.certain(r.rules[i]) {
		return r.taken(i, Finding{Kind: Duplicate, Detail: r.duplicate(i, k), Earlier: []int{k}}), true
	}
	if !r.work.spend(i) {
		return f, false
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
			return r.taken(i, Finding{Kind: Duplicate, Detail: r.duplicate(i, k), Earlier: []int{k}}), true
		}
		alone = append(alone, k)
	}
	if len(alone) > 0 {
		return r.taken(i, Finding{Kind: Shadowed, Detail: r.shadowed(i, alone[:1]), Earlier: alone[:1]}), true
	}
	// The last ones are left out first, so that those remain which come first.
	for _, k := range slices.Backward(before) {
		fewer := slices.DeleteFunc(slices.Clone(before), func(j int) bool { return j == k })
		if r.covered(i, fewer) {
			before = fewer
		}
	}
	return r.taken(i, Finding{Kind: Shadowed, Detail: r.shadowed(i, before), Earlier: before}), true
}

// certain reports whether all comparisons of a condition can be judged, whatever the values are.
func (r *router) certain(e *expr) bool {
	if e.operator != "" {
		return !slices.ContainsFunc(e.of, func(of *expr) bool { return !r.certain(of) })
	}
	a := r.atoms[e.atom]
	return a.judged != nil && r.work.spend(a.cost) && judge(a, "", true) != unsure
}

// covered reports whether one of the given rules applies whenever a rule may.
func (r *router) covered(i int, by []int) bool {
	if !r.work.spend(len(by)) {
		return false
	}
	wants := []want{{i, decides}}
	for _, k := range by {
		wants = append(wants, want{k, passes})
	}
	return r.find(nil, wants...) == none
}

// taken adds an example and the fixes to a finding about a rule that never decides.
func (r *router) taken(i int, f Finding) Finding {
	if f.Example = r.example(i, f.Earlier); f.Example == nil {
		f.Example = r.example(i, nil)
	}
	if f.Kind == Shadowed && r.movable(i, f.Earlier[0]) {
		f.Fixes = append(f.Fixes, Fix{Move, f.Earlier[0]})
	}
	f.Fixes = append(f.Fixes, Fix{Change: Remove})
	return f
}

// example returns values for which a rule applies but one of the given rules decides, or any if none is given. It returns nil if it finds
// none.
func (r *router) example(i int, by []int) (e *Example) {
	r.find(func(chosen []int) bool {
		values, ok := r.values(chosen)
		first, applies := r.first(values)
		if ok && applies && first < i && (by == nil || slices.Contains(by, first)) {
			e = &Example{values, first}
		}
		return e != nil
	}, want{i, applies})
	return e
}

// movable reports whether a rule decides something if it is moved before another, and whether every rule in between that decides something
// now still does.
func (r *router) movable(i, before int) bool {
	if !r.shown(i, before) {
		return false
	}
	for k := before; k < i; k++ {
		if !r.work.spend(k) {
			return false
		}
		earlier := make([]int, k)
		for j := range earlier {
			earlier[j] = j
		}
		if !r.covered(k, earlier) && !r.shown(k, k, want{i, fails}) {
			return false
		}
	}
	return true
}

// shown reports whether there are values for which a rule applies and those before an index fail.
func (r *router) shown(i, before int, more ...want) bool {
	if !r.work.spend(before) {
		return false
	}
	wants := append([]want{{i, applies}}, more...)
	for k := range before {
		wants = append(wants, want{k, fails})
	}
	return r.find(func(chosen []int) bool {
		values, ok := r.values(chosen)
		for _, w := range wants {
			ok = ok && r.judge(w.rule, values) == w.low
		}
		return ok
	}, wants...) == found
}

// values returns the chosen values, and false if two of them contradict each other, since one is a member of the other.
func (r *router) values(chosen []int) (list []Value, ok bool) {
	if !r.work.spend(len(r.parts)) {
		return nil, false
	}
	for i, p := range r.parts {
		if chosen[i] < 0 || p.of.Namespace == "" {
			continue
		}
		if !r.work.spend(len(list)) {
			return nil, false
		}
		for _, v := range list {
			if v.Variable.Namespace == p.of.Namespace && (v.Variable.Path.HasPrefix(p.of.Path) || p.of.Path.HasPrefix(v.Variable.Path)) {
				return nil, false
			}
		}
		c := p.classes[chosen[i]]
		list = append(list, Value{p.of, c.value, c.defined})
	}
	return list, true
}

// judge judges the whole condition of a rule.
func (r *router) judge(i int, values []Value) truth {
	if !r.work.spend(r.costs[i] + len(values)) {
		return unsure
	}
	env := &template.Env{Lookup: func(namespace string, path schema.Path) (any, bool) {
		for _, v := range values {
			if v.Defined && v.Variable.Namespace == namespace && path.HasPrefix(v.Variable.Path) {
				return template.At(v.Value, path[len(v.Variable.Path):])
			}
		}
		return nil, false
	}}
	return truthOf(r.conditions[i].Judge(env).Verdict)
}

// first returns the first rule that does not fail, and whether it applies.
func (r *router) first(values []Value) (i int, applies bool) {
	for i := range r.rules {
		if v := r.judge(i, values); v != no {
			return i, v == yes
		}
	}
	return len(r.rules), false
}
