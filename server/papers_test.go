package main_test

import (
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"testing"
)

// The first sentence of a package's comment is its line in the map of the packages
// (make map): it says what the package does, and no more.
func TestPackagesSayWhatTheyDo(t *testing.T) {
	const longest = 140
	said := map[string]string{}
	walk(t, func(pkg, name string, src []byte) {
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if s := new(doc.Package).Synopsis(f.Doc.Text()); s != "" && said[pkg] != "" {
			t.Errorf("%s has two comments about the package", pkg)
		} else if said[pkg] += s; len(s) > longest {
			t.Errorf("the first sentence about %s has %d bytes, more than %d: %s", pkg, len(s), longest, s)
		}
	})
	for _, pkg := range slices.Sorted(maps.Keys(said)) {
		if said[pkg] == "" {
			t.Errorf("%s has no comment that says what it does", pkg)
		}
	}
}

// What is true of one package is said there, so the page about the whole stays short.
func TestContributingIsShort(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 8000 {
		t.Errorf("CONTRIBUTING.md has %d bytes, more than 8000", len(text))
	}
}
