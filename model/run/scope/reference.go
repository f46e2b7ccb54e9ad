package scope

import (
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/schema"
)

// The namespaces of variables.
const (
	fields  = "fields"
	vars    = "vars"
	context = "context"
)

// reference is a field that one string of the form reads.
type reference struct {
	path schema.Path
	id   string
	site site
	// optional reports that the string allows for a missing field: by a fallback, or because it asks whether there is a value.
	optional bool
}

// Use is a string of a component, a rule or the ending that reads a variable in vars, which has the results of flows. Its path must not be
// changed.
type Use struct {
	Text string // of the variable, without the braces
	Path schema.Path
}

// use is a Use with the vertices, any of which may be its place.
type use struct {
	Use
	at []int
}

// Reaches reports whether a path reaches a node. For an unreachable node, it is only known what may come before it once it is connected.
func (a *Analysis) Reaches(node int) bool { return a.reached[node] }

// UsesAfter returns what reads variables in vars at the places to which ways lead from a node, in document order, once for each string and
// variable. It takes time linear in the form.
func (a *Analysis) UsesAfter(node int) []Use {
	if len(a.uses) == 0 {
		return nil
	}
	after := make([]bool, len(a.ways))
	queue := slices.Clone(a.ways[node])
	for i := 0; i < len(queue); i++ {
		if v := queue[i]; v >= 0 && !after[v] {
			after[v] = true
			queue = append(queue, a.ways[v]...)
		}
	}
	var found []Use
	for _, u := range a.uses {
		if slices.ContainsFunc(u.at, func(v int) bool { return after[v] }) {
			found = append(found, u.Use)
		}
	}
	return found
}

// site is where templates are evaluated.
type site struct {
	at     []int // the vertices, any of which may be the place
	hidden int   // the index of the hidden field whose value it is, -1 for any other place
}

// siteOf returns the site of the templates in the string at a path, and false if no template is evaluated there.
func (a *Analysis) siteOf(p schema.Path) (site, bool) {
	s := site{hidden: -1}
	key := func(i int) string {
		if i < len(p) {
			return p[i].Key
		}
		return ""
	}
	at := model.PlaceOf(p)
	switch {
	case at.End == model.StartID:
		if key(1) == "hidden_fields" && len(p) > 2 && p[2].Index >= 0 && p[2].Index < len(a.form.Start.Hidden) {
			s.at, s.hidden = a.only(a.start()), p[2].Index
		}
	case at.End == model.EndingID:
		s.at = a.only(a.ending())
	case at.Node >= 0:
		if at.Node < len(a.form.Nodes) && (at.Component < 0 || !verbatim(at.Rest)) {
			s.at = a.only(at.Node)
		}
	case key(0) == "messages" && key(1) == "errors", key(0) == "translations" && key(2) == "messages" && key(3) == "errors":
		s.at = a.asking
	case key(0) == "translations" && key(2) == "components" && len(p) > 3 && !verbatim(p[4:]):
		s.at = a.others[key(3)]
		if i, ok := a.byID[key(3)]; ok {
			s.at = a.fields[i].steps
		}
	}
	return s, len(s.at) > 0
}

// deepest is more than the usual depth of a string in a form, so that paths grow without new memory.
const deepest = 32

// verbatim reports whether a path inside a component enters code.
func verbatim(p schema.Path) bool {
	return slices.ContainsFunc(p, func(e schema.Elem) bool { return model.Verbatim(e.Key) })
}

// findReferences reads every template of the form.
func (a *Analysis) findReferences() {
	flow.EachString(a.form.Tree(), make(schema.Path, 0, deepest), func(s string, p schema.Path) {
		if !strings.Contains(s, "{{") {
			return
		}
		pause.Now()
		t, _ := template.Parse(s)
		at, evaluated := a.siteOf(p)
		read, used := map[string]int{}, map[string]bool{} // the references of this string by their field, and its uses
		for _, v := range t.Variables() {
			switch {
			case len(v.Path) == 0:
			case v.Namespace == vars && a.secret(p): // only the server uses it, as it does the keys of widgets: no text should show it
			case v.Namespace == vars, v.Namespace == context:
				name := text(v.Namespace, v.Path)
				a.mentioned[name] = true
				if in := model.PlaceOf(p); v.Namespace == vars && evaluated && !used[name] && (in.Part() >= 0 || in.End == model.EndingID) {
					used[name] = true
					a.uses = append(a.uses, use{Use{name, slices.Clone(p)}, at.at})
				}
			case v.Namespace == fields && v.Path[0].Index < 0 && evaluated:
				id := v.Path[0].Key
				optional := v.Fallback || a.asksForValue(p)
				if i, known := read[id]; known {
					a.refs[i].optional = a.refs[i].optional && optional
					continue
				}
				read[id] = len(a.refs)
				a.refs = append(a.refs, reference{slices.Clone(p), id, at, optional})
			}
		}
	})
}

// secret reports whether the string at a path is a secret.
func (a *Analysis) secret(p schema.Path) bool {
	s, ok := a.form.Row(p).Spec.(schema.String)
	return ok && s.Secret
}

// asksForValue reports whether the string at a path is what a condition examines for a value, as in "exists" and "is empty". These are the
// comparisons with a single operand.
func (a *Analysis) asksForValue(p schema.Path) bool {
	at := model.PlaceOf(p)
	if at.Rule < 0 || len(at.Rest) < 3 || at.Rest[len(at.Rest)-2].Key != "operands" {
		return false
	}
	v, _ := template.At(a.form.Tree(), p[:len(p)-2])
	o, _ := v.(*schema.Object)
	operator, known := flow.OperatorOf(o.Text("operator"))
	return known && operator.Operands == 1
}

// text returns the text of a variable in a template, without the braces.
func text(namespace string, p schema.Path) string {
	var b strings.Builder
	b.WriteString(namespace)
	for _, e := range p {
		switch {
		case e.Index >= 0:
			b.WriteString("[" + strconv.Itoa(e.Index) + "]")
		case e.Key != "" && model.ValidIdentifier(e.Key):
			b.WriteString("." + e.Key)
		default:
			b.WriteString("[" + string(schema.Encode(e.Key)) + "]")
		}
	}
	return b.String()
}
