package formapi_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/client/formapi"
)

func TestAuthors(t *testing.T) {
	for _, tt := range []struct{ of, first, all string }{
		{"", "", ""},
		{"Ana", "Ana", "Ana"},
		{"Ana with Bo", "Ana", "Ana and Bo"},
		{"Ana with Bo and Cy", "Ana", "Ana, Bo and Cy"},
		{"Ana with 3 others", "Ana", "Ana and 3 others"},
	} {
		if first, all := formapi.FirstAuthor(tt.of), formapi.Authors(tt.of); first != tt.first || all != tt.all {
			t.Errorf("%q: %q, %q", tt.of, first, all)
		}
	}
}
