package versions

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
)

// A body begins with a byte that says whether the rest is compressed, and the checksum of the text that it makes. The rest is the text, or
// edits of another one.
//
// Edits are of texts and not of trees: a text keeps the order of members, edits of a list that got longer are as small as others, and
// a chain of edits is applied without reading a tree for each.
const (
	plain    = 0
	deflated = 1
	headSize = 5
)

// maxText bounds a text in bytes, twice what a form may have.
const maxText = 4 * schema.MaxBytes

// ErrDamaged means that a version cannot be read: its row has been changed.
var ErrDamaged = errors.New("the version is damaged")

// incompressible is the size in bytes below which contents are not compressed: a few bytes are not worth the time.
const incompressible = 100

// pack returns the body of a text or of edits; sum is the checksum of the text.
func pack(sum uint32, content []byte) []byte {
	head := binary.BigEndian.AppendUint32([]byte{deflated}, sum)
	if len(content) >= incompressible {
		b := bytes.NewBuffer(head)
		w, err := flate.NewWriter(b, flate.DefaultCompression)
		if err != nil {
			panic(err) // the level exists
		}
		_, _ = w.Write(content) // a buffer never fails
		_ = w.Close()
		if b.Len() < headSize+len(content) {
			return b.Bytes()
		}
	}
	head[0] = plain
	return append(head[:headSize:headSize], content...)
}

// unpack returns the checksum and the content of a body.
func unpack(body []byte) (sum uint32, content []byte, err error) {
	if len(body) < headSize || body[0] > deflated {
		return 0, nil, fmt.Errorf("%w: it has no head", ErrDamaged)
	}
	sum, content = binary.BigEndian.Uint32(body[1:]), body[headSize:]
	if body[0] == plain {
		return sum, content, nil
	}
	content, err = io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(content)), maxText+1))
	if err != nil || len(content) > maxText {
		return 0, nil, fmt.Errorf("%w: its body cannot be inflated", ErrDamaged)
	}
	return sum, content, nil
}

// whole returns the body of a text.
func whole(text []byte) []byte { return pack(crc32.ChecksumIEEE(text), text) }

// wholeShare bounds the size of edits: more than this fraction, one third, of the size of the whole form are not worth it, since reading a version
// applies all edits since the last whole form.
const wholeShare = 3

// certain is the fraction of a text, one two-hundredth, below which edits are certainly smaller than wholeShare of the compressed text, so that the
// text need not be compressed.
const certain = 200

// edited returns the body of a text as edits of another, or nil if the whole form is better.
func edited(base, text []byte) []byte {
	body := pack(crc32.ChecksumIEEE(text), edits(base, text))
	if len(body) > len(text)/certain && len(body) > len(whole(text))/wholeShare {
		return nil
	}
	return body
}

// textOf returns the text of the last version of a chain, as store.Versions returns it.
func textOf(chain []store.Version) ([]byte, error) {
	var text, spare []byte
	var sum uint32
	for i, v := range chain {
		s, content, err := unpack(v.Body)
		if err == nil && i > 0 {
			if spare == nil {
				spare = make([]byte, 0, len(text)+len(text)/8)
			}
			content, err = apply(spare[:0], text, content)
			if spare = text; i == 1 {
				spare = nil // it may be that of the row
			}
		}
		if err != nil {
			return nil, fmt.Errorf("version %d: %w", v.Number, err)
		}
		sum, text = s, content
	}
	if crc32.ChecksumIEEE(text) != sum {
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrDamaged)
	}
	return text, nil
}

// blockSize is the size of the blocks of the base that edits find again, wherever they are.
const blockSize = 16

// small is the size of a changed part in bytes below which looking for its blocks is not worth it.
const small = 200

// edits returns the edits that turn a into b: a list of copies from a and of new bytes.
func edits(a, b []byte) []byte {
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	w := appendCopy(nil, 0, start)
	if middle := b[start : len(b)-end]; len(middle) < small || len(a) > math.MaxInt32 {
		w = appendNew(w, middle)
	} else {
		w = appendFound(w, a, middle)
	}
	return appendCopy(w, len(a)-end, end)
}

// appendFound appends the edits that make b from the blocks of a.
func appendFound(w, a, b []byte) []byte {
	blocks := make(map[[blockSize]byte]int32, len(a)/blockSize)
	for at := len(a)/blockSize*blockSize - blockSize; at >= 0; at -= blockSize {
		blocks[[blockSize]byte(a[at:])] = int32(at) //nolint:gosec // the caller has compared it
	}
	written := 0 // up to here
	for i := 0; i+blockSize <= len(b); {
		found, ok := blocks[[blockSize]byte(b[i:])]
		if !ok {
			i++
			continue
		}
		at, n := int(found), blockSize
		for at+n < len(a) && i+n < len(b) && a[at+n] == b[i+n] {
			n++
		}
		for at > 0 && i > written && a[at-1] == b[i-1] {
			at, i, n = at-1, i-1, n+1
		}
		w = appendCopy(appendNew(w, b[written:i]), at, n)
		i += n
		written = i
	}
	return appendNew(w, b[written:])
}

// appendCopy appends the edit that copies n bytes of the base.
func appendCopy(w []byte, at, n int) []byte {
	if n == 0 {
		return w
	}
	return binary.AppendUvarint(binary.AppendUvarint(w, uint64(n)<<1|1), uint64(at)) //nolint:gosec // neither is negative
}

// appendNew appends the edit that adds bytes.
func appendNew(w, b []byte) []byte {
	if len(b) == 0 {
		return w
	}
	return append(binary.AppendUvarint(w, uint64(len(b))<<1), b...)
}

// apply returns the text that edits make of a base, appended to an empty slice that does not share its memory.
func apply(text, base, edits []byte) ([]byte, error) {
	wrong := fmt.Errorf("%w: its edits are not of its base", ErrDamaged)
	for len(edits) > 0 {
		op, size := binary.Uvarint(edits)
		n := op >> 1
		if size <= 0 || n > maxText || len(text)+int(n) > maxText {
			return nil, wrong
		}
		edits = edits[size:]
		if op&1 == 0 {
			if n > uint64(len(edits)) {
				return nil, wrong
			}
			text, edits = append(text, edits[:n]...), edits[n:]
			continue
		}
		at, size := binary.Uvarint(edits)
		if size <= 0 || at > uint64(len(base)) || n > uint64(len(base))-at {
			return nil, wrong
		}
		text, edits = append(text, base[at:at+n]...), edits[size:]
	}
	return text, nil
}
