package saver

import (
	"errors"
	"strings"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// refusedProblems returns the problems that the server found in a save, nil if the error names none, and whether one of them is a pointer to
// a node that the tenant does not know. Their paths are relative to the form, as in the editor's own problems. A problem with any other path
// is reported for the whole form, with the path in its text.
func refusedProblems(err error) (problems schema.Problems, dangling bool) {
	e, ok := errors.AsType[*client.Error](err)
	if !ok {
		return nil, false
	}
	dangling = isDangling("", e.Detail)
	for _, p := range e.Problems {
		dangling = dangling || isDangling(p.Code, p.Detail)
		path, err := schema.ParsePath(p.Path)
		detail := strings.TrimSuffix(p.Detail, ".")
		if err != nil {
			detail += ", at " + p.Path
		}
		problems = append(problems, schema.Problem{Path: path, Code: schema.Code(p.Code), Detail: detail, Offset: -1})
	}
	return problems, dangling
}

// isDangling reports whether a problem is a pointer to a node that does not exist.
func isDangling(code, text string) bool {
	return code == string(schema.CodeUnknownNode) || strings.Contains(strings.ToLower(text), "unknown node")
}
