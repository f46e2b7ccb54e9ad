package ui

import (
	"fmt"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// replaceForm puts the form of a file in the place of the one under edit, as one
// undo step. What the server owns stays: the form is the same one, with other
// contents. What both have alike is left untouched, down to its nodes.
type replaceForm struct {
	form *model.Form
	file string // its name
}

// Label names the file.
func (c replaceForm) Label() string { return fmt.Sprintf(t.ImportFile, c.file) }

// Do takes the contents over. Nothing is selected then: the ids of a selection may
// name other things in the file.
func (c replaceForm) Do(s editor.State) (editor.State, error) {
	p := model.Diff(s.Form, c.form)
	if p.Empty() {
		return s, nil
	}
	return editor.State{Form: p.Apply(s.Form)}, nil
}

// content returns a form with what its author owns and no more.
func content(f *model.Form) *model.Form {
	return model.Diff(model.FromTree(nil), f).Apply(model.FromTree(nil))
}

// notAForm says in a line why a file is refused.
func notAForm(problems schema.Problems) string {
	text := fmt.Sprintf(t.NotAForm, problems[0].Error())
	if more := len(problems) - 1; more > 0 {
		text += " (" + fmt.Sprintf(t.AndMoreRows, more) + ")"
	}
	return text
}
