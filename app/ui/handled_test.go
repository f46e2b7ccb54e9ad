package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/command"
)

var dataAct = regexp.MustCompile(`data-act=([a-z-]+)`)

// The act of every drawn control is a command or a case in the handler of its page.
func TestEachDrawnActIsHandled(t *testing.T) {
	pages := map[string]string{"account": "account", "admin": "admin", "forms": "forms"} // the other packages belong to the editor's page
	drawn, handled := map[string]map[string]string{}, map[string]map[string]bool{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		page := pages[filepath.Dir(path)]
		if drawn[page] == nil {
			drawn[page], handled[page] = map[string]string{}, map[string]bool{}
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CaseClause:
				for _, e := range n.List {
					handled[page][text(e)] = true
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "TextButton" || f.Sel.Name == "IconButton") {
					drawn[page][text(n.Args[0])] = path
				}
			case *ast.BasicLit:
				for _, act := range dataAct.FindAllStringSubmatch(text(n), -1) {
					drawn[page][act[1]] = path
				}
			}
			return true
		})
		return nil
	})
	if err != nil || len(drawn) != len(pages)+1 {
		t.Fatalf("%d pages, %v", len(drawn), err)
	}
	for page, acts := range drawn {
		if len(acts) < 5 {
			t.Errorf("page %q draws only %v", page, acts)
		}
		for act, path := range acts {
			if act != "" && command.Of(command.ID(act)) == nil && !handled[page][act] && !handled[""][act] {
				t.Errorf("%s draws the act %q, which nothing handles", path, act)
			}
		}
	}
}

// text returns the value of a string literal, and "" for any other expression.
func text(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	s, _ := strconv.Unquote(lit.Value)
	return s
}
