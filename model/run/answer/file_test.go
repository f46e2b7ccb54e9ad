package answer

import (
	"slices"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func TestSizeText(t *testing.T) {
	for bytes, want := range map[schema.Number]string{
		"1024": "1 KB", "1536": "1.5 KB", "1048575": "1023.9 KB", "1048576": "1 MB", "5242880": "5 MB", "1e400": "1e400 bytes",
	} {
		if got := SizeText(bytes); got != want {
			t.Errorf("%s bytes are %q, want %q", bytes, got, want)
		}
	}
}

func TestEveryKindOfFileIsKnown(t *testing.T) {
	row, _ := model.KindOf("FILE").Config.Row("categories")
	names := row.Spec.(schema.List).Item.(schema.Enum)
	for _, c := range categories {
		if !slices.Contains(names, c.name) || len(c.mediaTypes) == 0 || c.extensions == "" {
			t.Errorf("category %q", c.name)
		}
	}
	if len(categories) != len(names) {
		t.Errorf("%d categories, want %d", len(categories), len(names))
	}
}
