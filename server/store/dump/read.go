package dump

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"github.com/formgraph/formgraph/server/store"
)

// ErrNoBackup is returned for a file that is not a backup.
var ErrNoBackup = errors.New("this is not a backup of formgraph")

// ErrDamaged is returned for a backup that is cut off or was changed.
var ErrDamaged = errors.New("the backup is damaged or incomplete")

// File is a backup that is being read. It is a Source, which can be read once.
type File struct {
	Header Header

	from   *bufio.Reader
	sum    hash.Hash
	tables []Table // whose descriptions have not come yet
	layout layout  // of the current table
}

// layout says how the rows of a table are read.
type layout struct {
	table Table
	at    []int // for each column, its place in the file; -1 if the file does not have it
	width int   // the number of columns in the file
}

// decoding accepts texts that are not UTF-8, which SQLite stores, reads integers as int64, and matches names case-sensitively: no changed
// bit may go unnoticed.
var decoding = func() cbor.DecMode {
	m, err := cbor.DecOptions{
		UTF8: cbor.UTF8DecodeInvalid, IntDec: cbor.IntDecConvertSignedOrFail, DupMapKey: cbor.DupMapKeyEnforcedAPF,
		FieldNameMatching: cbor.FieldNameMatchingCaseSensitive,
	}.DecMode()
	if err != nil {
		panic("dump: " + err.Error()) // only for options that contradict each other
	}
	return m
}()

// Open reads the header of a backup. It returns ErrNoBackup or ErrDamaged if it is none, and store.ErrNewer if a newer program made it.
func Open(from io.Reader) (*File, error) {
	zipped, err := gzip.NewReader(from)
	if err != nil {
		return nil, ErrNoBackup
	}
	f := &File{from: bufio.NewReader(zipped), sum: sha256.New(), tables: Tables()}
	if first, err := f.from.Peek(1); err != nil || first[0] != kindHeader {
		return nil, ErrNoBackup
	}
	_, content, err := f.record()
	if err != nil {
		return nil, err
	}
	if decoding.Unmarshal(content, &f.Header) != nil || f.Header.Format != format {
		return nil, ErrNoBackup
	}
	if h := f.Header; h.Version > version || h.Schema > Schema {
		return nil, fmt.Errorf("%w: the backup of %s was made by formgraph %s: restore it with that version or a newer one",
			store.ErrNewer, h.Made.Format("2006-01-02"), h.Program)
	}
	return f, nil
}

// damaged returns ErrDamaged with a reason.
func damaged(reason string) error { return fmt.Errorf("%w: %s", ErrDamaged, reason) }

// record reads the next record.
func (f *File) record() (kind byte, content []byte, err error) {
	fail := func(err error) (byte, []byte, error) {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, nil, damaged("it ends too early")
		}
		return 0, nil, damaged(err.Error())
	}
	if kind, err = f.from.ReadByte(); err != nil {
		return fail(err)
	}
	size, err := binary.ReadUvarint(f.from)
	if err != nil {
		return fail(err)
	}
	if size > maxRecord {
		return fail(fmt.Errorf("a record has %d bytes", size))
	}
	// The buffer grows as content arrives, so a wrong size costs no memory.
	var b bytes.Buffer
	if _, err := io.CopyN(&b, f.from, int64(size)); err != nil {
		return fail(err)
	}
	if kind != kindEnd {
		f.sum.Write(binary.AppendUvarint([]byte{kind}, size)) // never fails
		f.sum.Write(b.Bytes())
	}
	return kind, b.Bytes(), nil
}

// Each implements Source. It returns ErrDamaged if the backup is not whole: what it has yielded before must then be discarded.
func (f *File) Each(ctx context.Context, begin func(Table, int64) error, row func(Table, Row) error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		kind, content, err := f.record()
		if err != nil {
			return err
		}
		switch kind {
		case kindTable:
			var d described
			if err := decoding.Unmarshal(content, &d); err != nil {
				return damaged(err.Error())
			}
			if err := f.begin(d); err != nil {
				return err
			}
			if err := begin(f.layout.table, d.Last); err != nil {
				return err
			}
		case kindRow:
			r, err := f.layout.row(content)
			if err != nil {
				return err
			}
			if err := row(f.layout.table, r); err != nil {
				return err
			}
		case kindEnd:
			return f.end(content)
		default:
			return damaged("a record is of an unknown kind")
		}
	}
}

// begin prepares for the rows of a table. A backup of an older program may lack tables and columns.
func (f *File) begin(d described) error {
	i := slices.IndexFunc(f.tables, func(t Table) bool { return t.Name == d.Table })
	if i < 0 {
		return damaged("it has a table that this program does not know: " + d.Table)
	}
	if i > 0 && f.Header.Schema == Schema {
		return damaged("it lacks table " + f.tables[0].Name)
	}
	f.layout = layout{table: f.tables[i], width: len(d.Columns)}
	f.tables = f.tables[i+1:]
	for _, name := range d.Columns {
		if f.layout.table.Index(name) < 0 {
			return damaged("it has a column that this program does not know: " + d.Table + "." + name)
		}
	}
	for _, c := range f.layout.table.Columns {
		at := slices.Index(d.Columns, c.Name)
		if at < 0 && (c.Default == nil || f.Header.Schema == Schema) {
			return damaged("it lacks column " + d.Table + "." + c.Name)
		}
		f.layout.at = append(f.layout.at, at)
	}
	return nil
}

// row reads a row.
func (l layout) row(content []byte) (Row, error) {
	var found []any
	if err := decoding.Unmarshal(content, &found); err != nil || len(found) != l.width {
		return nil, damaged("a row of table " + l.table.Name + " cannot be read")
	}
	r := make(Row, len(l.at))
	for i, c := range l.table.Columns {
		if r[i] = c.Default; l.at[i] >= 0 {
			r[i] = found[l.at[i]]
		}
		if !c.Kind.has(r[i]) {
			return nil, damaged("a row of table " + l.table.Name + " has a wrong value in column " + c.Name)
		}
	}
	return r, nil
}

// has reports whether v is a value of the kind.
func (k Kind) has(v any) (ok bool) {
	switch k {
	case Text, List, Map:
		_, ok = v.(string)
	case Number:
		_, ok = v.(int64)
	case Switch:
		_, ok = v.(bool)
	case Bytes:
		_, ok = v.([]byte)
	case Secret:
		if _, ok = v.([]byte); v == nil {
			ok = true
		}
	}
	return ok
}

// end compares the whole backup with its last record.
func (f *File) end(content []byte) error {
	var e end
	if err := decoding.Unmarshal(content, &e); err != nil {
		return damaged(err.Error())
	}
	if !bytes.Equal(e.Sum, f.sum.Sum(nil)) {
		return damaged("its checksum is wrong")
	}
	if len(f.tables) > 0 && f.Header.Schema == Schema {
		return damaged("it lacks table " + f.tables[0].Name)
	}
	// Reading to the end verifies the checksum of gzip.
	if _, err := f.from.ReadByte(); !errors.Is(err, io.EOF) {
		return damaged("something follows its end")
	}
	return nil
}
