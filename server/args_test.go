package main

import (
	"errors"
	"slices"
	"testing"
)

func TestArguments(t *testing.T) {
	for _, x := range []struct {
		name   string
		args   []string
		want   string // the error; "" for none
		flag   bool
		choice string
		files  []string
	}{
		{"a file", []string{"f"}, "", false, "text", []string{"f"}},
		{"options behind a file", []string{"f", "--on", "--format", "json"}, "", true, "json", []string{"f"}},
		{"a value with an equals sign", []string{"--format=json", "f"}, "", false, "json", []string{"f"}},
		{"an alias", []string{"--json", "f"}, "", false, "json", []string{"f"}},
		{"an alias that stands for nothing", []string{"--broken", "f"}, `t: --format must be one of text, json, is "xml"`, false, "text", nil},
		{"two values", []string{"--json", "--format=text", "f"}, "t takes one format, has json and text", false, "json", nil},
		{"one value twice", []string{"--json", "--format=json", "f"}, "", false, "json", []string{"f"}},
		{"standard input twice", []string{"-", "f", "-"}, "t: only one of the files can be standard input (-)", false, "text", []string{"-", "f", "-"}},
		{"behind two dashes", []string{"--on", "--", "--on", "--help", "--"}, "", true, "text", []string{"--on", "--help", "--"}},
		{"standard input", []string{"-"}, "", false, "text", []string{"-"}},
		{"a flag takes no value", []string{"--on=no", "f"}, "t has no option --on=no", false, "text", nil},
		{"an alias takes no value", []string{"--json=no", "f"}, "t has no option --json=no", false, "text", nil},
		{"no such option", []string{"--off=1", "f"}, "t has no option --off=1", false, "text", nil},
		{"no value", []string{"f", "--format"}, "t: --format needs a value: text, json", false, "text", []string{"f"}},
		{"another value", []string{"f", "--format="}, `t: --format must be one of text, json, is ""`, false, "text", []string{"f"}},
		{"no file", []string{"--on"}, "t needs at least one file; - is standard input", true, "text", nil},
		{"help before a fault", []string{"--help", "--off"}, "help", false, "text", nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			var on bool
			format := &choice{of: []string{"text", "json"}}
			a := arguments{
				tool: "t", some: true, flags: map[string]*bool{"--on": &on}, choices: map[string]*choice{"--format": format},
				alias: map[string][]string{"--json": {"--format=json"}, "--broken": {"--format=xml"}},
			}
			err := a.parse(x.args)
			if (err == nil) != (x.want == "") || err != nil && err.Error() != x.want || errors.Is(err, errHelp) != (x.want == "help") {
				t.Errorf("error: got %v, want %q", err, x.want)
			}
			if on != x.flag || format.value != x.choice || !slices.Equal(a.files, x.files) {
				t.Errorf("got %v, %q, %q", on, format.value, a.files)
			}
		})
	}
}

// A tool that need not have a file takes none in silence.
func TestArgumentsWithoutFiles(t *testing.T) {
	if err := (&arguments{tool: "t"}).parse(nil); err != nil {
		t.Error(err)
	}
}
