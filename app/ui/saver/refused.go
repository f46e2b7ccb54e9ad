package saver

import (
	"errors"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// refusedProblems returns the problems that the server found in what was saved, nil when the error names none. Their
// paths lead into the form as those of the editor's own problems do. What the server names in another way is a
// problem of the whole form that says where it is.
func refusedProblems(err error) schema.Problems {
	e, ok := errors.AsType[*client.Error](err)
	if !ok {
		return nil
	}
	var problems schema.Problems
	for _, p := range e.Problems {
		path, err := schema.ParsePath(p.Path)
		detail := p.Detail
		if err != nil {
			detail += ", at " + p.Path
		}
		problems = append(problems, schema.Problem{Path: path, Code: schema.Code(p.Code), Detail: detail, Offset: -1})
	}
	return problems
}
