package inspector

import (
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// sections divides rows: first those without a section, then a section for each object, list or map among those, and for each other name in
// the order of the rows, and last what is rarely read.
func sections(rows []Row) []Section {
	first := Section{}
	var named []Section
	for _, r := range rows {
		title := r.section
		if title == "" && r.Input.Contains() {
			title = r.Label
		}
		if title == "" {
			first.Rows = append(first.Rows, r)
			continue
		}
		i := slices.IndexFunc(named, func(s Section) bool { return s.Title == title })
		if i < 0 {
			i = len(named)
			named = append(named, Section{Title: title})
		}
		named[i].Rows = append(named[i].Rows, r)
	}
	if i := slices.IndexFunc(named, func(s Section) bool { return s.Title == model.Advanced }); i >= 0 {
		last := named[i]
		named = append(slices.Delete(named, i, i+1), last)
	}
	for i := range named {
		named[i].fold()
	}
	return append([]Section{first}, named...)
}

// fold folds a section in which nothing is set or that is rarely read, and says what is in it.
func (s *Section) fold() {
	set, wrong := 0, false
	for _, r := range s.Rows {
		if r.Present {
			set++
		}
		wrong = wrong || r.wrong()
	}
	s.Folded = !wrong && (set == 0 || s.Title == model.Advanced)
	only := s.Rows[0]
	switch {
	case only.Input == Items || only.Input == Entries:
		if len(s.Rows) == 1 && only.Present {
			s.Note = strconv.Itoa(len(only.Rows))
		}
	case s.Title == model.Advanced:
		if only.Path[len(only.Path)-1].Key == "id" {
			s.Note = only.Text()
		}
	case only.words != nil && len(s.Rows) == 1:
		s.Note = only.words[0]
		if only.On() {
			s.Note = only.words[1]
		}
	}
	if s.Note == "" && set == 0 && s.Title != model.Advanced {
		s.Note = "Not set"
	}
}

// wrong reports whether a row or one inside it has a problem.
func (r Row) wrong() bool { return len(r.Problems) > 0 || slices.ContainsFunc(r.Rows, Row.wrong) }

// Contains reports whether a control consists of the rows of its content.
func (in Input) Contains() bool { return in == Group || in == Items || in == Entries }

// unwrapped replaces the row of an object by those of its properties. If the value is not an object, the row stays.
func unwrapped(rows []Row, name string) []Row {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Path[len(r.Path)-1].Key == name })
	if i < 0 || rows[i].Input != Group {
		return rows
	}
	of := rows[i]
	for j := range of.Rows {
		if of.section != "" {
			of.Rows[j].section = of.section
		}
	}
	return append(append(rows[:i:i], of.Rows...), rows[i+1:]...)
}

// ranked returns rows by their ranks, which are less than maxRank, and else in their order. The functions of slices would be made for the type
// of a row, which is large.
func ranked(rows []Row, rank func(Row) int) []Row {
	out := make([]Row, 0, len(rows))
	for n := range maxRank {
		for _, r := range rows {
			if rank(r) == n {
				out = append(out, r)
			}
		}
	}
	return out
}

// maxRank is greater than each rank.
const maxRank = 5

// rank orders the rows of a component: its text, its settings, whether an answer is required, and what becomes of the answer.
func (r Row) rank() int {
	switch r.Path[len(r.Path)-1].Key {
	case "label":
		return 0
	case "hint":
		return 1
	case "required":
		return 3
	case "sensitive":
		return 4
	}
	return 2
}

// mark sets the defaults of the rows below a path whose difference is worth a mark: what a new component has there, else that it is not set.
// A switch shows its state itself, and a text that only an author can know has no default.
func (rd reader) mark(rows []Row, at schema.Path, defaults *schema.Object) {
	for i := range rows {
		r := &rows[i]
		if !r.Path.HasPrefix(at) {
			continue
		}
		rd.mark(r.Rows, at, defaults)
		r.initial, r.marked = schema.Lookup(defaults, r.Path[len(at):])
		switch {
		case r.choice != nil:
			r.marked = false
		case r.Input == Number || r.Input == Select || r.Input == Checks || r.Role == schema.Color:
			r.marked = r.marked || !r.Required
		case r.Input == Text:
			r.marked = r.Role == schema.Plain && r.initial != "" && r.initial != nil
		default:
			r.marked = false
		}
	}
}
