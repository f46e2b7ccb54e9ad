package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// mapPointer returns an object with the pointer at key mapped by to, or without the pointer when that is "". It
// returns the same object when nothing changed.
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
