package template

import "github.com/formgraph/formgraph/model/schema"

// Variable is a value from outside that an expression reads.
type Variable struct {
	Namespace string
	Path      schema.Path
}

// Variables returns the variables that the template reads, in order and with repetitions.
func (t *Template) Variables() []Variable {
	var found []Variable
	for _, p := range t.parts {
		walk(p.expr, func(e expr) {
			if r, ok := e.(reference); ok {
				found = append(found, Variable{r.namespace, r.path})
			}
		})
	}
	return found
}

// Single returns the variable that the whole template is, or false if it is anything else.
func (t *Template) Single() (Variable, bool) {
	if len(t.parts) != 1 {
		return Variable{}, false
	}
	r, ok := t.parts[0].expr.(reference)
	return Variable{r.namespace, r.path}, ok
}

// Calls reports whether the template calls a function.
func (t *Template) Calls() bool {
	calls := false
	for _, p := range t.parts {
		walk(p.expr, func(e expr) {
			_, ok := e.(call)
			calls = calls || ok
		})
	}
	return calls
}

// walk calls do with an expression and all inside it. nil has none.
func walk(e expr, do func(expr)) {
	if e == nil {
		return
	}
	do(e)
	switch e := e.(type) {
	case array:
		for _, of := range e {
			walk(of, do)
		}
	case coalesce:
		for _, of := range e {
			walk(of, do)
		}
	case call:
		for _, arg := range e.args {
			walk(arg, do)
		}
	case translation:
		walk(e.key, do)
	case property:
		walk(e.of, do)
	}
}
