package explore

import (
	"encoding/binary"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/condition"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/run/template/hash"
	"github.com/formgraph/formgraph/model/schema"
)

// router knows which way a router takes for each combination of the candidates of the variables that it reads.
type router struct {
	rules []*condition.Condition
	vars  *variables
	side  int
	reads []int           // the variables, in order
	known map[string]ways // by the indexes of the candidates
	cuts  map[string]cut  // what split returned, by the sets
}

// cut is what split returns.
type cut struct {
	boxes map[int][]box
	whole bool
}

// ways are the ways that a router can take: one, or several if the run has to ask.
type ways struct {
	of   []int // indexes in place.ways
	asks bool
}

// maxTuples bounds how many combinations are judged for one router at one moment.
const maxTuples = 20_000

func newRouter(w *world, config *model.Router) *router {
	r := &router{vars: w.vars, side: w.side, known: map[string]ways{}, cuts: map[string]cut{}}
	for _, rule := range config.Rules {
		r.rules = append(r.rules, w.program.Condition(rule))
		if c, ok := flow.ParseCondition(rule.Condition); ok {
			r.read(c)
		}
	}
	slices.Sort(r.reads)
	r.reads = slices.Compact(r.reads)
	return r
}

func (r *router) read(c flow.Condition) {
	switch c := c.(type) {
	case *flow.Group:
		for _, of := range c.Of {
			r.read(of)
		}
	case *flow.Comparison:
		for _, operand := range c.Operands {
			refs, _, _ := read(operand)
			for _, ref := range refs {
				if len(ref.Path) == 0 {
					continue
				}
				if v, ok := r.vars.by[[2]string{ref.Namespace, ref.Path[0].Key}]; ok {
					r.reads = append(r.reads, v)
				}
			}
		}
	}
}

// judge returns the ways for a combination of candidates, in the order of reads.
func (r *router) judge(tuple []byte) ways {
	if w, ok := r.known[string(tuple)]; ok {
		return w
	}
	env := &template.Env{Hash: hash.Hex, Lookup: func(namespace string, path schema.Path) (any, bool) {
		if len(path) == 0 {
			return nil, false
		}
		v, ok := r.vars.by[[2]string{namespace, path[0].Key}]
		if !ok {
			return nil, false
		}
		i := slices.Index(r.reads, v)
		c := r.vars.list[v].domain[tuple[i]]
		if !c.in[r.side].defined {
			return nil, false
		}
		return template.At(c.in[r.side].value, path[1:])
	}}
	var w ways
	for i, rule := range r.rules {
		verdict := rule.Judge(env).Verdict
		if verdict == condition.False {
			continue
		}
		w.of = append(w.of, i)
		if verdict == condition.True {
			break
		}
		w.asks = true
	}
	if len(w.of) == 0 || w.asks && rule(r.rules, w, env) {
		w.of = append(w.of, len(r.rules))
	}
	r.known[string(tuple)] = w
	return w
}

// rule reports whether none of the rules that may apply surely does.
func rule(rules []*condition.Condition, w ways, env *template.Env) bool {
	return rules[w.of[len(w.of)-1]].Judge(env).Verdict != condition.True
}

// box is a set of candidates for each of some variables: those that a router reads, or a step asks for.
type box struct {
	vars []int
	sets []set
	asks bool // whether the run has to ask for the way
}

// within returns sets with those of the box in their place.
func (b *box) within(sets []set) []set { return b.into(slices.Clone(sets)) }

// into puts the sets of the box into others, which it returns.
func (b *box) into(sets []set) []set {
	for i, v := range b.vars {
		sets[v] = b.sets[i]
	}
	return sets
}

// of returns the sets of the variables that the router reads.
func (r *router) of(sets []set) []set {
	list := make([]set, len(r.reads))
	for i, v := range r.reads {
		list[i] = sets[v]
	}
	return list
}

// asking is the key of the combinations with which a run has to ask, in what split returns.
const asking = -1

// split returns, for each way, boxes of the combinations that take it, from the given sets. It returns false if there are too many
// combinations; then not all are returned. The caller must not change the boxes.
func (r *router) split(sets []set) (boxes map[int][]box, whole bool) {
	key := make([]byte, 0, 8*len(sets))
	for _, s := range sets {
		key = binary.LittleEndian.AppendUint64(key, uint64(s))
	}
	of, ok := r.cuts[string(key)]
	if !ok {
		of.boxes, of.whole = r.cut(sets)
		r.cuts[string(key)] = of
	}
	return of.boxes, of.whole
}

func (r *router) cut(sets []set) (boxes map[int][]box, whole bool) {
	boxes = map[int][]box{}
	tuples := map[[2]int][][]byte{} // by the way, and whether the run has to ask
	var order [][2]int
	n := 0
	whole = r.each(sets, func(tuple []byte) bool {
		if n++; n > maxTuples {
			return false
		}
		w := r.judge(tuple)
		keys := make([][2]int, 0, len(w.of)+1)
		for _, i := range w.of {
			if w.asks {
				keys = append(keys, [2]int{i, 1})
			} else {
				keys = append(keys, [2]int{i, 0})
			}
		}
		if w.asks {
			keys = append(keys, [2]int{asking, 1})
		}
		for _, key := range keys {
			if tuples[key] == nil {
				order = append(order, key)
			}
			tuples[key] = append(tuples[key], slices.Clone(tuple))
		}
		return true
	})
	for _, key := range order {
		for _, s := range boxesOf(tuples[key], len(r.reads)) {
			boxes[key[0]] = append(boxes[key[0]], box{r.reads, s, key[1] == 1})
		}
	}
	return boxes, whole
}

// where returns boxes of the combinations with ways that are asked for, from the given sets, as far as split goes.
func (r *router) where(sets []set, is func(ways) bool) []box {
	var tuples [][]byte
	n := 0
	r.each(sets, func(tuple []byte) bool {
		if is(r.judge(tuple)) {
			tuples = append(tuples, slices.Clone(tuple))
		}
		n++
		return n < maxTuples
	})
	if len(tuples) == 0 {
		return nil
	}
	var boxes []box
	for _, s := range boxesOf(tuples, len(r.reads)) {
		boxes = append(boxes, box{vars: r.reads, sets: s})
	}
	return boxes
}

// each calls do with every combination until it returns false, and reports whether it called it with all.
func (r *router) each(sets []set, do func([]byte) bool) bool {
	tuple := make([]byte, len(r.reads))
	var next func(i int) bool
	next = func(i int) bool {
		if i == len(tuple) {
			return do(tuple)
		}
		for c := range r.vars.list[r.reads[i]].domain {
			if sets[i].has(c) {
				tuple[i] = byte(c)
				if !next(i + 1) {
					return false
				}
			}
		}
		return true
	}
	return next(0)
}

// boxesOf returns boxes that together contain exactly the given combinations, which are in order.
func boxesOf(tuples [][]byte, n int) [][]set {
	if n == 0 {
		return [][]set{{}}
	}
	// The combinations with the same first candidate have boxes of the rest; candidates with the same boxes share them.
	type group struct {
		first set
		rest  [][]set
	}
	var groups []group
	for len(tuples) > 0 {
		end := 1
		for end < len(tuples) && tuples[end][0] == tuples[0][0] {
			end++
		}
		rest := make([][]byte, end)
		for i := range rest {
			rest[i] = tuples[i][1:]
		}
		boxes := boxesOf(rest, n-1)
		same := slices.IndexFunc(groups, func(g group) bool {
			return slices.EqualFunc(g.rest, boxes, slices.Equal)
		})
		if same < 0 {
			groups = append(groups, group{rest: boxes})
			same = len(groups) - 1
		}
		groups[same].first |= 1 << tuples[0][0]
		tuples = tuples[end:]
	}
	var all [][]set
	for _, g := range groups {
		for _, b := range g.rest {
			all = append(all, append([]set{g.first}, b...))
		}
	}
	return all
}
