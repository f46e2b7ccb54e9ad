package inspector

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model/schema"
)

// Lines returns the elements of a table as lines, their texts divided by tabs. A value that its label makes is left out.
func (l List) Lines() string {
	var b strings.Builder
	for i := range l.Rows {
		b.WriteString(l.line(i) + "\n")
	}
	return b.String()
}

func (l List) line(i int) string {
	cells := l.cells(i)
	if l.options && len(cells) == 2 && cells[1] == slug(cells[0]) && !strings.Contains(cells[0], ",") {
		cells = cells[:1]
	}
	for len(cells) > 1 && cells[len(cells)-1] == "" {
		cells = cells[:len(cells)-1]
	}
	return strings.Join(cells, "\t")
}

// LinesWith returns the lines with others after the element i, or in its place if it is empty.
func (l List) LinesWith(i int, more string) string {
	var b strings.Builder
	for j := range l.Rows {
		if j != i || !l.EmptyAt(i) {
			b.WriteString(l.line(j) + "\n")
		}
		if j == i {
			b.WriteString(strings.TrimRight(more, "\r\n") + "\n")
		}
	}
	return b.String()
}

// Pasted is what lines make of a table.
type Pasted struct {
	Items   []PastedItem
	Notes   []string // what is left out, one sentence each
	Summary string
	list    List
}

// PastedItem is an element that lines make.
type PastedItem struct {
	Cells []string // in the order of the columns
	New   bool
	value any
}

// Paste returns what lines make of the list: one element a line, its texts after tabs. The value of an option may also follow a comma. A
// line for an element that the list has keeps what the line does not name.
func (l List) Paste(text string) Pasted {
	p := Pasted{list: l}
	all, had := newTaken(), map[string]int{} // the keys of the items, and their indexes
	rows := l.index()
	added, changed := 0, 0
	for n, line := range strings.Split(strings.ReplaceAll(schema.WellFormed(text), "\r", ""), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		cells := l.split(line)
		old := rows.named(cells)
		key := cells[0]
		if l.options {
			switch {
			case cells[1] != "":
			case old >= 0:
				cells[1] = l.cells(old)[1]
			default:
				cells[1] = slug(cells[0])
			}
			key = cells[1]
			if at, ok := had[key]; ok && p.Items[at].Cells[0] != cells[0] && key == slug(cells[0]) {
				key = all.free(key) // another label that makes the same value
				cells[1] = key
			}
		}
		if _, ok := had[key]; ok {
			p.Notes = append(p.Notes, fmt.Sprintf("Line %d repeats %s; it is left out.", n+1, schema.Quote(cells[0])))
			continue
		}
		all.add(key)
		had[key] = len(p.Items)
		item := PastedItem{Cells: cells, New: old < 0, value: l.element(old, cells)}
		p.Items = append(p.Items, item)
		switch {
		case old < 0:
			added++
		case !schema.Equal(item.value, l.Rows[old].Value):
			changed++
		}
	}
	stay := len(p.Items) - added - changed
	var words []string
	for _, w := range []struct {
		n    int
		what string
	}{{added, "new"}, {changed, "changed"}, {stay, "as before"}, {len(l.Rows) - changed - stay, "removed"}} {
		if w.n > 0 {
			words = append(words, fmt.Sprintf("%d %s", w.n, w.what))
		}
	}
	p.Summary = strings.Join(words, ", ")
	return p
}

// Command returns the command that makes the list what was pasted.
func (p Pasted) Command() editor.Command {
	list := []any{}
	for _, i := range p.Items {
		list = append(list, i.value)
	}
	return editor.Sequence{Name: verb.Paste.With(p.list.Element.Noun + "s"), Commands: []editor.Command{editor.Set{Path: p.list.Path, Value: list}}}
}

// split divides a line into the texts of the columns.
func (l List) split(line string) []string {
	cells := strings.Split(line, "\t")
	if at := strings.LastIndex(line, ","); len(cells) == 1 && len(l.keys) > 1 && at > 0 {
		cells = []string{line[:at], line[at+1:]}
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	for len(cells) < len(l.keys) {
		cells = append(cells, "")
	}
	return cells[:len(l.keys)]
}

// index finds the elements of a list.
type index struct{ values, labels map[string]int }

func (l List) index() index {
	of := index{map[string]int{}, map[string]int{}}
	add := func(to map[string]int, text string, i int) {
		if _, ok := to[text]; !ok && text != "" {
			to[text] = i
		}
	}
	for i := range l.Rows {
		cells := l.cells(i)
		add(of.labels, cells[0], i)
		if l.options {
			add(of.values, cells[1], i)
		}
	}
	return of
}

// named returns the index of the element that a line means: that with its value, else with its label; -1 for none.
func (x index) named(cells []string) int {
	if len(cells) > 1 {
		if i, ok := x.values[cells[1]]; ok {
			return i
		}
	}
	if i, ok := x.labels[cells[0]]; ok {
		return i
	}
	return -1
}

// element returns the value of an element with texts; the element old of the list keeps what else it has.
func (l List) element(old int, cells []string) any {
	if l.keys[0] == "" {
		return cells[0]
	}
	o, _ := l.Element.New.(*schema.Object)
	if old >= 0 {
		o, _ = l.Rows[old].Value.(*schema.Object)
	}
	for i, key := range l.keys {
		if cells[i] != "" || old < 0 && o.Has(key) {
			o = o.With(key, cells[i])
		}
	}
	return o
}
