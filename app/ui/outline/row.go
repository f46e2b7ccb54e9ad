package outline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
)

// row is the content of a row of the outline.
type row struct {
	name, note string // its name, short if it is a condition, and the target of a rule or button
	icon, tint string
	spoken     string // the accessible name for screen readers
	problems   int
	warnings   int
	away       bool // it cannot be reached
}

// counted returns the number beside the mark of a row, "" for a mark without one.
func (r *row) counted() string {
	if r.problems == 0 {
		return ""
	}
	return strconv.Itoa(r.problems)
}

// row returns the content of a row.
func (o *outline) row(s spot) row {
	r, ok := o.made[s]
	if !ok {
		r = o.makeRow(s)
		o.made[s] = r
	}
	return r
}

func (o *outline) makeRow(s spot) row {
	name := o.name(s)
	at := o.counted(s)
	r := row{name: name, problems: o.problems[at], warnings: o.warnings[at]}
	kind, way := "", ""
	comp, rule := o.item(s)
	n := o.node(s.at)
	switch {
	case comp != nil:
		r.icon, kind = "unknown", comp.Type
		if comp.Kind != nil {
			r.icon, kind = comp.Kind.Icon, comp.Kind.Label
		}
		if o.leads(s) {
			to := model.Pointer(comp.Config().Text(comp.Kind.Leads()))
			r.note, way = "→ "+o.called(to), o.way([]model.Pointer{to})
		}
	case rule != nil:
		r.name = caption.ShortRule(o.form.Fields(), rule, s.part, maxRule)
		r.tint = "nth" // the style sheet draws its number
		r.icon, kind = "edge", "Rule"
		r.note, way = "→ "+o.called(rule.Next), o.way([]model.Pointer{rule.Next})
	case o.otherwise(s) != nil:
		to := o.otherwise(s).Fallback
		r.icon = "edge"
		r.note, way = "→ "+o.called(to), o.way([]model.Pointer{to})
	case n != nil:
		r.icon, kind = describe.NodeIcon(n), "Node of an unknown type"
		if k := model.NodeKindOf(n.Type); k != nil {
			kind = k.Label
		}
		r.tint, r.away = r.icon, s.at > o.reached
		var to []model.Pointer
		n.Pointers(func(p model.Ref) { to = append(to, model.Pointer(p.ID)) })
		way = o.way(to)
	case s.at == 0:
		r.icon, r.tint = "start", "start"
		way = o.way([]model.Pointer{o.form.Start.Next})
	default:
		r.icon, r.tint = "ending", "ending"
	}
	parts := []string{name}
	if kind != "" && kind != name {
		parts = append(parts, kind)
	}
	if way != "" {
		parts = append(parts, way)
	}
	if r.away {
		parts = append(parts, "not reached from the start")
	}
	if r.problems > 0 {
		parts = append(parts, kit.Several(r.problems, "1 problem", "%d problems"))
	}
	if r.warnings > 0 {
		parts = append(parts, kit.Several(r.warnings, "1 warning", "%d warnings"))
	}
	r.spoken = strings.Join(parts, ", ")
	return r
}

// maxRule bounds the condition that is the name of a rule, in characters: the panel has room for as many.
const maxRule = 19

// waysNamed is the maximum number of targets that a row names; a router may
// have a hundred.
const waysNamed = 3

// way lists the distinct targets of a row: "leads to Router 2, Ending".
func (o *outline) way(to []model.Pointer) string {
	var names []string
	seen := map[model.Pointer]bool{"": true}
	for _, p := range to {
		if !seen[p] {
			seen[p] = true
			names = append(names, o.called(p))
		}
	}
	if len(names) == 0 {
		if len(to) == 0 {
			return ""
		}
		return "leads nowhere"
	}
	if more := len(names) - waysNamed; more > 0 {
		names = append(slices.Clip(names[:waysNamed]), fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("leads to %s", strings.Join(names, ", "))
}

// called returns the name of a pointer's target.
func (o *outline) called(to model.Pointer) string {
	switch at, ok := o.place[string(to)]; {
	case to == "":
		return "nowhere"
	case to == model.EndingID:
		return "Ending"
	case ok && o.node(at) != nil:
		return o.node(at).Name()
	}
	return fmt.Sprintf("%s (no such node)", string(to))
}
