package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// API.md must name every command, every code of a problem in a form, and every code of the editor's backend.
func TestAPIPageListsCommandsAndCodes(t *testing.T) {
	b, err := os.ReadFile("API.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	want := append(codesOf(t, "../model/schema/problem.go"), codesOf(t, "httpx/problem.go")...)
	for _, c := range commands() {
		want = append(want, c.name)
	}
	for _, word := range want {
		if !strings.Contains(page, "`"+word+"`") && !strings.Contains(page, "`"+word+" ") {
			t.Errorf("API.md does not name %s", word)
		}
	}
}

// codesOf returns the values of the constants of type Code that a file declares.
func codesOf(t *testing.T, file string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if id, ok := spec.Type.(*ast.Ident); !ok || id.Name != "Code" {
			return true
		}
		for _, v := range spec.Values {
			if lit, ok := v.(*ast.BasicLit); ok {
				s, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, s)
			}
		}
		return true
	})
	if len(out) < 10 {
		t.Fatalf("%s: found %d codes", file, len(out))
	}
	return out
}
