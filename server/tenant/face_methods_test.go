package tenant_test

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"reflect"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/server/tenant"
)

// What a face sees of the store is decided method by method. An embedded interface would share whatever is added
// to it; without one, rows does not compile until a new method is written.
func TestFacesShareNothingByDefault(t *testing.T) {
	own := tenant.RowTypes()
	for _, r := range own {
		for f := range r.Fields() {
			if f.Anonymous && !slices.Contains(own, f.Type) {
				t.Errorf("%s embeds %s, and shares its methods with every face by default", r, f.Type)
			}
			if f.Type.Kind() == reflect.Interface && f.IsExported() {
				t.Errorf("%s shows %s past what it decides", r, f.Name)
			}
		}
	}
}

// A method that shares a row passes its call on to the method of its own name.
func TestFacesPassOnTheirOwnMethod(t *testing.T) {
	passed := 0
	for _, file := range []string{"face_inside.go", "face_rows.go"} {
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !f.Name.IsExported() {
				continue
			}
			named := false
			ast.Inspect(f.Body, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				named = named || ok && s.Sel.Name == f.Name.Name
				return true
			})
			if passed++; !named {
				t.Errorf("%s: %s does not call %s of the store", file, f.Name, f.Name)
			}
		}
	}
	if passed < 90 {
		t.Errorf("looked at %d methods, want all of the store's", passed)
	}
}
