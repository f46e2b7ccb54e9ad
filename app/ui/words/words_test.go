package words_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/ui/words"
)

// A language has every text, and each of its texts that counts takes one number.
func TestWordsAreWhole(t *testing.T) {
	var whole func(name string, v reflect.Value)
	whole = func(name string, v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if strings.TrimSpace(v.String()) == "" {
				t.Errorf("%s has no text", name)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				whole(name+"."+v.Type().Field(i).Name, v.Field(i))
			}
			if p, ok := reflect.TypeAssert[words.Plural](v); ok && (strings.Count(p.Many, "%d") != 1 || strings.Contains(p.One, "%")) {
				t.Errorf("%s counts as %q and %q", name, p.One, p.Many)
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				whole(name+"."+strconv.Itoa(i), v.Index(i))
			}
		default:
			t.Errorf("%s is no text", name)
		}
	}
	whole("english", reflect.ValueOf(*words.T))
}

// notWords are texts that are no words of a language: the names on keys, and what
// the browser calls its things.
var notWords = regexp.MustCompile(`^(Ctrl|Shift|Alt)( |$)|^(Arrow|Page)(Up|Down|Left|Right)$|^(Enter|Escape|Tab|Home|End|Delete|Backspace|Blob|AbortController|ResizeObserver)$`)

// Texts of the screen are in the table of words: a literal that reads like one was
// forgotten. Every text is used.
func TestWordsAreInTheTable(t *testing.T) {
	var files []string
	for _, folder := range []string{"..", "../kit", "../account", "../admin", "../signout"} {
		list, err := filepath.Glob(folder + "/*.go")
		if err != nil || len(list) == 0 {
			t.Fatalf("%d files in %s, %v", len(list), folder, err)
		}
		files = append(files, list...)
	}
	used := map[string]bool{}
	said := regexp.MustCompile(`^[A-Z“][a-z]+.*\s|^[A-Z][a-z]+$|^ ?[a-z]+( [a-z%]+){2,}[.:]?$| [a-z]+\.$`)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				used[n.Sel.Name] = true
			case *ast.BasicLit:
				text, err := strconv.Unquote(n.Value)
				if n.Kind == token.STRING && err == nil && said.MatchString(text) && !notWords.MatchString(text) {
					t.Errorf("%s: %q is not in the table of words", fset.Position(n.Pos()), text)
				}
			}
			return true
		})
	}
	var unsaid func(of reflect.Type)
	unsaid = func(of reflect.Type) {
		for field := range of.Fields() {
			if !used[field.Name] {
				t.Errorf("nothing says %s of %s", field.Name, of)
			}
			if field.Type.Kind() == reflect.Struct && field.Type.PkgPath() == of.PkgPath() && field.Type != reflect.TypeFor[words.Plural]() {
				unsaid(field.Type)
			}
		}
	}
	unsaid(reflect.TypeFor[words.Words]())
}

func TestSeveral(t *testing.T) {
	for n, want := range map[int]string{0: "0 problems", 1: "1 problem", 12: "12 problems"} {
		if got := words.Several(n, words.T.ProblemCount); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
