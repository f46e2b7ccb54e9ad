// Package dumptest makes rows of all tables for tests.
package dumptest

import (
	"context"
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/server/store/dump"
)

// Rows is a Source with some rows in each table, with unusual values in every column. Texts with bytes that PostgreSQL does not store are
// among them if Odd is set.
type Rows struct {
	Count int
	Odd   bool
}

// last is the highest number that the tables have given.
const last = 1000

// Each implements dump.Source.
func (s Rows) Each(_ context.Context, begin func(dump.Table, int64) error, row func(dump.Table, dump.Row) error) error {
	for _, t := range dump.Tables() {
		var highest int64
		if t.Counted {
			highest = last
		}
		if err := begin(t, highest); err != nil {
			return err
		}
		for i := range s.Count {
			r := make(dump.Row, len(t.Columns))
			for k, c := range t.Columns {
				r[k] = s.value(c, i)
			}
			if err := row(t, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// value returns a value of the i-th row. Columns that name rows have the same value in each table.
func (s Rows) value(c dump.Column, i int) any {
	odd := ""
	if s.Odd {
		odd = "\x00\xff"
	}
	switch c.Kind {
	case dump.Text:
		if c.Name == "id" || strings.HasSuffix(c.Name, "_id") {
			return fmt.Sprintf("id-%03d", i)
		}
		return fmt.Sprintf("%s %d <ä\u2028\U0001F600'\"\\>%s", c.Name, i, odd)
	case dump.Number:
		return int64(i) + 7
	case dump.Switch:
		return i%2 == 1
	case dump.Secret:
		if i%3 == 0 {
			return nil
		}
	case dump.List:
		if i%2 == 0 {
			return "[]"
		}
		if s.Odd {
			return `["b\u0000","a"]`
		}
		return `["b","a","\u003cä, \u2028"]`
	case dump.Map:
		if i%2 == 0 {
			return "{}"
		}
		return `{"a":"\u003c","b":"ä"}`
	case dump.Bytes:
		if c.Name == "data" && i == 0 {
			return []byte{}
		}
	}
	return fmt.Appendf([]byte{0, 0xff}, "%s %d", c.Name, i)
}
