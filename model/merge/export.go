package merge

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// ExportChanges returns the differences between two export envelopes outside their forms: in flows and connections, matched by their
// placeholders. Paths begin at the envelope. Each member of a flow or connection is compared as one value. String shows only names and ids,
// since other values may contain secrets.
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

// beside reports the differences in one flow or connection.
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
