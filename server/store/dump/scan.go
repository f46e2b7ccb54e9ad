package dump

import (
	"fmt"

	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// Scan reads a row whose columns are those of the table, in their order. JSON comes as the stores write it, whatever the engine makes of
// its spaces and order.
func (t Table) Scan(row rows.Scanner) (Row, error) {
	dest := make([]any, len(t.Columns))
	for i, c := range t.Columns {
		switch c.Kind {
		case Text:
			dest[i] = new(string)
		case Number:
			dest[i] = new(int64)
		case Switch:
			dest[i] = new(bool)
		case Bytes, Secret:
			dest[i] = new([]byte)
		case List:
			dest[i] = new(rows.Words)
		case Map:
			dest[i] = new(rows.Texts)
		}
	}
	if err := row.Scan(dest...); err != nil {
		return nil, fmt.Errorf("read table %s: %w", t.Name, err)
	}
	r := make(Row, len(dest))
	for i, d := range dest {
		var err error
		switch d := d.(type) {
		case *string:
			r[i] = *d
		case *int64:
			r[i] = *d
		case *bool:
			r[i] = *d
		case *[]byte:
			r[i] = t.Columns[i].bytes(*d)
		case *rows.Words:
			r[i], err = d.Value()
		case *rows.Texts:
			r[i], err = d.Value()
		}
		if err != nil {
			return nil, fmt.Errorf("read table %s, column %s: %w", t.Name, t.Columns[i].Name, err)
		}
	}
	return r, nil
}

// bytes returns the value of a column of bytes. Drivers return nil for an empty value as well as for none.
func (c Column) bytes(b []byte) any {
	switch {
	case len(b) > 0:
		return b
	case c.Kind == Secret:
		return nil
	}
	return []byte{}
}
