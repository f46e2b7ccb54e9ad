// Package realforms gives tests the real forms, which are not ours to ship and so
// no part of the project. Only tests import it.
package realforms

import (
	"os"
	"path/filepath"
	"testing"
)

// File is a file with a form that somebody made, as a flat form, a response or an
// export.
type File struct {
	Name string // without its folder
	Path string
	Text []byte
}

// Files returns the files of the folder that FORMGRAPH_CORPUS names. Where it
// names none the test is skipped, as make test says; where there are none in it
// the test fails.
func Files(tb testing.TB) []File {
	tb.Helper()
	dir := os.Getenv("FORMGRAPH_CORPUS")
	if dir == "" {
		tb.Skip("no real forms: FORMGRAPH_CORPUS names no folder of them")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(paths) == 0 {
		tb.Fatalf("there are no real forms in %s (%v)", dir, err)
	}
	files := make([]File, len(paths))
	for i, p := range paths {
		text, err := os.ReadFile(p) //nolint:gosec // the folder is the caller's
		if err != nil {
			tb.Fatal(err)
		}
		files[i] = File{filepath.Base(p), p, text}
	}
	return files
}
