package password_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/password"
)

// The least length counts characters and the greatest bytes.
func TestCheck(t *testing.T) {
	for _, x := range []struct {
		password string
		kind     error
		text     string
	}{
		{"", password.ErrShort, "must be at least 8 characters, is 0"},
		{"1234567", password.ErrShort, "must be at least 8 characters, is 7"},
		{"ééééééé", password.ErrShort, "must be at least 8 characters, is 7"},
		{"12345678", nil, ""},
		{"éééééééé", nil, ""},
		{strings.Repeat("x", 1024), nil, ""},
		{strings.Repeat("é", 512), nil, ""},
		{strings.Repeat("x", 1025), password.ErrLong, "must be at most 1024 bytes, is 1025"},
		{strings.Repeat("é", 600), password.ErrLong, "must be at most 1024 bytes, is 1200"},
	} {
		err := password.Check(x.password)
		if !errors.Is(err, x.kind) || err != nil && err.Error() != x.text {
			t.Errorf("Check(%.10q, %d bytes) = %v, want %q", x.password, len(x.password), err, x.text)
		}
		most := password.CheckMax(x.password)
		if errors.Is(most, password.ErrLong) != errors.Is(x.kind, password.ErrLong) || errors.Is(most, password.ErrShort) {
			t.Errorf("CheckMax(%.10q, %d bytes) = %v", x.password, len(x.password), most)
		}
	}
}
