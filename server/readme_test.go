package main_test

import (
	"os"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/config"
)

// README's table must name every option with its environment name.
func TestReadmeListsOptions(t *testing.T) {
	b, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(b)
	for _, o := range config.Options() {
		if !strings.Contains(readme, "| `--"+o.Name) {
			t.Errorf("README does not list --%s", o.Name)
		}
		if !o.FlagOnly && !strings.Contains(readme, "`"+o.Env()+"`") {
			t.Errorf("README does not list %s", o.Env())
		}
	}
}
