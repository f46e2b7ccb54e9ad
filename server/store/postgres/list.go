package postgres

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// listing describes how the rows of a list are read.
type listing[T any] struct {
	name          string // the list's name in places
	scan          func(rows.Scanner) (T, error)
	columns, from string
	where         string   // a condition, with parameters of its own; "" for none
	search        string   // an expression for the searched texts in lower case
	order         []string // columns, by which a place is found
	newest        bool     // descending order
	// number returns the first value of a place, if that is a number and not a text.
	number func(string) (int64, error)
}

// milliseconds reads the time in a place.
func milliseconds(value string) (int64, error) { return strconv.ParseInt(value, 10, 64) }

// list reads one page and counts all rows that f finds, unless it begins after a place. args are the parameters of where. Somebody may
// write between the two reads: then the count is slightly newer than the page.
func list[T any](ctx context.Context, d *runner, l listing[T], f store.Find, offset, limit int, args ...any) ([]T, int, error) {
	place, err := l.place(f)
	if err != nil {
		return nil, 0, err
	}
	parameter := func(v any) string {
		args = append(args, v)
		return fmt.Sprintf("$%d", len(args))
	}
	conditions := []string{"TRUE"}
	if l.where != "" {
		conditions = append(conditions, l.where)
	}
	for _, w := range f.Words() {
		conditions = append(conditions, `strpos(`+l.search+`, `+parameter(w)+`) > 0`)
	}
	beyond, order := ">", strings.Join(l.order, ", ")
	if l.newest {
		beyond, order = "<", strings.Join(l.order, " DESC, ")+" DESC"
	}
	from := func() string { return ` FROM ` + l.from + ` WHERE ` + strings.Join(conditions, " AND ") }
	whole, counted := from(), len(args)
	if place != nil {
		marks := make([]string, len(place))
		for i, v := range place {
			marks[i] = parameter(v)
		}
		conditions = append(conditions, `(`+strings.Join(l.order, ", ")+`) `+beyond+` (`+strings.Join(marks, ", ")+`)`)
	}
	query := `SELECT ` + l.columns + from() + ` ORDER BY ` + order + ` LIMIT ` + parameter(limit) + ` OFFSET ` + parameter(offset)
	page, err := all(ctx, d, "list "+l.name, l.scan, query, args...)
	switch {
	case err != nil || place != nil:
		return page, 0, err
	case offset == 0 && len(page) < limit: // a search with few results reads them all, so they need no counting
		return page, len(page), nil
	}
	total, err := one(ctx, d, "count "+l.name, rows.Value[int], `SELECT count(*)`+whole, args[:counted]...)
	return page, total, err
}

// place returns the values after which f starts, as parameters; nil if it starts at the beginning.
func (l listing[T]) place(f store.Find) ([]any, error) {
	values, err := f.Place(l.name, len(l.order))
	if err != nil || values == nil {
		return nil, err
	}
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	if l.number != nil {
		if out[0], err = l.number(values[0]); err != nil {
			return nil, store.ErrPlace
		}
	}
	return out, nil
}
