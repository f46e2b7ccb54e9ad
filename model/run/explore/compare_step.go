package explore

import (
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/scenario"
)

// expand follows all that people can do at a moment.
func (c *comparer) expand(i int) {
	p := c.pairs[i]
	at := c.places(p.at)
	a, b := &c.worlds[0].places[at[0]], &c.worlds[1].places[at[1]]
	switch {
	case a.flow:
		p.sets = c.searches[0].returned(p.sets)
		c.follow(p, hop{
			to:   [sides]int{a.ways[0].to, b.ways[0].to},
			step: [sides]*step{{at: at[0]}, {at: at[1]}},
		})
	case a.router != nil:
		c.choose(p, at)
	default:
		for i, way := range a.ways {
			if j := slices.IndexFunc(b.ways, way.same); j >= 0 {
				c.press(p, at, i, j)
			} else {
				c.onlyIn(0, p, at, i)
			}
		}
		for j, way := range b.ways {
			if !slices.ContainsFunc(a.ways, way.same) {
				c.onlyIn(1, p, at, j)
			}
		}
	}
}

// same reports whether two ways out of a step are the same for people.
func (w way) same(v way) bool { return w.button.ID == v.button.ID && w.port == v.port }

// onlyIn notes a button that only one of the forms has.
func (c *comparer) onlyIn(side int, p pair, at [sides]int, way int) {
	w := c.worlds[side]
	to := w.places[at[side]].ways[way].to
	ends := [sides]int{nowhere, nowhere}
	ends[side] = to
	b := w.answers(&w.places[at[side]], w.places[at[side]].ways[way].checked)
	journey := p.journey
	journey[side] = &trail{journey[side], step{at: at[side], way: way, box: b}}
	if !slices.Contains(b.sets, 0) {
		c.tell(c.only(side, p.at), b.within(p.sets), journey, ends)
	}
}

// only returns the difference that people get on from a node in only one of the forms. What follows is known when it is shown.
func (c *comparer) only(side int, node string) Difference {
	d := Difference{Kind: GoesElsewhere, Node: node, Before: following}
	if side == 1 {
		d.Before, d.After = "", following
	}
	switch was, is := c.finishes[0][node], c.finishes[1][node]; {
	case was && !is && side == 0:
		d.Kind = CannotFinish
	case is && !was && side == 1:
		d.Kind = CanFinish
	}
	return d
}

// following stands for the node that follows in a scenario.
const following = "following"

// press follows a button that both forms have, and notes answers that only one of them accepts.
func (c *comparer) press(p pair, at [sides]int, i, j int) {
	ways := [sides]int{i, j}
	var allowed [sides][]set
	to := [sides]int{}
	asked := slices.Clone(c.worlds[0].places[at[0]].asks)
	for _, v := range c.worlds[1].places[at[1]].asks {
		if !slices.Contains(asked, v) {
			asked = append(asked, v)
		}
	}
	for side, w := range c.worlds {
		place := &w.places[at[side]]
		to[side] = place.ways[ways[side]].to
		for _, v := range asked {
			s := w.vars.list[v].all()
			if place.sets(v) && place.ways[ways[side]].checked {
				s = w.vars.list[v].accepted(side)
			}
			allowed[side] = append(allowed[side], s)
		}
	}
	both := box{vars: asked, sets: make([]set, len(asked))}
	for k := range asked {
		both.sets[k] = allowed[0][k] & allowed[1][k]
	}
	for k := range asked {
		for side := range sides {
			only := both
			only.sets = slices.Clone(both.sets)
			only.sets[k] = allowed[side][k] &^ allowed[1-side][k]
			if slices.Contains(only.sets, 0) {
				continue
			}
			journey, ends := p.journey, [sides]int{nowhere, nowhere}
			journey[side], ends[side] = &trail{journey[side], step{at: at[side], way: ways[side], box: only}}, to[side]
			c.tell(c.only(side, p.at), only.within(p.sets), journey, ends)
		}
	}
	if slices.Contains(both.sets, 0) {
		return
	}
	h := hop{to: to}
	for side := range sides {
		h.step[side] = &step{at: at[side], way: ways[side], box: both}
	}
	p.sets = both.within(p.sets)
	c.follow(p, h)
}

// choose follows the ways that both forms have out of a router at which people's way cannot be decided, and notes those that only one of
// them has.
func (c *comparer) choose(p pair, at [sides]int) {
	places := [sides]*place{&c.worlds[0].places[at[0]], &c.worlds[1].places[at[1]]}
	for side := range sides {
		for i, way := range places[side].ways {
			j := slices.IndexFunc(places[1-side].ways, way.sameRule)
			for _, x := range places[side].boxes(p.sets)[i] {
				if x.asks {
					c.onlyChoice(side, p, at, [sides]int{i, j}, x)
				}
				if !x.asks || j < 0 || side == 1 {
					continue
				}
				for _, y := range places[1].boxes(x.within(p.sets))[j] {
					if y.asks {
						q := p
						q.sets = y.within(x.within(p.sets))
						c.follow(q, hop{
							to:   [sides]int{way.to, places[1].ways[j].to},
							step: [sides]*step{{at: at[0], way: i, box: x}, {at: at[1], way: j, box: y}},
						})
					}
				}
			}
		}
	}
}

// onlyChoice notes a way that can be chosen in one form, and in the other cannot though it asks. way has the indexes of the way in both.
func (c *comparer) onlyChoice(side int, p pair, at, way [sides]int, x box) {
	other := c.worlds[1-side].places[at[1-side]].router
	for _, y := range other.where(other.of(x.within(p.sets)), func(w ways) bool { return w.asks && !slices.Contains(w.of, way[1]) }) {
		journey, ends := p.journey, [sides]int{nowhere, nowhere}
		journey[side] = &trail{&trail{journey[side], step{way: -1, kind: judge, box: y}}, step{at: at[side], way: way[0], box: x}}
		ends[side] = c.worlds[side].places[at[side]].ways[way[0]].to
		c.tell(c.only(side, p.at), y.within(x.within(p.sets)), journey, ends)
	}
}

// sameRule reports whether two ways out of a router have the same name.
func (w way) sameRule(v way) bool { return w.port == v.port }

// tell adds a difference with a scenario that shows it, unless it is known.
func (c *comparer) tell(d Difference, sets []set, journey [sides]*trail, ends [sides]int) {
	key := string(d.Kind) + "\n" + d.Node
	if d.Kind != CannotFinish && d.Kind != CanFinish {
		key += "\n" + d.Before + "\n" + d.After
	}
	if d.Before == following || d.After == following {
		key += "\n" + strconv.Itoa(ends[0]) + "\n" + strconv.Itoa(ends[1])
	}
	if c.told[key] {
		return
	}
	side := 0
	if d.Before == "" && d.Kind != Asked {
		side = 1
	}
	asks := d.Kind == Asked || d.Kind == NotAsked
	var before, after []string
	for _, on := range c.searches[side].ahead(ends[side], sets) {
		before, after = c.show(&d, side, append(journey[side].steps(), steps(on)...))
		if asks || !slices.Equal(before, after) {
			break
		}
	}
	if d.Before == following {
		d.Before = c.next(0, before, d.Node)
	}
	if d.After == following {
		d.After = c.next(1, after, d.Node)
	}
	d.Scenario.Name = d.String()
	if !asks && slices.Equal(before, after) {
		return // the values that were chosen do not show it
	}
	d.Scenario.Expect = before
	c.told[key] = true
	if !slices.ContainsFunc(c.found, func(f Difference) bool { return f.String() == d.String() }) {
		c.found = append(c.found, d)
	}
}

// ahead returns how a journey can go on from a place, the best first: to the ending, by a single move, and not at all. Another form may take
// the same way as the first of them.
func (s *search) ahead(at int, sets []set) [][]move {
	if at < 0 {
		return [][]move{nil}
	}
	from := s.add(at, sets, nil)
	all := [][]move{s.nearest(from, finishing)}
	s.expand(from)
	for _, m := range s.states[from].out {
		all = append(all, []move{m})
	}
	return append(all, nil)
}

// show makes a journey in one of the forms the scenario of a difference, and returns the paths that it takes in both.
func (c *comparer) show(d *Difference, side int, steps []step) (before, after []string) {
	in, r := c.worlds[side].realize(steps)
	d.Scenario = scenario.Record("", in, r)
	return c.replay(0, &d.Scenario), c.replay(1, &d.Scenario)
}

// next returns what follows a node on a path, apart from routers.
func (c *comparer) next(side int, path []string, node string) string {
	i := slices.Index(path, node)
	for _, id := range path[i+1:] {
		if n := c.worlds[side].program.Node(id); n == nil || n.Type != model.RouterNode {
			return id
		}
	}
	return ""
}

func (c *comparer) replay(side int, s *scenario.Scenario) []string {
	return scenario.Replay(c.worlds[side].program, s).Path()
}
