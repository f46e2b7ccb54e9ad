package config_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/server/config"
)

func TestArguments(t *testing.T) {
	table := []config.Option{
		{Name: "on", Kind: config.Switch, FlagOnly: true},
		{Name: "w", Kind: config.Switch, FlagOnly: true},
		{Name: "list", Kind: config.Text, Repeat: true, FlagOnly: true},
		{Name: "format", Kind: config.Choice, Choices: []string{"text", "json"}, Default: "text", FlagOnly: true},
		{Name: "json", Kind: config.Switch, Means: "format=json", FlagOnly: true},
	}
	for _, x := range []struct {
		name   string
		args   []string
		want   string // the error; "" for none
		on     bool
		format string
		words  []string
	}{
		{"nothing", nil, "", false, "text", nil},
		{"a file", []string{"f"}, "", false, "text", []string{"f"}},
		{"options behind a file", []string{"f", "--on", "--format", "json", "g"}, "", true, "json", []string{"f", "g"}},
		{"a value with an equals sign", []string{"--format=json", "f"}, "", false, "json", []string{"f"}},
		{"an option that means another", []string{"--json", "f"}, "", false, "json", []string{"f"}},
		{"two values", []string{"--json", "--format=text", "f"}, "--format: must be given once, has json and text", false, "", nil},
		{"two values, the other way", []string{"--format=text", "--json"}, "--format: must be given once, has text and json", false, "", nil},
		{"one value by two options", []string{"--format=json", "--json", "f"}, "", false, "json", []string{"f"}},
		{"behind two dashes", []string{"--on", "--", "--on", "--help", "--"}, "", true, "text", []string{"--on", "--help", "--"}},
		{"standard input", []string{"-", "--on"}, "", true, "text", []string{"-"}},
		{"a switch with a value", []string{"--on=no", "f"}, "--on: must be true or false", false, "", nil},
		{"an option that means another, with a value", []string{"--json=no", "f"}, "--json: must have no value", false, "", nil},
		{"no such option", []string{"--off=1", "f"}, "--off: is not an option", false, "", nil},
		{"no such short option", []string{"f", "-x"}, "-x: is not an option", false, "", nil},
		{"three dashes", []string{"f", "---on", "--on"}, "--on: is not an option", false, "", nil},
		{"no name", []string{"f", "--=on"}, "--: is not an option", false, "", nil},
		{"no value", []string{"f", "--format"}, "--format: must have a value", false, "", nil},
		{"another value", []string{"f", "--format="}, `--format: must be one of text, json, is ""`, false, "", nil},
		{
			"all faults",
			[]string{"--off", "1", "f", "-x", "--format=xml", "--list"},
			"--off: is not an option\n-x: is not an option\n--list: must have a value\n--format: must be one of text, json, is \"xml\"", false, "",
			nil,
		},
		{"help before a fault", []string{"--off", "f", "--help"}, config.ErrHelp.Error(), false, "", nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			a, err := config.LoadArguments(table, config.Input{Args: x.args})
			if (err == nil) != (x.want == "") || err != nil && err.Error() != x.want {
				t.Fatalf("error: got %v, want %q", err, x.want)
			}
			if err != nil {
				return
			}
			if a.On("on") != x.on || a.Text("format") != x.format || !slices.Equal(a.Words, x.words) {
				t.Errorf("got %v, %q, %q", a.On("on"), a.Text("format"), a.Words)
			}
		})
	}
	a, err := config.LoadArguments(table, config.Input{Args: []string{"--list", "a", "f", "-w", "--list=b,c"}})
	if err != nil || a.Text("list") != "a,b,c" || !a.On("w") || a.On("on") {
		t.Errorf("got %+v, %v", a, err)
	}
	if _, err := config.LoadArguments(table, config.Input{Args: []string{"--help", "--on=maybe"}}); !errors.Is(err, config.ErrHelp) {
		t.Errorf("got %v", err)
	}
}
