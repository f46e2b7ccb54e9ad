package saver

import (
	"errors"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// refusedProblems returns the problems that the server found in a form that was sent, nil if the error names none, and whether one of them
// is a pointer to a node that the tenant does not know. Their paths are relative to the form, as in the editor's own problems. Tenants write
// paths in several ways, and some only in their words. A problem whose place is not found is reported for the whole form, with the path in
// its text.
func refusedProblems(err error, sent *model.Form) (problems schema.Problems, dangling bool) {
	e, ok := errors.AsType[*client.Error](err)
	if !ok {
		return nil, false
	}
	refused := e.Problems
	if len(refused) == 0 && e.Status == 400 {
		refused = []client.Problem{{Detail: e.Detail}}
		if placeIn(sent, e.Detail) == nil {
			refused[0].Detail = "" // the message is enough
		}
	}
	dangling = isDangling("", e.Detail)
	for _, p := range refused {
		dangling = dangling || isDangling(p.Code, p.Detail)
		path, detail := placeIn(sent, p.Path), p.Detail
		switch {
		case path == nil && p.Path != "":
			if whole, err := schema.ParsePath(p.Path); err == nil {
				path = whole
			} else {
				detail += ", at " + p.Path
			}
		case path == nil:
			path = placeIn(sent, p.Detail)
		}
		if detail != "" {
			problems = append(problems, schema.Problem{
				Path: path, Code: schema.Code(p.Code), Detail: strings.TrimSuffix(detail, "."), Offset: -1,
			})
		}
	}
	return problems, dangling
}

// isDangling reports whether a problem is a pointer to a node that does not exist.
func isDangling(code, text string) bool {
	return code == string(schema.CodeUnknownNode) || strings.Contains(strings.ToLower(text), "unknown node")
}

// placeIn returns the first place of a form that a text names: as nodes[0].config.x, nodes.0.config.x or /nodes/0/config/x. It is nil if
// there is none. The name of a property of the form alone counts only if it is the whole text, since it may be a word of a sentence.
func placeIn(f *model.Form, text string) schema.Path {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n,;()'\"`“”", r) }) {
		path := pathOf(strings.Trim(word, ".:!?"))
		if len(path) == 0 || len(path) == 1 && word != text {
			continue
		}
		if _, ours := model.ContentTable().Row(path[0].Key); !ours {
			continue
		}
		// The property itself may be what is missing.
		if _, ok := schema.Lookup(f.Tree(), path[:max(1, len(path)-1)]); ok || len(path) == 1 {
			return path
		}
	}
	return nil
}

// pathOf parses a path in any of the notations of placeIn, nil for another text.
func pathOf(text string) schema.Path {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "/"), "/", ".")
	steps := strings.Split(text, ".")
	text = steps[0]
	for _, step := range steps[1:] {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 {
			text += "[" + step + "]"
		} else {
			text += "." + step
		}
	}
	path, err := schema.ParsePath(text)
	if err != nil {
		return nil
	}
	return path
}
