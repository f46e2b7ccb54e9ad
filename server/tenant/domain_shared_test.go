package tenant_test

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"reflect"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant"
)

// A domain's view of the store is decided method by method. An embedded interface of the store would share whatever is added to it. Without
// one, the stores of domains do not compile until a new method is listed as shared or written.
func TestDomainsShareNothingByDefault(t *testing.T) {
	here := reflect.TypeFor[tenant.Config]().PkgPath()
	for _, s := range tenant.DomainStores() {
		for f := range s.Fields() {
			if f.Anonymous && f.Type.PkgPath() != here {
				t.Errorf("%s embeds %s, and shares its methods with every domain by default", s, f.Type)
			}
			if f.Type.Kind() == reflect.Interface && f.IsExported() {
				t.Errorf("%s shows %s past what it decides", s, f.Name)
			}
		}
	}
}

// Each method of the store is either listed as shared, by its own name, or written for domains, where it calls the method of
// its own name.
func TestDomainStoreDecidesEachMethod(t *testing.T) {
	decided := append(sharedMethods(t), writtenMethods(t)...)
	slices.Sort(decided)
	var want []string
	for m := range reflect.TypeFor[store.Tenant]().Methods() {
		want = append(want, m.Name)
	}
	if !slices.Equal(decided, want) {
		t.Errorf("decided once each: %v, want %v", decided, want)
	}
}

func parsed(t *testing.T, file string) []ast.Decl {
	t.Helper()
	f, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f.Decls
}

// sharedMethods returns the methods that the lists name, and fails for an interface that a list embeds.
func sharedMethods(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, d := range parsed(t, "domain_shared.go") {
		ast.Inspect(d, func(n ast.Node) bool {
			list, ok := n.(*ast.InterfaceType)
			if !ok {
				return true
			}
			for _, m := range list.Methods.List {
				if len(m.Names) == 0 {
					t.Errorf("a list of shared methods embeds %s, and shares whatever is added to it", m.Type)
					continue
				}
				names = append(names, m.Names[0].Name)
			}
			return false
		})
	}
	return names
}

// writtenMethods returns the methods that are written for domains.
func writtenMethods(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, d := range parsed(t, "domain_store.go") {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil || !f.Name.IsExported() {
			continue
		}
		names = append(names, f.Name.Name)
		calls := false
		ast.Inspect(f.Body, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			calls = calls || ok && s.Sel.Name == f.Name.Name
			return true
		})
		if !calls {
			t.Errorf("%s does not call %s of the store", f.Name, f.Name)
		}
	}
	return names
}
