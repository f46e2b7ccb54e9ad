package sqlite

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// millis and instant convert times to and from the stored integers.
func millis(t time.Time) int64   { return t.UnixMilli() }
func instant(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// words is a list stored as a JSON array.
type words []string

// Value writes the list; nil becomes the empty array.
func (w words) Value() (driver.Value, error) {
	if w == nil {
		return "[]", nil
	}
	b, err := json.Marshal([]string(w))
	return string(b), err
}

// Scan reads the list; the empty array becomes nil.
func (w *words) Scan(v any) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("read list: have %T, want text", v)
	}
	*w = nil
	if s == "[]" {
		return nil
	}
	return json.Unmarshal([]byte(s), (*[]string)(w))
}

// texts is a map stored as a JSON object.
type texts map[string]string

// Value writes the map; nil becomes the empty object.
func (t texts) Value() (driver.Value, error) {
	if len(t) == 0 {
		return "{}", nil
	}
	b, err := json.Marshal(map[string]string(t))
	return string(b), err
}

// Scan reads the map; the empty object becomes nil.
func (t *texts) Scan(v any) error {
	s, ok := v.(string)
	if !ok {
		return fmt.Errorf("read map: have %T, want text", v)
	}
	*t = nil
	if s == "{}" {
		return nil
	}
	return json.Unmarshal([]byte(s), (*map[string]string)(t))
}
