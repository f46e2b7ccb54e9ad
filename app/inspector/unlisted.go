package inspector

import (
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/model/schema"
)

// withUnlisted adds a row for every problem at or below a path that the panel does not show yet: a property that no table lists, an unknown
// discriminator, an object where a list is expected, a part that cannot be selected because its id is missing or taken. Without it such a
// form could be neither saved nor fixed. Properties that only a tenant's tables know have rows, too, without a problem. The rows are JSON,
// since no table says what would be right.
func (rd reader) withUnlisted(p Panel, root schema.Path) Panel {
	var seen *shown
	for _, list := range []struct {
		title    string
		problems schema.Problems
	}{{"Other problems", rd.problems}, {"Other properties", rd.foreign}} {
		var rest schema.Problems
		for _, pr := range list.problems {
			if !pr.Path.HasPrefix(root) || len(root) == 0 && rd.elsewhere(pr.Path) {
				continue
			}
			if seen == nil {
				seen = shownBy(p)
			}
			if !seen.has(pr.Path) {
				rest = append(rest, pr)
				seen.whole[pr.Path.String()] = true
			}
		}
		if len(rest) == 0 {
			continue
		}
		of := Section{Title: list.title}
		if len(rest) > maxUnlisted {
			of.Note = fmt.Sprintf("the first %d of %d", maxUnlisted, len(rest))
			rest = rest[:maxUnlisted]
		}
		for _, pr := range rest {
			label := pr.Path[len(root):].String()
			if label == "" {
				label = p.Title
			}
			of.Rows = append(of.Rows, rd.within(pr.Path).row(schema.Row{Name: "rest", Label: label, Spec: schema.Any{}}, pr.Path))
		}
		p.Sections = append(slices.Clip(p.Sections), of)
	}
	return p
}

// maxUnlisted is the number of rows that are added for problems at most. The others come when these are fixed.
const maxUnlisted = 100

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

// shown are the places that a panel shows, by the texts of their paths: those of rows, and of what is shown with all that is below it.
type shown struct{ rows, whole map[string]bool }

func shownBy(p Panel) *shown {
	s := &shown{map[string]bool{}, map[string]bool{}}
	known := map[string]bool{"": true}
	for _, part := range p.Parts {
		if !known[part.ID] && part.Sections == nil {
			s.whole[part.Path.String()] = true
		}
		known[part.ID] = true
		s.sections(part.Sections)
	}
	if p.Otherwise != nil {
		s.add([]Row{*p.Otherwise})
	}
	s.sections(p.Sections)
	return s
}

func (s *shown) sections(list []Section) {
	for _, of := range list {
		s.add(of.Rows)
		if of.Condition != nil {
			s.add(of.Condition.Rows())
		}
	}
}

func (s *shown) add(rows []Row) {
	for _, r := range rows {
		if s.rows[r.Path.String()] = true; r.Input == JSON {
			s.whole[r.Path.String()] = true
		}
		s.add(r.Rows)
	}
}

// has reports whether a problem at a place is shown.
func (s *shown) has(at schema.Path) bool {
	if s.rows[at.String()] {
		return true
	}
	for n := range len(at) + 1 {
		if s.whole[at[:n].String()] {
			return true
		}
	}
	return false
}
