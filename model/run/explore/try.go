package explore

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
)

// Tried is a variable that conditions read, with the values that a search tries for it.
type Tried struct {
	Namespace, Key string  // as in fields.age
	Values         []Value // the most ordinary first, without duplicates
}

// Value is a value of a variable, or that it has none.
type Value struct {
	Value    any  // a tree, which must not be changed
	Defined  bool // whether the variable has the value, and is not undefined
	Accepted bool // whether the field accepts it, or there is no field that could refuse it
}

// Trier chooses values for the variables of a form. It is safe for concurrent use.
type Trier struct{ owners owners }

// NewTrier returns the Trier of a form, in time linear in the form.
func NewTrier(f *model.Form) *Trier { return &Trier{ownersOf(f)} }

// Try returns the variables that conditions of the form read, in order, and values to try: those that the conditions name, values near
// those, and ordinary answers. There are at most 64 for each variable, so a variable that is compared with many lacks some.
func (t *Trier) Try(conditions []flow.Condition) []Tried {
	vs := &variables{by: map[[2]string]int{}, owners: [sides]owners{t.owners}}
	for _, c := range conditions {
		vs.condition(c)
	}
	vs.setDomains()
	list := make([]Tried, len(vs.list))
	for i, v := range vs.list {
		list[i] = Tried{Namespace: v.namespace, Key: v.key, Values: make([]Value, len(v.domain))}
		for j, c := range v.domain {
			list[i].Values[j] = Value{c.in[0].value, c.in[0].defined, c.in[0].accepted}
		}
	}
	return list
}
