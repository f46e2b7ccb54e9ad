package ui

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Icon names that are string literals in the code must exist.
var iconNames = regexp.MustCompile(`(?:Icon|Notice|banner)\("([a-z-]+)"|IconButton\("[a-z-]+", .*?, "([a-z-]+)",|[{ ]@([a-z-]+) `)

func TestNamedIconsExist(t *testing.T) {
	sheet, err := os.ReadFile(filepath.Join("..", "..", "web", "static", "icons.svg"))
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	err = filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range iconNames.FindAllStringSubmatch(string(text), -1) {
			named++
			if name := m[1] + m[2] + m[3]; strings.Count(string(sheet), `<symbol id="`+name+`"`) != 1 {
				t.Errorf("%s names the icon %q, which icons.svg does not have exactly once", path, name)
			}
		}
		return err
	})
	if err != nil || named < 30 {
		t.Errorf("%d names: %v", named, err)
	}
}
