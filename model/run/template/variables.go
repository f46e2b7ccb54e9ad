package template

import "github.com/formgraph/formgraph/model/schema"

// Variable is a value from outside that an expression reads.
type Variable struct {
	Namespace string
	Path      schema.Path
	// Fallback reports whether the variable is in an operand of ?? that another one follows, so that the template may have a value without
	// it. An element of an array has no fallback: an undefined one becomes null, and the array is defined.
	Fallback bool
}

// Variables returns the variables that the template reads, in order and with repetitions.
func (t *Template) Variables() []Variable {
	var found []Variable
	for _, p := range t.parts {
		walk(p.expr, false, func(e expr, fallback bool) {
			if r, ok := e.(reference); ok {
				found = append(found, Variable{r.namespace, r.path, fallback})
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
	return Variable{Namespace: r.namespace, Path: r.path}, ok
}

// Calls reports whether the template calls a function.
func (t *Template) Calls() bool {
	calls := false
	for _, p := range t.parts {
		walk(p.expr, false, func(e expr, _ bool) {
			_, ok := e.(call)
			calls = calls || ok
		})
	}
	return calls
}

// walk calls do with an expression and all inside it, and whether each has a fallback; see Variable. nil has none.
func walk(e expr, fallback bool, do func(e expr, fallback bool)) {
	if e == nil {
		return
	}
	do(e, fallback)
	switch e := e.(type) {
	case array:
		for _, of := range e {
			walk(of, false, do)
		}
	case coalesce:
		for i, of := range e {
			walk(of, fallback || i < len(e)-1, do)
		}
	case call:
		for _, arg := range e.args {
			walk(arg, fallback, do)
		}
	case translation:
		walk(e.key, fallback, do)
	case property:
		walk(e.of, fallback, do)
	}
}

// Messages returns the keys of the custom messages that the template looks up with t, in order and with repetitions. Keys that are computed
// are left out.
func (t *Template) Messages() []string {
	var keys []string
	for _, p := range t.parts {
		walk(p.expr, false, func(e expr, _ bool) {
			if m, ok := e.(translation); ok {
				if key, ok := m.key.(constant); ok {
					if s, ok := key.value.(string); ok {
						keys = append(keys, s)
					}
				}
			}
		})
	}
	return keys
}
