package sqlite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"strings"
	"sync"
	"unicode/utf8"

	msqlite "modernc.org/sqlite"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// listing describes how the rows of a list are read.
type listing[T any] struct {
	name          string // the list's name in places
	scan          func(rows.Scanner) (T, error)
	columns, from string
	where         string // a condition, with parameters of its own; "" for none
	search        string // an expression for the searched texts, one per line
	order         []string
	newest        bool   // descending order
	mark          string // the SQL that reads a value of a place; "" for ?
}

// list reads one page and counts all rows that f finds, unless it begins after a place. args are the parameters of where. Somebody may
// write between the two reads: then the count is slightly newer than the page.
func list[T any](ctx context.Context, d *runner, l listing[T], f store.Find, offset, limit int, args ...any) ([]T, int, error) {
	place, err := f.Place(l.name, len(l.order))
	if err != nil {
		return nil, 0, err
	}
	conditions := []string{"TRUE"}
	if l.where != "" {
		conditions = append(conditions, l.where)
	}
	for _, w := range f.Words() {
		conditions, args = append(conditions, `instr(`+folding(w)+`(`+l.search+`), ?) > 0`), append(args, w)
	}
	total, beyond, order := 0, ">", strings.Join(l.order, ", ")
	if l.newest {
		beyond, order = "<", strings.Join(l.order, " DESC, ")+" DESC"
	}
	from := func() string { return ` FROM ` + l.from + ` WHERE ` + strings.Join(conditions, " AND ") }
	whole, counted := from(), args
	if place != nil {
		marks := strings.Repeat(", "+cmp.Or(l.mark, "?"), len(place))[2:]
		conditions = append(conditions, `(`+strings.Join(l.order, ", ")+`) `+beyond+` (`+marks+`)`)
		for _, v := range place {
			args = append(args, v) // compared with the type of its column
		}
	}
	query := `SELECT ` + l.columns + from() + ` ORDER BY ` + order + ` LIMIT ? OFFSET ?`
	page, err := all(ctx, d, "list "+l.name, l.scan, query, append(args, limit, offset)...)
	switch {
	case err != nil || place != nil:
		return page, 0, err
	case offset == 0 && len(page) < limit: // a search with few results reads them all, so they need no counting
		return page, len(page), nil
	}
	err = d.row(ctx, `SELECT count(*)`+whole, counted...).Scan(&total)
	return page, total, translate(err, "count "+l.name)
}

// registerFold registers the function fold for all databases of the process. It returns a text in lower case, in all scripts; SQLite's own
// functions know only the letters of ASCII.
var registerFold = sync.OnceValue(func() error {
	return msqlite.RegisterDeterministicScalarFunction("fold", 1, func(_ *msqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		text, _ := args[0].(string)
		return strings.ToLower(text), nil
	})
})

// folding returns the SQL function that folds texts to compare them with a word in lower case. For a word of ASCII letters it is SQLite's
// own, which takes half the time.
func folding(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return "fold"
	}
	return "lower"
}

// lines joins expressions into the searched texts of a listing. NULL counts as an empty text.
func lines(expressions ...string) string {
	return `coalesce(` + strings.Join(expressions, `, '') || char(10) || coalesce(`) + `, '')`
}
