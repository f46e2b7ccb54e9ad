package together

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/live"
	"github.com/formgraph/formgraph/model/schema"
)

// Tree returns the request as an object that ReadRequest reads.
func (q Request) Tree() *schema.Object {
	o := schema.NewObject(schema.Member{Key: "want", Value: schema.IntNumber(int(q.Want))}, schema.Member{Key: "room", Value: q.Room},
		schema.Member{Key: "after", Value: schema.IntNumber(q.Number)}, schema.Member{Key: "etag", Value: q.ETag})
	switch q.Want {
	case Open:
		return o.With("saved", live.Content(q.Saved.Tree()))
	case Tell:
		return o.With("entry", q.Entry.Tree())
	case Nothing, Read:
	}
	return o
}

// ReadRequest returns the request in an object.
func ReadRequest(o *schema.Object) (Request, error) {
	q := Request{Want: Want(number(o, "want")), Room: o.Text("room"), Number: number(o, "after"), ETag: o.Text("etag")}
	if saved := o.Object("saved"); saved != nil {
		q.Saved = model.FromTree(saved)
	}
	v, ok := o.Get("entry")
	if !ok {
		return q, nil
	}
	var err error
	q.Entry, err = live.ReadEntry(v)
	return q, err
}

func number(o *schema.Object, key string) int {
	v, _ := o.Get(key)
	n, _ := v.(schema.Number)
	i, _ := n.Int()
	return i
}

// Tree returns the part as an object that ReadPart reads.
func (p Part) Tree() *schema.Object {
	if p.Closed {
		return schema.NewObject(schema.Member{Key: "closed", Value: true})
	}
	o := schema.NewObject(schema.Member{Key: "room", Value: p.Room}, schema.Member{Key: "number", Value: schema.IntNumber(p.Number)},
		schema.Member{Key: "etag", Value: p.ETag})
	if p.Form != nil {
		people := make([]any, len(p.People))
		for i, name := range p.People {
			people[i] = name
		}
		return o.With("form", p.Form).With("people", people)
	}
	entries := make([]any, len(p.Entries))
	for i, e := range p.Entries {
		entries[i] = e.Tree()
	}
	return o.With("entries", entries)
}

// ReadPart returns the part in an object, such as an answer of the server.
func ReadPart(o *schema.Object) (Part, error) {
	p := Part{Room: o.Text("room"), Number: number(o, "number"), ETag: o.Text("etag"), Form: o.Object("form"), Closed: on(o, "closed")}
	for _, v := range o.List("people") {
		if name, ok := v.(string); ok {
			p.People = append(p.People, name)
		}
	}
	for _, v := range o.List("entries") {
		e, err := live.ReadEntry(v)
		if err != nil {
			return p, err
		}
		p.Entries = append(p.Entries, e)
	}
	return p, nil
}
