package merge

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// ExportChanges returns what differs between two export envelopes beside their
// forms: in flows and connections, by what an export calls them. Paths begin at
// the envelope. A member of a flow or connection is compared as one value; String
// shows names and ids only, since the others may hold secrets.
func ExportChanges(base, now *schema.Object) []Change {
	c := &changer{}
	for _, list := range []struct{ key, word string }{{"flows", "Flow "}, {"connections", "Connection "}} {
		b, n := valueAt(base, list.key), valueAt(now, list.key)
		bo, wasObject := b.Tree.(*schema.Object)
		no, isObject := n.Tree.(*schema.Object)
		if b.Present && !wasObject || n.Present && !isObject {
			if !same(b, n) {
				c.add(subject{title: "export", secret: true}, kindOfChange(b, n), schema.Path{schema.Key(list.key)}, b, n, true)
			}
			continue
		}
		for _, key := range weave(memberKeys(no), memberKeys(bo)) {
			o := subject{at: schema.Path{schema.Key(list.key), schema.Key(key)}, title: list.word + model.IDTitle(key)}
			c.beside(o, valueAt(bo, key), valueAt(no, key))
		}
	}
	return c.out
}

// beside reports what differs in one flow or connection.
func (c *changer) beside(o subject, b, n Value) {
	for _, v := range []Value{n, b} {
		if name := textOf(v.Tree, "name"); name != "" {
			o.title += " (" + cut(name) + ")"
			break
		}
	}
	bo, wasObject := b.Tree.(*schema.Object)
	no, isObject := n.Tree.(*schema.Object)
	if !wasObject || !isObject {
		if !same(b, n) {
			c.add(o, kindOfChange(b, n), nil, b, n, true)
		}
		return
	}
	for _, key := range weave(memberKeys(no), memberKeys(bo)) {
		o.secret = key != "name" && key != "id" && key != "app_id"
		c.value(o, schema.Path{schema.Key(key)}, schema.Any{}, valueAt(bo, key), valueAt(no, key))
	}
}
