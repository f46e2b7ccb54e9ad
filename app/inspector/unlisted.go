package inspector

import (
	"slices"

	"github.com/formgraph/formgraph/model/schema"
)

// withUnlisted adds a row for every problem at or below a path that the panel does not show yet: a property that no table lists, an unknown
// discriminator, an object where a list is expected, a part that cannot be selected because its id is missing or taken. Without it such a
// form could be neither saved nor fixed. Properties that only a tenant's tables know have rows, too, without a problem. The rows are JSON,
// since no table says what would be right.
func (rd reader) withUnlisted(p Panel, root schema.Path) Panel {
	for _, list := range []struct {
		title    string
		problems schema.Problems
	}{{"Other problems", rd.problems}, {"Other properties", rd.foreign}} {
		var rest []Row
		for _, pr := range list.problems {
			if !pr.Path.HasPrefix(root) || p.shows(pr.Path) || shows(rest, pr.Path) || len(root) == 0 && rd.elsewhere(pr.Path) {
				continue
			}
			label := pr.Path[len(root):].String()
			if label == "" {
				label = p.Title
			}
			rest = append(rest, rd.row(schema.Row{Name: "rest", Label: label, Spec: schema.Any{}}, pr.Path))
		}
		if len(rest) > 0 {
			p.Sections = append(slices.Clip(p.Sections), Section{Title: list.title, Rows: rest})
		}
	}
	return p
}

// elsewhere reports whether a problem belongs to a page or to another panel: that of one of the two ends, or of a node that can be found by its id.
func (rd reader) elsewhere(path schema.Path) bool {
	if PageOf(rd.state, path) != "" {
		return true
	}
	at, ok := rd.form.At(path)
	if !ok || at.End != "" {
		return ok
	}
	_, i := rd.form.Node(rd.form.Nodes[at.Node].ID)
	return i == at.Node
}

// shows reports whether a row or a part of the panel shows a problem at a path.
func (p Panel) shows(at schema.Path) bool {
	for i, part := range p.Parts {
		first := slices.IndexFunc(p.Parts, func(q Part) bool { return q.ID == part.ID })
		if part.ID != "" && first == i && part.Sections == nil && at.HasPrefix(part.Path) {
			return true
		}
		if showsIn(part.Sections, at) {
			return true
		}
	}
	return p.Otherwise != nil && shows([]Row{*p.Otherwise}, at) || showsIn(p.Sections, at)
}

func showsIn(list []Section, at schema.Path) bool {
	return slices.ContainsFunc(list, func(s Section) bool {
		return shows(s.Rows, at) || s.Condition != nil && shows(s.Condition.Rows(), at)
	})
}

func shows(rows []Row, at schema.Path) bool {
	return slices.ContainsFunc(rows, func(r Row) bool {
		return r.Path.Equal(at) || r.Input == JSON && at.HasPrefix(r.Path) || shows(r.Rows, at)
	})
}
