package trial

import (
	"testing"

	"github.com/formgraph/formgraph/model"
)

// An answer stands behind the name of its field in plain words.
func TestAnswersInWords(t *testing.T) {
	for _, tt := range []struct {
		name  string
		given any
		want  string
	}{
		{"Age", "30", "Age: 30"}, {"Are you human?", true, "Are you human? yes"}, {"Terms:", false, "Terms: no"}, {"Parts", []any{"a"}, `Parts: ["a"]`},
	} {
		if got := asLabel(tt.name) + valueText(&model.Component{Type: "TEXT"}, tt.given); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
