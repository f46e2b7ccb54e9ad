package charset_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/charset"
	"github.com/formgraph/formgraph/model/charset/charsettest"
)

// No file becomes a text with a character that the file does not have, and no refusal is silent about the remedy.
func TestReadsExactlyOrRefuses(t *testing.T) {
	for _, c := range charsettest.Of(charsettest.CSV, charsettest.XLIFF) {
		read := charset.Text
		if c.Kind == charsettest.XLIFF {
			read = charset.XML
		}
		text, err := read(c.File)
		switch {
		case err != nil && (c.Refused == "" || !strings.Contains(err.Error(), c.Refused) || !strings.Contains(err.Error(), "save the file as UTF-8")):
			t.Errorf("%s: refused: %v", c.Name, err)
		case err == nil && (!utf8.ValidString(text) || strings.ContainsRune(text, '\ufffd') || strings.HasPrefix(text, "\ufeff")):
			t.Errorf("%s: reads %q", c.Name, text)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, c := range charsettest.Of(charsettest.CSV, charsettest.XLIFF) {
		f.Add(c.File)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, read := range []func([]byte) (string, error){charset.Text, charset.XML} {
			if text, err := read(src); err == nil && !utf8.ValidString(text) || err != nil && !strings.HasPrefix(err.Error(), "line ") {
				t.Errorf("reads %q, %v", text, err)
			}
		}
		if utf8.Valid(src) && !strings.Contains(string(src), "\x00") {
			if text, err := charset.Text(src); err != nil || text != strings.TrimPrefix(string(src), "\ufeff") {
				t.Errorf("UTF-8 becomes %q, %v", text, err)
			}
		}
	})
}
