// Package transfer imports forms from files and exports them, with the flows that they name.
//
// A file that is dropped on the page goes to the chooser of Import, which alone is read.
package transfer

import (
	"fmt"

	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/schema"
)

// replaceForm replaces the form under edit with the form from a file, as one undo step. The
// server's properties stay: it is the same form with different contents. Contents that are
// equal in both stay untouched, down to single nodes.
type replaceForm struct {
	form *model.Form
	file string // name of the file
}

// Label returns the name of the undo step, which includes the file.
func (c replaceForm) Label() verb.Phrase { return verb.Import.With(c.file) }

// Do replaces the contents. It clears the selection, because its ids may refer to other
// things in the file.
func (c replaceForm) Do(s editor.State) (editor.State, error) {
	p := model.Diff(s.Form, c.form)
	if p.Empty() {
		return s, nil
	}
	return editor.State{Form: p.Apply(s.Form, c.form)}, nil
}

// Content returns a form without the properties that only the tenant sets. Those that our tables do not list come last: a tenant may know
// them.
func Content(f *model.Form) *model.Form {
	g := model.Diff(model.FromTree(nil), f).Apply(model.FromTree(nil))
	tree := g.Tree()
	for _, m := range f.Tree().Members() {
		if !model.ResponseOnly(m.Key) && !tree.Has(m.Key) {
			tree = tree.With(m.Key, m.Value)
		}
	}
	return g.Derive(tree)
}

// Refusal explains in one line why a file was refused.
func Refusal(problems schema.Problems) string {
	text := fmt.Sprintf("The file is not a valid form: %s", problems[0].Error())
	if more := len(problems) - 1; more > 0 {
		text += " (" + fmt.Sprintf("and %d more", more) + ")"
	}
	return text
}

// Incoming is a file that is about to be imported, with the replacements for its flow
// placeholders.
type Incoming struct {
	file    string
	doc     envelope.Document
	flows   []formapi.Flow // flows of this tenant
	choices []choice

	warnings schema.Problems
	picture  graph.Thumbnail
}

// choice is the replacement of a placeholder, or of the id of a flow that this tenant lacks.
type choice struct {
	placeholder string
	name        string // name of the flow or connection, "" if the file does not contain it
	id          string // id of a flow or connection of this tenant; "" keeps the placeholder
	connection  bool
}

// newIncoming preselects flows with the same names.
func newIncoming(file string, d envelope.Document, flows []formapi.Flow) *Incoming {
	targets := make([]envelope.Target, len(flows))
	for i, f := range flows {
		targets[i] = envelope.Target{ID: f.ID, Name: f.Name}
	}
	mapping, _ := envelope.MatchFlows(d, targets)
	in := &Incoming{file: file, doc: d, flows: flows}
	_, all := envelope.ImportForm(d, nil)
	for _, m := range all {
		in.choices = append(in.choices, choice{m.Placeholder, m.Name, mapping[m.Placeholder], false})
	}
	for _, m := range envelope.Connections(d) {
		in.choices = append(in.choices, choice{placeholder: m.Placeholder, name: m.Name, connection: true})
	}
	return in
}

// missing returns how many flows keep their placeholder.
func (in *Incoming) missing() int {
	n := 0
	for _, c := range in.choices {
		if c.id == "" && !c.connection {
			n++
		}
	}
	return n
}

// add adds a choice for each flow that has none yet.
func (in *Incoming) add(ids []string) {
	known := map[string]bool{}
	for _, c := range in.choices {
		known[c.placeholder] = true
	}
	for _, id := range ids {
		if !known[id] {
			known[id] = true
			in.choices = append(in.choices, choice{placeholder: id})
		}
	}
}

// choose sets the replacement of a placeholder, "" to keep it.
func (in *Incoming) choose(placeholder, id string) {
	for i := range in.choices {
		if in.choices[i].placeholder == placeholder {
			in.choices[i].id = id
		}
	}
}

// Form returns the form from the file with the chosen flows.
func (in *Incoming) Form() *model.Form {
	f, _ := envelope.ImportForm(in.doc, in.mapping(false))
	return envelope.MapConnections(f, in.mapping(true))
}

func (in *Incoming) mapping(connections bool) map[string]string {
	mapping := map[string]string{}
	for _, c := range in.choices {
		if c.id != "" && c.connection == connections {
			mapping[c.placeholder] = c.id
		}
	}
	return mapping
}

// useFlows replaces placeholders, and ids of flows that this tenant lacks, with flows of it.
type useFlows struct{ mapping map[string]string }

// Label returns the name of the undo step.
func (useFlows) Label() verb.Phrase { return verb.Choose.With("flows") }

// Do replaces the placeholders.
func (c useFlows) Do(s editor.State) (editor.State, error) {
	if len(c.mapping) > 0 {
		s.Form = envelope.MapFlows(s.Form, func(id string) (string, bool) { now, ok := c.mapping[id]; return now, ok })
	}
	return s, nil
}

// placeholder returns the placeholder that a warning is about, "" for another warning.
func placeholder(f *model.Form, w schema.Problem) string {
	if w.Code == schema.CodeFlowID {
		v, _ := schema.Lookup(f.Tree(), w.Path)
		if id, ok := v.(string); ok && model.IsFlowPlaceholder(id) {
			return id
		}
	}
	return ""
}

// exportWithFlows returns the export of a form with the available details of its flows from
// the tenant's list, and the number of flows whose details are incomplete.
func exportWithFlows(f *model.Form, flows []*schema.Object) (text string, incomplete int) {
	known := make(map[string]*schema.Object, len(flows))
	for _, flow := range flows {
		known[flow.Text("id")] = flow
	}
	outer, placeholders := envelope.ExportForm(Content(f), known, nil)
	for _, p := range placeholders {
		if model.IsFlowPlaceholder(p.Name) && !known[p.ID].Has("actions") {
			incomplete++
		}
	}
	return string(schema.EncodeIndent(outer)), incomplete
}
