package dump

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
)

// WriteTables returns a backup of tables with a row each and a changed header.
func WriteTables(tables []Table, change func(*Header)) []byte {
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := &writer{zipped, sha256.New()}
	h := Header{Format: format, Version: version, Schema: Schema}
	change(&h)
	err := w.put(kindHeader, h)
	for _, t := range tables {
		r := make(Row, len(t.Columns))
		for i, c := range t.Columns {
			r[i] = map[Kind]any{Text: "", Number: 1, Switch: true, Bytes: []byte{1}, List: "[]", Map: "{}"}[c.Kind]
		}
		err = errors.Join(err, w.put(kindTable, described{Table: t.Name, Columns: t.Names()}), w.put(kindRow, r))
	}
	if err := errors.Join(err, w.put(kindEnd, end{w.sum.Sum(nil)}), zipped.Close()); err != nil {
		panic(err)
	}
	return b.Bytes()
}
