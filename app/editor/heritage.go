package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// heritage separates the problems that the saved form already has from those that the person made.
type heritage struct {
	checker   model.Checker
	base      *model.Form // the saved form by which own and inherited were separated
	parted    bool        // own and inherited are those of the current state
	own       schema.Problems
	inherited schema.Problems
}

// parted returns the problems, divided by those of the saved form. They are divided again if the form or the saved form has changed.
func (f *findings) parted(saved *model.Form) *heritage {
	h := &f.heritage
	if h.parted && h.base == saved {
		return h
	}
	h.parted, h.base, h.own, h.inherited = true, saved, f.problems, nil
	if !f.remote || len(f.problems) == 0 {
		return h
	}
	had, _ := h.checker.CheckForeign(saved)
	if len(had) == 0 {
		return h
	}
	old := inherited(saved, had, f.form, f.problems)
	h.own = nil
	for i, p := range f.problems {
		if old[i] {
			h.inherited = append(h.inherited, p)
		} else {
			h.own = append(h.own, p)
		}
	}
	return h
}

// inherited reports for each problem of a form now whether base had it. A problem of base is first looked for where its value went, which
// follows what moved in its list or was renamed. What is left, such as a component that moved to another step, is matched by its element
// and property, whatever the places in the lists between them.
func inherited(base *model.Form, had schema.Problems, now *model.Form, has schema.Problems) []bool {
	places := make(map[string]int, len(has))
	for i, p := range has {
		places[string(p.Code)+p.Path.String()] = i
	}
	old := make([]bool, len(has))
	left := map[string]int{}
	for _, p := range had {
		path, ok := follow(base.Tree(), now.Tree(), p.Path)
		if i, same := places[string(p.Code)+path.String()]; ok && same && !old[i] {
			old[i] = true
		} else {
			left[ofElement(base, p)]++
		}
	}
	for i, p := range has {
		if k := ofElement(now, p); !old[i] && left[k] > 0 {
			old[i] = true
			left[k]--
		}
	}
	return old
}

// ofElement returns the code of a problem with the element that contains it, by its id, and the property in it.
func ofElement(f *model.Form, p schema.Problem) string {
	at, _ := f.At(p.Path)
	of := string(p.Code) + " " + at.End
	if at.Node >= 0 {
		n := f.Nodes[at.Node]
		of += " node " + n.ID
		if c := n.Component(at.Component); c != nil && c.ID != "" {
			of = string(p.Code) + " component " + c.ID // an id is unique in the form
		} else if r := n.Rule(at.Rule); r != nil {
			of += " rule " + r.ID
		}
	}
	for _, e := range at.Rest {
		of += " " + e.Key // "" for the place in a list
	}
	return of
}
