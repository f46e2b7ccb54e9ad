package dump

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
)

// WriteTables returns a backup of empty tables with a changed header.
func WriteTables(tables []Table, change func(*Header)) []byte {
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	w := &writer{zipped, sha256.New()}
	h := Header{Format: format, Version: version, Schema: Schema}
	change(&h)
	err := w.put(kindHeader, h)
	for _, t := range tables {
		err = errors.Join(err, w.put(kindTable, described{Table: t.Name, Columns: t.Names()}))
	}
	if err := errors.Join(err, w.put(kindEnd, end{w.sum.Sum(nil)}), zipped.Close()); err != nil {
		panic(err)
	}
	return b.Bytes()
}
