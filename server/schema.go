package main

import (
	"context"
	"fmt"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

var schemaTool = tool{
	name: "schema", usage: []string{""},
	about: "Prints the JSON Schema (draft 2020-12) of the body of a PATCH. It accepts what\nvalidate --patch accepts.",
}

// printSchema prints the JSON Schema of the PATCH body on standard output. It takes no arguments: with any but --help it exits with 2.
func printSchema(_ context.Context, p process, args []string) int {
	if a, code := p.arguments(schemaTool, args); a == nil {
		return code
	}
	if len(args) > 0 {
		return p.fail(exitUnusable, fmt.Errorf("schema takes no arguments, got %s", args[0]))
	}
	if _, err := p.stdout.Write(schema.EncodeIndent(model.PatchSchema())); err != nil {
		return p.fail(exitUnusable, fmt.Errorf("write schema: %w", err))
	}
	return exitOK
}
