package httpx

import (
	"os"
	"path/filepath"
	"testing"
)

// Forms such as the templates need no tree.
func TestFormsArePlain(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "templates", "files", "*[^s].json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no templates: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !plain(text) {
			t.Errorf("%s needs the tree", filepath.Base(name))
		}
	}
}
