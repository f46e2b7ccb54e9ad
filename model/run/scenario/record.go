package scenario

import (
	"maps"
	"slices"

	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/schema"
)

// Record returns a run as a scenario that expects its path. Events that a replay does not need, such as a change of the language after the
// beginning, are left out.
func Record(name string, in run.Input, r *run.Run) Scenario {
	s := Scenario{Name: name, Context: in.Context, Hidden: in.Hidden, Vars: in.Vars, Steps: []Step{}, Expect: r.Path()}
	if len(in.Languages) > 0 {
		s.Language = in.Languages[0]
	}
	filled := map[string]any{} // since the last press
	for _, m := range r.Moments()[1:] {
		node := m.Before().Node()
		switch e := m.Event().(type) {
		case run.Fill:
			maps.Copy(filled, e.Answers)
		case run.Press:
			maps.Copy(filled, e.Answers)
			if m.State() == run.Asking && len(m.Refusals()) > 0 {
				continue // a replay would end here; a resend button is pressed in spite of earlier refusals
			}
			s.Steps = append(s.Steps, Step{Node: node, Answers: sorted(filled), Press: e.Button})
			filled = map[string]any{}
		case run.Result:
			result := e.Values
			if result == nil {
				result = schema.NewObject()
			}
			s.Steps = append(s.Steps, Step{Node: node, Result: result})
		case run.Failure:
			s.Steps = append(s.Steps, Step{Node: node, Error: &e.Detail})
		case run.Choose:
			s.Steps = append(s.Steps, Step{Node: node, Choose: string(e.Port)})
		case run.Wait, run.Speak:
		}
	}
	if len(filled) > 0 {
		s.Steps = append(s.Steps, Step{Node: r.Node(), Answers: sorted(filled)})
	}
	return s
}

// sorted returns answers as an object with its keys in order, nil for none.
func sorted(answers map[string]any) *schema.Object {
	if len(answers) == 0 {
		return nil
	}
	members := make([]schema.Member, 0, len(answers))
	for _, id := range slices.Sorted(maps.Keys(answers)) {
		members = append(members, schema.Member{Key: id, Value: answers[id]})
	}
	return schema.NewObject(members...)
}
