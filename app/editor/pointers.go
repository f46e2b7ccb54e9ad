package editor

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// jumpButton is the component that leads on; spec, "Category BLOCK".
const jumpButton = "JUMP_BUTTON"

// mapPointers returns the tree of a node with each of its pointers as to maps it,
// without those that become "". It is the same object when nothing changed.
// Setting each pointer by its path would copy the lists on the way every time.
func mapPointers(n *model.Node, to func(model.Pointer) model.Pointer) *schema.Object {
	was := n.Tree().Object("config")
	config := was
	switch c := n.Config.(type) {
	case *model.Step:
		var list []any
		for i, comp := range c.Components {
			if comp.Type != jumpButton {
				continue
			}
			if now := mapPointer(comp.Config(), "next_node", to); now != comp.Config() {
				if list == nil {
					list = slices.Clone(was.List("components"))
				}
				list[i] = comp.Tree().With("config", now)
			}
		}
		if list != nil {
			config = config.With("components", list)
		}
		config = mapPointer(config, "next_node", to)
	case *model.Flow:
		config = mapPointer(config, "next_node", to)
	case *model.Router:
		var list []any
		for i, r := range c.Rules {
			if now := mapPointer(r.Tree(), "next_node", to); now != r.Tree() {
				if list == nil {
					list = slices.Clone(was.List("rules"))
				}
				list[i] = now
			}
		}
		if list != nil {
			config = config.With("rules", list)
		}
		config = mapPointer(config, "fallback", to)
	case nil:
	}
	if config == was {
		return n.Tree()
	}
	return n.Tree().With("config", config)
}

func mapPointer(o *schema.Object, key string, to func(model.Pointer) model.Pointer) *schema.Object {
	was := model.Pointer(o.Text(key))
	if was == "" {
		return o
	}
	switch now := to(was); now {
	case was:
		return o
	case "":
		return o.Without(key)
	default:
		return o.With(key, string(now))
	}
}

// eachPointer calls f with every pointer of a node.
func eachPointer(n *model.Node, f func(model.Pointer)) {
	mapPointers(n, func(p model.Pointer) model.Pointer {
		f(p)
		return p
	})
}
