package translate_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/translate"
	"github.com/formgraph/formgraph/model/charset/charsettest"
)

// Files in the encodings and shapes that spreadsheets and translators' programs write are read exactly, or refused with a sentence.
func TestFilesOfOtherPrograms(t *testing.T) {
	readers := map[charsettest.Kind]func([]byte) (*translate.File, error){
		charsettest.CSV: translate.ReadCSV, charsettest.XLIFF: translate.ReadXLIFF, charsettest.JSON: translate.ReadJSON,
	}
	for _, c := range charsettest.Of(charsettest.CSV, charsettest.XLIFF, charsettest.JSON) {
		file, err := readers[c.Kind](c.File)
		if err != nil {
			if c.Refused == "" || !strings.Contains(err.Error(), c.Refused) || !strings.HasPrefix(err.Error(), "line ") {
				t.Errorf("%s%s: %v, want %q", c.Name, c.Kind.Ending(), err, c.Refused)
			}
			continue
		}
		got := ""
		for _, tr := range file.Items[0].Translations {
			if tr.Language == "es" {
				got = tr.Text
			}
		}
		if c.Refused != "" || got != c.Text || file.Items[0].Key != charsettest.Key {
			t.Errorf("%s%s: reads %q, want %q %s", c.Name, c.Kind.Ending(), got, c.Text, c.Refused)
		}
	}
}
