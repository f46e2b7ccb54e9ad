package files_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/desk/files"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/model"
)

func TestFiles(t *testing.T) {
	for kind, want := range map[string][3]string{
		message.Picture: {"sign-up.svg", "image/svg+xml", "<svg "}, message.Bitmap: {"sign-up.png", "image/png", "<svg "},
		message.Document: {"sign-up.md", "text/markdown", "# Sign-up"},
	} {
		name, mime, text := files.Make(model.New("Sign-up"), kind)
		if name != want[0] || mime != want[1] || !strings.HasPrefix(text, want[2]) {
			t.Errorf("%s is %s, %s, %.20q", kind, name, mime, text)
		}
	}
	if name, _, _ := files.Make(model.New("日本"), message.Picture); name != "form.svg" {
		t.Errorf("a name without plain letters gives %s", name)
	}
}
