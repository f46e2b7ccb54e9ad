package saver

import (
	"errors"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// refusedProblems returns the problems that the server found in a save, nil if the error names none. Their paths are
// relative to the form, as in the editor's own problems. A problem with any other path is reported for the whole
// form, with the path in its text.
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
