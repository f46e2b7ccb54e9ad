package kit

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

func TestKeysLeadThroughAMenu(t *testing.T) {
	names := []string{"Import", "Export", "Export with flows", "Tidy up"}
	for _, tt := range []struct {
		at   int
		key  string
		want int
	}{
		{-1, "ArrowDown", 0},
		{3, "ArrowDown", 0},
		{0, "ArrowUp", 3},
		{-1, "ArrowUp", 3},
		{1, "ArrowRight", 2},
		{1, "ArrowLeft", 0},
		{2, "Home", 0},
		{0, "End", 3},
		{0, "e", 1},
		{1, "E", 2},
		{2, "e", 1},
		{0, "i", 0},
		{-1, "i", 0},
		{0, "x", -1},
		{0, " ", -1},
		{0, "Enter", -1},
	} {
		if got := step(names, tt.at, tt.key); got != tt.want {
			t.Errorf("%s at %d leads to %d, want %d", tt.key, tt.at, got, tt.want)
		}
	}
	if got := step(nil, -1, "ArrowDown"); got != -1 {
		t.Errorf("an empty menu leads to %d", got)
	}
}

func TestTreeDrawsNestedElements(t *testing.T) {
	got := app.HTMLString(Tree(`p.a.b title=% { @warn b hidden=true { % } i { em { % } % } * } `, []string{"a title", "x y", "in", "out"}, El("hr")))
	for _, want := range []string{`class="a b"`, `title="a title"`, "#i-warn", "x y", "<em>", "<hr"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s has no %s", got, want)
		}
	}
	if strings.Index(got, "</em>") > strings.Index(got, "out") || strings.Index(got, "</i>") > strings.Index(got, "<hr") {
		t.Errorf("draws %s", got)
	}
}
