package command_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model/formtest"
)

// The menu has the commands about what is selected, and none that does not apply.
func TestMenuOfTheSelection(t *testing.T) {
	f := formtest.Parse(t, `{"id":"ap_test","name":"x","nodes":[{"id":"s","type":"STEP","config":{"next_node":"r","components":[
{"id":"c","category":"FIELD","type":"TEXT"},{"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{}}]}},
{"id":"r","type":"ROUTER","config":{"rules":[{"id":"one"}]}}]}`)
	menu := func(sel editor.Selection, readOnly bool) (text string) {
		for i, group := range command.MenuOf(command.Context{State: editor.State{Form: f, Selection: sel}, ReadOnly: readOnly}) {
			if i > 0 {
				text += " |"
			}
			for _, l := range group {
				text += strings.TrimRight(" "+string(l.ID), " ")
				if l.Arg != "" {
					text += ":" + l.Arg
				}
			}
		}
		return text
	}
	part := func(node, component, rule string) editor.Selection {
		return editor.Selection{Nodes: []string{node}, Component: component, Rule: rule}
	}
	for _, tt := range []struct {
		name     string
		sel      editor.Selection
		readOnly bool
		want     string
	}{
		{"component", part("s", "c", ""), false, " edit edit-label:style comment | duplicate copy cut | move-up move-down move-to | delete"},
		{"jump button", part("s", "j", ""), false, " edit edit-label:style comment | connect-to duplicate copy cut | move-up move-down move-to | delete"},
		{"several components", part("s", "", "").TogglePart("c").TogglePart("j"), false, " duplicate copy cut | move-up move-down | delete"},
		{"rule", part("r", "", "one"), false, " edit edit-label | connect-to duplicate copy cut | move-up move-down | delete"},
		{"edge", editor.Selection{Edge: &editor.EdgeRef{From: "s", Port: "next"}}, false, " menu connect-to | delete"},
		{"start", editor.SelectNodes("$start"), false, " preview-here comment | menu connect-to | select-downstream fit-selection"},
		{"ending", editor.SelectNodes("$ending"), false, " comment | select-upstream fit-selection"},
		{
			"step", editor.SelectNodes("s"), false,
			" edit preview-here comment | menu connect-to | duplicate copy cut paste |:select | delete delete-alone",
		},
		{"read only", editor.SelectNodes("s"), true, " preview-here comment | copy |:select"},
		{
			"two nodes", editor.SelectNodes("s", "r"), false, " duplicate copy cut |:arrange fit-selection | delete delete-alone",
		},
		{
			"nothing",
			editor.Selection{},
			false,
			" add-step:here add-router:here add-flow:here add-note:here | paste:here select-all | tidy fit zoom-reset",
		},
		{"nothing, read only", editor.Selection{}, true, " select-all | fit zoom-reset"},
	} {
		got := menu(tt.sel, tt.readOnly)
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
		if n := len(strings.Fields(strings.ReplaceAll(got, "|", ""))); n > 12 {
			t.Errorf("%s: the menu has %d lines, more than one takes in at a glance", tt.name, n)
		}
	}
	styled := command.Context{State: editor.State{Form: f, Selection: part("s", "c", "")}}
	if sub := command.SubmenuOf(styled, "style"); len(sub) != 2 || len(sub[1]) != 1 {
		t.Errorf("without a copied style, the menu of kind and style has %v", sub)
	}
	styled.Styled = true
	if sub := command.SubmenuOf(styled, "style"); len(sub) != 2 || len(sub[1]) != 2 || sub[1][1].ID != command.PasteStyle {
		t.Errorf("the menu of kind and style has %v", sub)
	}
	two := command.Context{State: editor.State{Form: f, Selection: editor.SelectNodes("s", "r")}}
	if sub := command.SubmenuOf(two, "arrange"); len(sub) != 3 || len(sub[1]) != 3 || sub[1][0].ID != command.AlignLeft {
		t.Errorf("the menu Arrange has %v", sub)
	}
}
