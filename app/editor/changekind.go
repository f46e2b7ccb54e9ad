package editor

import (
	"errors"
	"slices"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// ChangeKind makes the selected component one of another kind. It keeps its id, its place, its translations, and each property that the new
// kind has too and whose value fits there; a property that the new kind requires gets the value of a new component.
type ChangeKind struct {
	Kind    *model.Kind
	Dialect model.Dialect
}

// ChangeKind returns the command that makes the selected component one of a kind.
func (m Maker) ChangeKind(k *model.Kind) ChangeKind { return ChangeKind{k, m.config.Dialect} }

// Label names the new kind.
func (c ChangeKind) Label() verb.Phrase { return verb.Change.With("to " + c.Kind.Label) }

// Do replaces the component.
func (c ChangeKind) Do(s State) (State, error) {
	at, ok := s.Selection.Place(s.Form)
	if !ok || at.Component < 0 {
		return s, errors.New("select a component to change its kind")
	}
	o, _, _ := c.Convert(s.Form.Nodes[at.Node].Component(at.Component))
	if o == nil {
		return s, errors.New("only a component of a known kind can change it")
	}
	return Set{Path: at.Path(), Value: o}.Do(s)
}

// Convert returns what becomes of a component, with the names of the properties that carry over and of those that are lost. It is nil for a
// component of an unknown kind.
func (c ChangeKind) Convert(of *model.Component) (o *schema.Object, kept, lost []string) {
	if of == nil || of.Kind == nil {
		return nil, nil, nil
	}
	fresh := model.NewComponent(c.Kind, c.Dialect, of.ID)
	if c.Kind == of.Kind {
		return of.Tree(), nil, nil
	}
	cv := conversion{}
	was := of.Tree()
	o = cv.object(of.Kind.Table(), c.Kind.Table(), was, fresh, "id", "category", "type", "config")
	config := cv.object(of.Kind.Config, c.Kind.Config, was.Object("config"), fresh.Object("config"))
	if config.Len() > 0 || c.Kind.ConfigRequired {
		o = o.With("config", config)
	} else {
		o = o.Without("config")
	}
	return o, cv.kept, cv.lost
}

// conversion collects the names of properties.
type conversion struct{ kept, lost []string }

// object returns an object of the table to with what fits of one of the table from, and else with what a fresh one has.
func (cv *conversion) object(from, to schema.Table, was, fresh *schema.Object, own ...string) *schema.Object {
	out := schema.NewObject()
	carried := map[string]bool{}
	for _, r := range to {
		v, has := was.Get(r.Name)
		old, listed := from.Row(r.Name)
		if has && listed && !slices.Contains(own, r.Name) && fits(old.Spec, r.Spec, v) && cv.offered(r.Spec, carried) {
			out, carried[r.Name] = out.With(r.Name, v), true
			cv.kept = append(cv.kept, r.Title())
		} else if v, has = fresh.Get(r.Name); has && (!listed || was.Has(r.Name) || r.Required) {
			out = out.With(r.Name, v)
		}
	}
	for _, m := range was.Members() {
		switch r, listed := from.Row(m.Key); {
		case carried[m.Key] || slices.Contains(own, m.Key):
		case listed:
			cv.lost = append(cv.lost, r.Title())
		case !out.Has(m.Key): // what no table lists passes through
			if _, means := to.Row(m.Key); means {
				cv.lost = append(cv.lost, m.Key)
			} else {
				out = out.With(m.Key, m.Value)
			}
		}
	}
	return out
}

// offered reports whether the options that a value names, if it names any, carry over too.
func (cv *conversion) offered(s schema.Spec, carried map[string]bool) bool {
	of, ok := s.(schema.Any)
	return !ok || of.Options == "" || carried[of.Options]
}

// fits reports whether a value of the first spec means the same as one of the second and is allowed there: the specs are the same, or both are
// texts of the same role that differ in their bounds. Rich text is also HTML.
func fits(from, to schema.Spec, v any) bool {
	if schema.Same(from, to) {
		return true
	}
	a, isText := from.(schema.String)
	b, both := to.(schema.String)
	if a.Code == schema.RichText && b.Code == schema.HTML {
		a.Code = b.Code
	}
	return isText && both && a.Role == b.Role && a.Secret == b.Secret && a.Code == b.Code && a.Format == b.Format && len(schema.Check(to, v)) == 0
}
