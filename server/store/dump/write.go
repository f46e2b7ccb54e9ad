package dump

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// format is the first word of a backup, and version the version of its layout.
const (
	format  = "formgraph backup"
	version = 1
)

// A backup is a gzip stream of records: the kind, the length of the content as a uvarint, and the content in CBOR (RFC 8949). The header
// comes first. Each table begins with its description, which its rows follow. The end has the SHA-256 of everything before it.
const (
	kindHeader = 'h' // Header
	kindTable  = 't' // described
	kindRow    = 'r' // Row
	kindEnd    = 'e' // end
)

// maxRecord bounds a record. Forms are the largest rows, and much smaller.
const maxRecord = 256 << 20

// Header describes a backup.
type Header struct {
	Format  string    `cbor:"format"`
	Version int       `cbor:"version"` // of the layout
	Schema  int       `cbor:"schema"`  // of the tables
	Made    time.Time `cbor:"made"`
	Program string    `cbor:"program"` // the version of the program that made it
}

// described is the description of a table in a backup.
type described struct {
	Table   string   `cbor:"table"`
	Columns []string `cbor:"columns"`
	Last    int64    `cbor:"last"`
}

// end is the last record of a backup.
type end struct {
	Sum []byte `cbor:"sum"`
}

// writer writes records.
type writer struct {
	to  io.Writer
	sum hash.Hash // of what was written
}

func (w *writer) put(kind byte, v any) error {
	content, err := cbor.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode backup: %w", err)
	}
	if len(content) > maxRecord {
		return fmt.Errorf("encode backup: a row has %d bytes, more than %d", len(content), maxRecord)
	}
	head := binary.AppendUvarint([]byte{kind}, uint64(len(content)))
	for _, b := range [][]byte{head, content} {
		w.sum.Write(b) // never fails
		if _, err := w.to.Write(b); err != nil {
			return fmt.Errorf("write backup: %w", err)
		}
	}
	return nil
}

// Write writes all rows of a source as a backup, and returns their digests. made and program are for the header. progress may be nil. After
// an error, what was written is no backup.
func Write(ctx context.Context, to io.Writer, from Source, made time.Time, program string, progress Progress) (Digests, error) {
	zipped := gzip.NewWriter(to)
	w := &writer{zipped, sha256.New()}
	header := Header{Format: format, Version: version, Schema: Schema, Made: made.UTC().Truncate(time.Second), Program: program}
	if err := w.put(kindHeader, header); err != nil {
		return nil, err
	}
	ds := Digests{}
	err := from.Each(ctx, func(t Table, last int64) error {
		return w.put(kindTable, described{t.Name, t.Names(), last})
	}, func(t Table, r Row) error {
		d := ds[t.Name]
		if err := d.add(r); err != nil {
			return err
		}
		ds[t.Name] = d
		if progress != nil && d.Rows%batchRows == 0 {
			progress(t.Name, d.Rows)
		}
		return w.put(kindRow, r)
	})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(w.put(kindEnd, end{w.sum.Sum(nil)}), zipped.Close()); err != nil {
		return nil, fmt.Errorf("write backup: %w", err)
	}
	return ds, nil
}
