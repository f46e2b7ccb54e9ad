package main_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/formgraph/formgraph"

var update = flag.Bool("update", false, "write the rules of the lint from the table of layers")

// A section is a part of the table of layers, and a rule of depguard.
type section struct {
	name, why string
	rows      []row
}

// A row says what packages may import.
type row struct{ packages, may string }

// packages returns the packages that the rows of the section name, sorted.
func (s section) packages() []string {
	var names []string
	for _, r := range s.rows {
		names = append(names, strings.Fields(r.packages)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestLayers(t *testing.T) {
	imports := readImports(t)
	used := map[string]bool{} // by row and permission
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		rows := rowsOf(pkg)
		if len(rows) == 0 {
			t.Errorf("%s has no row in layers_test.go", pkg)
			continue
		}
		for _, imp := range imports[pkg] {
			if !ruled(imp) {
				continue
			}
			allowed := false
			for _, r := range rows {
				for may := range strings.FieldsSeq(r.may) {
					if permits(may, imp) {
						used[r.packages+": "+may], allowed = true, true
					}
				}
			}
			if !allowed {
				t.Errorf("%s imports %s, which its rows in layers_test.go do not allow", pkg, imp)
			}
			if isKit(imp) && !isKit(pkg) {
				t.Errorf("%s imports %s, which is for tests", pkg, imp)
			}
		}
	}
	for _, s := range layers {
		for _, r := range s.rows {
			for name := range strings.FieldsSeq(r.packages) {
				if imports[name] == nil {
					t.Errorf("layers_test.go names %s, and there is no such package", name)
				}
			}
			for may := range strings.FieldsSeq(r.may) {
				if !used[r.packages+": "+may] {
					t.Errorf("the row of %s allows %s, which none of them imports", strings.Fields(r.packages)[0], may)
				}
			}
		}
	}
}

func TestLayersNeverReach(t *testing.T) {
	imports := readImports(t)
	for _, n := range never {
		for what := range strings.FieldsSeq(n.what) {
			var shortest []string // the chain nearest to the mistake
			for _, s := range layers {
				if !slices.Contains(strings.Fields(n.sections), s.name) {
					continue
				}
				for _, pkg := range s.packages() {
					if c := find(imports, pkg, what, map[string]bool{}); c != nil && (shortest == nil || len(c) < len(shortest)) {
						shortest = c
					}
				}
			}
			if shortest != nil {
				t.Errorf("%s must not reach %s: %s\n\t%s", shortest[0], what, n.why, strings.Join(shortest, "\n\t-> "))
			}
		}
	}
}

// The lint's rules are coarser than the table: one for each section. They show a
// mistake in an editor; the tests above have the last word.
func TestLayersOfLint(t *testing.T) {
	const file, begin, end = "../.golangci.yml", "      rules: # from server/layers_test.go: go test ./server -run Layers -update\n", "    exhaustive:\n"
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := bytes.Cut(old, []byte(begin))
	_, tail, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		t.Fatalf("%s lacks the line %q or %q", file, begin, end)
	}
	now := slices.Concat(head, []byte(begin), depguard(slices.Sorted(maps.Keys(readImports(t)))), []byte(end), tail)
	if bytes.Equal(old, now) {
		return
	}
	if !*update {
		t.Errorf("the rules of depguard differ from the table of layers; go test ./server -run Layers -update writes them")
	} else if err := os.WriteFile(file, now, 0o644); err != nil {
		t.Fatal(err)
	}
}

// depguard returns a rule for each section of the table. It allows a section its own
// packages, too, since folders are shorter than lists of packages.
func depguard(all []string) []byte {
	all = slices.DeleteFunc(all, isKit)
	var b bytes.Buffer
	for _, s := range layers {
		own := slices.DeleteFunc(s.packages(), isKit)
		if len(own) == 1 || s.name == "kits" {
			continue
		}
		var mays []string
		for _, r := range s.rows {
			mays = append(mays, strings.Fields(r.may)...)
		}
		may := slices.DeleteFunc(slices.Clone(all), func(pkg string) bool {
			return !slices.Contains(own, pkg) && !slices.ContainsFunc(mays, func(may string) bool { return permits(may, pkg) })
		})
		allow := []string{"$gostd"}
		for _, name := range fold(may, all) {
			if dir, ok := strings.CutSuffix(name, "/..."); ok {
				allow = append(allow, module+"/"+dir)
			} else {
				allow = append(allow, module+"/"+name+"$")
			}
		}
		for _, short := range slices.Sorted(maps.Keys(libraries)) {
			if slices.Contains(mays, short) {
				allow = append(allow, libraries[short])
			}
		}
		var files, deny []string
		for _, name := range fold(own, all) {
			if dir, ok := strings.CutSuffix(name, "/..."); ok {
				name = dir + "/**"
			} else {
				name += "/*.go"
			}
			files = append(files, `"**/`+name+`"`)
		}
		for _, g := range guarded {
			if !slices.Contains(mays, g) {
				deny = append(deny, "{pkg: "+g+", desc: see server/layers_test.go}")
			}
		}
		fmt.Fprintf(&b, `        %s: # %s
          files: [%s, "!**/*test/*.go", "!**/realforms/*.go", "!$test"]
          list-mode: strict
          allow: [%s]
          deny: [%s]
`, s.name, s.why, strings.Join(files, ", "), strings.Join(allow, ", "), strings.Join(deny, ", "))
	}
	return b.Bytes()
}

// fold puts "p/..." in the place of p and the packages below it if names has all of
// these.
func fold(names, all []string) []string {
	var folded []string
	for _, name := range names {
		whole := func(dir string) bool {
			return !slices.ContainsFunc(all, func(pkg string) bool { return under(pkg, dir) && !slices.Contains(names, pkg) })
		}
		if whole(name) {
			for dir := path.Dir(name); dir != "." && whole(dir); dir = path.Dir(dir) {
				name = dir
			}
			name += "/..."
		}
		folded = append(folded, name)
	}
	return slices.Compact(folded)
}

// The browser's program doubles when it links the handler of go-app, which is a server.
func TestBrowserLinksNoHandler(t *testing.T) {
	walk(t, func(_, name string, src []byte) {
		if bytes.Contains(src, []byte(libraries["go-app"])) && bytes.Contains(src, []byte("app.Handler")) {
			t.Errorf("%s uses app.Handler", name)
		}
	})
}

// rowsOf returns the rows that name a package.
func rowsOf(pkg string) []row {
	var rows []row
	for _, s := range layers {
		for _, r := range s.rows {
			if slices.Contains(strings.Fields(r.packages), pkg) {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// ruled reports whether a package may be imported only by those whose row says so.
func ruled(imp string) bool {
	first, _, _ := strings.Cut(imp, "/")
	return slices.Contains(tops, first) || strings.Contains(first, ".") || slices.ContainsFunc(guarded, func(g string) bool { return under(imp, g) })
}

// permits reports whether a name of the table covers a package.
func permits(may, imp string) bool {
	if all, ok := strings.CutSuffix(may, "/..."); ok {
		return under(imp, all) && !isKit(imp)
	}
	if library, ok := libraries[may]; ok {
		return under(imp, library)
	}
	if first, _, _ := strings.Cut(may, "/"); slices.Contains(tops, first) {
		return imp == may
	}
	return under(imp, may)
}

// isKit reports whether a package is for tests only.
func isKit(pkg string) bool { return strings.HasSuffix(pkg, "test") || pkg == "model/realforms" }

// tops are the folders with the packages of this module.
var tops = []string{"app", "model", "server", "web"}

// readImports maps each package of the module, by its path in the module, to its
// imports, for every system it builds for. It reads the sources, so the test's
// cache notices a change.
func readImports(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	walk(t, func(pkg, name string, src []byte) {
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		if imports[pkg] == nil {
			imports[pkg] = []string{}
		}
		for _, spec := range f.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			imports[pkg] = append(imports[pkg], strings.TrimPrefix(p, module+"/"))
		}
	})
	return imports
}

// walk calls visit for each file of the module that is not a test.
func walk(t *testing.T, visit func(pkg, name string, src []byte)) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, top := range tops {
		err := filepath.WalkDir(filepath.Join(root, top), func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil || d.Name() == "testdata" {
					return filepath.SkipDir // another module, or not compiled
				}
				return nil
			}
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			visit(path.Dir(filepath.ToSlash(rel)), filepath.ToSlash(rel), src)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// find returns the chain of imports from pkg to bad, or nil.
func find(imports map[string][]string, pkg, bad string, seen map[string]bool) []string {
	if seen[pkg] {
		return nil
	}
	seen[pkg] = true
	for _, imp := range imports[pkg] {
		if permits(bad, imp) && !permits(bad, pkg) {
			return []string{pkg, imp}
		}
		if chain := find(imports, imp, bad, seen); chain != nil {
			return append([]string{pkg}, chain...)
		}
	}
	return nil
}

// under reports whether a package is root or below it.
func under(pkg, root string) bool { return pkg == root || strings.HasPrefix(pkg, root+"/") }
