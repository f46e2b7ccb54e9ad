package forms

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// firstForm is the content of a new form: the smallest one with a complete
// journey.
func firstForm(name string) *model.Form {
	button := model.NewComponent(model.NextButton(), model.SpecDialect, "next_button")
	step := model.NewNode(model.StepNode, "step_1", model.Point{X: 240, Y: 0}).With("alias", "Step 1")
	f := model.New(name)
	for _, edit := range []struct {
		path  schema.Path
		value any
	}{
		{schema.Path{schema.Key("languages"), schema.Key("primary")}, "en"},
		{model.NodePath(0), step},
		{model.ComponentPath(0, 0), button},
		{model.NodePath(0).Key("config").Key("next_node"), model.EndingID},
		{schema.Path{schema.Key("start"), schema.Key("next_node")}, "step_1"},
		{schema.Path{schema.Key("start"), schema.Key("coordinates")}, model.Point{X: 0, Y: 0}.Tree()},
		{schema.Path{schema.Key("ending"), schema.Key("resume_flow")}, true},
		{schema.Path{schema.Key("ending"), schema.Key("coordinates")}, model.Point{X: 640, Y: 0}.Tree()},
	} {
		if next, err := f.Set(edit.path, edit.value); err == nil {
			f = next
		}
	}
	return f
}
