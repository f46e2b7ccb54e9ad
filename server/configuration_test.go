package main_test

import (
	"os"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/config"
)

// CONFIGURATION.md must describe every option as --help does, with its environment variable.
func TestConfigurationListsOptions(t *testing.T) {
	b, err := os.ReadFile("CONFIGURATION.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "| `--"); ok {
			name, _, _ := strings.Cut(rest, "`")
			name, _, _ = strings.Cut(name, " ")
			rows[name] += line
		}
	}
	for _, o := range config.Options() {
		row, ok := rows[o.Name]
		if !ok {
			t.Errorf("CONFIGURATION.md does not list --%s", o.Name)
			continue
		}
		delete(rows, o.Name)
		if !o.FlagOnly && !strings.Contains(row, "`"+o.Env()+"`") {
			t.Errorf("--%s: the row does not name %s", o.Name, o.Env())
		}
		if !strings.Contains(row, "| "+o.Help) {
			t.Errorf("--%s: the row does not say %q", o.Name, o.Help)
		}
	}
	for name := range rows {
		t.Errorf("CONFIGURATION.md lists --%s, which does not exist", name)
	}
}
