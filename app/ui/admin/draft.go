package admin

import (
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Separators of the values of a draft: the ASCII record and unit separators, which cannot be typed.
const (
	record = "\x1e" // between the items of a list
	unit   = "\x1f" // between the texts of an item
)

// draft is the values of an entry's fields as text, by path.
type draft map[string]string

// items returns the items of a list.
func items(v string) []string {
	if v == "" {
		return nil
	}
	return strings.Split(v, record)
}

// parts returns the texts of an item.
func parts(item string) []string { return strings.Split(item, unit) }

// listOf joins items in sorted order, so that two sets of the same items are the same text.
func listOf(keys []string) string {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	return strings.Join(slices.Compact(keys), record)
}

// toggled returns a list with an item added or removed.
func toggled(v, key string, on bool) string {
	keys := slices.DeleteFunc(items(v), func(k string) bool { return k == key })
	if on {
		keys = append(keys, key)
	}
	return listOf(keys)
}

// merged returns a list with the additions and removals between two other lists applied.
func merged(v, old, now string) string {
	for _, key := range items(now) {
		if !slices.Contains(items(old), key) {
			v = toggled(v, key, true)
		}
	}
	for _, key := range items(old) {
		if !slices.Contains(items(now), key) {
			v = toggled(v, key, false)
		}
	}
	return v
}

// blankRow returns an empty row.
func (f *field) blankRow() string { return strings.Repeat(unit, max(0, len(f.columns)-1)) }

// rows returns the rows of a field as they are shown. Each row ends with a record separator, so that a list
// with one blank row differs from an empty list.
func (f *field) rows(v string) []string {
	if v == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(v, record), record)
}

func rowsOf(rows []string) string {
	if len(rows) == 0 {
		return ""
	}
	return strings.Join(rows, record) + record
}

// written returns the rows that are not blank, with the index of each among all rows.
func (f *field) written(v string) (rows []string, at []int) {
	for i, row := range f.rows(v) {
		if strings.Trim(row, unit+" ") != "" {
			rows, at = append(rows, row), append(at, i)
		}
	}
	return rows, at
}

// same reports whether two values of a field produce the same body.
func (f *field) same(a, b string) bool {
	if f.kind == rowsField {
		x, _ := f.written(a)
		y, _ := f.written(b)
		return slices.Equal(x, y)
	}
	return a == b
}

// typed returns the value after input in a control, which is the whole field or one text in one row of a
// rowsField.
func (f *field) typed(v string, row, column int, text string) string {
	if f.kind != rowsField {
		return text
	}
	rows := f.rows(v)
	if row < 0 || row >= len(rows) {
		return v
	}
	texts := parts(rows[row])
	if column < 0 || column >= len(texts) {
		return v
	}
	texts[column] = text
	rows[row] = strings.Join(texts, unit)
	return rowsOf(rows)
}

// control returns the name of a control of a field: the path of its value in the body, as the server names
// it in problems, but with the row's index as shown.
func (f *field) control(row, column int) string {
	if f.kind != rowsField {
		return f.path
	}
	name := f.path + "[" + strconv.Itoa(row) + "]"
	if len(f.columns) > 0 {
		name += "." + f.columns[column].member
	}
	return name
}

// controlOf parses a name returned by control.
func (s *section) controlOf(name string) (f *field, row, column int) {
	if whole := s.field(name); whole != nil {
		return whole, 0, 0
	}
	path, rest, _ := strings.Cut(name, "[")
	number, member, _ := strings.Cut(rest, "]")
	row, err := strconv.Atoi(number)
	if f = s.field(path); f == nil || f.kind != rowsField || err != nil || row < 0 {
		return nil, 0, 0
	}
	column = slices.IndexFunc(f.columns, func(c rowColumn) bool { return "."+c.member == member })
	return f, row, max(0, column)
}

// read returns the draft of an unchanged entry and its sets. Absent values are empty.
func (s *section) read(entry *schema.Object, sets map[string][]*schema.Object) draft {
	d := draft{}
	for i := range s.fields {
		f := &s.fields[i]
		switch {
		case entry == nil:
			d[f.path] = f.first
		case f.set != nil:
			d[f.path] = f.set.read(sets[f.path])
		default:
			d[f.path] = f.read(entry)
		}
	}
	return d
}

// read returns the value of a field in an entry.
func (f *field) read(entry *schema.Object) string {
	o, key := entry, f.path
	for {
		first, rest, deep := strings.Cut(key, ".")
		if !deep {
			break
		}
		o, key = o.Object(first), rest
	}
	switch f.kind {
	case flagField:
		v, _ := o.Get(key)
		on, _ := v.(bool)
		return strconv.FormatBool(on)
	case checksField:
		return listOf(texts(o.List(key)))
	case rowsField:
		rows := texts(o.List(key))
		if len(f.columns) > 0 {
			rows = nil
			for _, v := range o.List(key) {
				item, _ := v.(*schema.Object)
				var row []string
				for _, c := range f.columns {
					row = append(row, item.Text(c.member))
				}
				rows = append(rows, strings.Join(row, unit))
			}
		}
		return rowsOf(rows)
	default:
		return o.Text(key)
	}
}

// read returns the keys of a set's items.
func (t *set) read(list []*schema.Object) string {
	var keys []string
	for _, o := range list {
		var key []string
		for _, k := range t.keys {
			key = append(key, o.Text(k))
		}
		keys = append(keys, strings.Join(key, unit))
	}
	return listOf(keys)
}

// texts returns the strings of a list.
func texts(list []any) []string {
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// changed returns the paths of the fields that differ between two drafts, in the order of the table.
func (s *section) changed(was, now draft) []string {
	var out []string
	for i := range s.fields {
		if f := &s.fields[i]; !f.same(was[f.path], now[f.path]) {
			out = append(out, f.path)
		}
	}
	return out
}
