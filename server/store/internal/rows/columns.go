// Package rows reads the rows of package store from the columns of an engine. The engines write their statements themselves; what a row
// becomes in Go is here once. Each function names the columns that it reads, in their order. It knows no SQL and returns the errors of
// Scan unchanged.
package rows

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// Scanner is a single row, or the current one of several.
type Scanner interface{ Scan(dest ...any) error }

// Value reads a row of one column.
func Value[T any](row Scanner) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}

// Millis returns the stored form of a time: milliseconds since 1970, which is store.Resolution.
func Millis(t time.Time) int64 { return t.UnixMilli() }

// Instant returns the time of a stored number, in UTC.
func Instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// Words is a list stored as a JSON array.
type Words []string

// Value writes the list; nil becomes the empty array.
func (w Words) Value() (driver.Value, error) {
	if w == nil {
		return "[]", nil
	}
	b, err := json.Marshal([]string(w))
	return string(b), err
}

// Scan reads the list; the empty array becomes nil.
func (w *Words) Scan(v any) error {
	*w = nil
	return scanJSON(v, "[]", (*[]string)(w))
}

// Texts is a map stored as a JSON object.
type Texts map[string]string

// Value writes the map; nil becomes the empty object.
func (t Texts) Value() (driver.Value, error) {
	if len(t) == 0 {
		return "{}", nil
	}
	b, err := json.Marshal(map[string]string(t))
	return string(b), err
}

// Scan reads the map; the empty object becomes nil.
func (t *Texts) Scan(v any) error {
	*t = nil
	return scanJSON(v, "{}", (*map[string]string)(t))
}

// scanJSON decodes the text of a column, unless it is that of an empty value.
func scanJSON(v any, empty string, out any) error {
	var text []byte
	switch v := v.(type) {
	case string:
		text = []byte(v)
	case []byte:
		text = v
	default:
		return fmt.Errorf("read JSON: have %T, want text", v)
	}
	if string(text) == empty {
		return nil
	}
	return json.Unmarshal(text, out)
}
