package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/charset/charsettest"
)

// Every command reads a file as it was written, or refuses it with the words of the editor.
func TestCommandsReadFilesInOtherEncodings(t *testing.T) {
	dir := t.TempDir()
	form, sides := filepath.Join(dir, "a.json"), filepath.Join(dir, "a.scenarios.json")
	for _, c := range charsettest.Of(charsettest.Form, charsettest.Scenarios) {
		good := charsettest.Of(charsettest.Form)[0]
		write(t, form, string(good.File))
		file, commands := form, [][]string{{"validate", form}, {"fmt", form}, {"diff", form, os.DevNull}, {"diff", "--json", os.DevNull, form}, {"atlas", form}}
		if c.Kind == charsettest.Scenarios {
			file, commands = sides, [][]string{{"fmt", sides}, {"test", form}}
		}
		write(t, file, string(c.File))
		for _, args := range commands {
			code, out, errs := inTool(t, "", args...)
			if c.Refused != "" && (code == exitOK || !strings.Contains(out+errs, file) || !strings.Contains(out+errs, c.Refused)) {
				t.Errorf("%s: %q exits %d\n%s%s", c.Name, args, code, out, errs)
			}
			shows := args[0] != "validate" && args[0] != "atlas"
			if c.Refused == "" && (shows && !strings.Contains(out, c.Text) || strings.Contains(errs, "[syntax]")) {
				t.Errorf("%s: %q exits %d\n%s%s", c.Name, args, code, out, errs)
			}
		}
	}
}
