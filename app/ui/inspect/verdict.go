package inspect

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/trial/message"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// verdicts are what the last check found wrong with the rules of routers.
type verdicts struct {
	routers map[string]verdict // by the keys of their nodes
	form    *model.Form        // the form that flaws are for
	flaws   []message.Flaw
}

// verdict is what is wrong with the rules of a router. The paths of the flaws are relative to its node.
type verdict struct {
	router *model.Router
	flaws  []message.Flaw
}

// found replaces what was known by the flaws that a check of a form has found.
func (v *verdicts) found(f *model.Form, flaws []message.Flaw) {
	*v = verdicts{routers: map[string]verdict{}}
	keys := f.Keys()
	by := map[string][]message.Flaw{} // by the path of their node
	for _, flaw := range flaws {
		if at, rest, ok := strings.Cut(flaw.Path, "."); ok {
			flaw.Path = rest
			by[at] = append(by[at], flaw)
		}
	}
	for i, n := range f.Nodes {
		r, ok := n.Config.(*model.Router)
		if !ok {
			continue
		}
		if of := by[model.NodePath(i).String()]; of != nil {
			v.routers[keys[i]] = verdict{r, of}
		}
	}
}

// of returns what is known to be wrong with the rules of a form, in its order. Nothing is known about a router if its conditions differ from those
// that were checked. The caller must not change the slice.
func (v *verdicts) of(f *model.Form) []message.Flaw {
	if v.form == f || len(v.routers) == 0 {
		return v.flaws
	}
	v.form, v.flaws = f, nil
	for i, key := range f.Keys() {
		known, ok := v.routers[key]
		if !ok {
			continue
		}
		if r, ok := f.Nodes[i].Config.(*model.Router); !ok || !sameConditions(known.router, r) {
			continue
		}
		at := model.NodePath(i).String()
		for _, flaw := range known.flaws {
			flaw.Path = at + "." + flaw.Path
			v.flaws = append(v.flaws, flaw)
		}
	}
	return v.flaws
}

// sameConditions reports whether two routers have rules with the same conditions.
func sameConditions(a, b *model.Router) bool {
	return a == b || slices.EqualFunc(a.Rules, b.Rules, func(x, y *model.Rule) bool {
		return x == y || x.ID == y.ID && schema.Equal(x.Condition, y.Condition)
	})
}

// sameRules reports whether a check would find the same in two forms: their nodes differ at most in names and places.
func sameRules(a, b *model.Form) bool {
	return a == b || a.Tree().Object("start") == b.Tree().Object("start") && slices.EqualFunc(a.Nodes, b.Nodes, func(x, y *model.Node) bool {
		return x == y || x.ID == y.ID && x.Type == y.Type && x.Tree().Object("config") == y.Tree().Object("config")
	})
}
