package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// maxZeros is the length in bytes of the longest run of zeros that joinData writes out. Longer runs stay holes between segments.
const maxZeros = 1024

// Numbers of the WebAssembly binary format: https://webassembly.github.io/spec/core/binary/modules.html
const (
	dataSection = 11
	opI32Const  = 0x41
	opEnd       = 0x0b
	header      = "\x00asm\x01\x00\x00\x00"
)

// segment is a piece of a program's initial memory.
type segment struct {
	offset int64
	data   []byte
}

// joinData returns a module with the same initial memory in as few data segments as maxZeros allows. The toolchain's linker starts a new
// segment after each eight zeros, which is small before compression and large after it: the heads of a hundred thousand segments,
// which no repetition predicts, cost 6 % of the compressed program.
func joinData(module []byte) ([]byte, error) {
	if !bytes.HasPrefix(module, []byte(header)) {
		return nil, errors.New("join data segments: not a WebAssembly module of version 1")
	}
	out := append(make([]byte, 0, 2*len(module)), header...)
	for r := (reader{rest: module[len(header):]}); len(r.rest) > 0; {
		id := r.byte()
		content := r.bytes()
		if r.err == nil && id == dataSection {
			var segments []segment
			segments, r.err = readSegments(content)
			if r.err == nil {
				content, r.err = writeSegments(segments)
			}
		}
		if r.err != nil {
			return nil, fmt.Errorf("join data segments: %w", r.err)
		}
		out = binary.AppendUvarint(append(out, id), uint64(len(content)))
		out = append(out, content...)
	}
	return out, nil
}

// readSegments returns the segments of a data section in the order of their offsets. It refuses segments that the toolchain does not write:
// passive ones, those of a second memory, and those with a computed offset.
func readSegments(section []byte) ([]segment, error) {
	r := reader{rest: section}
	segments := make([]segment, 0, min(r.uint(), uint64(len(section))))
	for range cap(segments) {
		if kind, op := r.byte(), r.byte(); r.err == nil && (kind != 0 || op != opI32Const) {
			return nil, errors.New("a segment is not active at a constant offset")
		}
		offset := r.int32()
		if r.byte() != opEnd && r.err == nil {
			return nil, errors.New("the offset of a segment is an expression")
		}
		segments = append(segments, segment{offset: offset, data: r.bytes()})
	}
	if r.err == nil && len(r.rest) > 0 {
		r.err = errors.New("bytes follow the last segment")
	}
	slices.SortStableFunc(segments, func(a, b segment) int { return cmp.Compare(a.offset, b.offset) })
	return segments, r.err
}

// writeSegments returns a data section of the segments, which are in the order of their offsets. Segments that overlap are an error.
func writeSegments(segments []segment) ([]byte, error) {
	var joined []segment
	for _, s := range segments {
		if len(s.data) == 0 {
			continue
		}
		if len(joined) > 0 {
			last := &joined[len(joined)-1]
			zeros := s.offset - last.offset - int64(len(last.data))
			if zeros < 0 {
				return nil, errors.New("two segments overlap")
			}
			if zeros <= maxZeros {
				last.data = append(append(last.data, make([]byte, zeros)...), s.data...)
				continue
			}
		}
		joined = append(joined, segment{offset: s.offset, data: slices.Clone(s.data)})
	}
	out := binary.AppendUvarint(nil, uint64(len(joined)))
	for _, s := range joined {
		out = appendInt(append(out, 0, opI32Const), int32(s.offset)) //nolint:gosec // read as an address of 32 bits
		out = binary.AppendUvarint(append(out, opEnd), uint64(len(s.data)))
		out = append(out, s.data...)
	}
	return out, nil
}

// appendInt appends the signed LEB128 form of n.
func appendInt(out []byte, n int32) []byte {
	for n < -0x40 || n >= 0x40 {
		out = append(out, byte(n&0x7f)|0x80)
		n >>= 7
	}
	return append(out, byte(n&0x7f))
}

// reader reads a module from its beginning. After an error it returns zeros.
type reader struct {
	rest []byte
	err  error
}

var errShort = errors.New("the module ends too early")

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		r.fail(errShort)
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// uint reads an unsigned LEB128 number.
func (r *reader) uint() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.fail(errShort)
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

// int32 reads a signed LEB128 number of 32 bits and returns it as an address, which is unsigned.
func (r *reader) int32() int64 {
	var n int64
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		n |= int64(b&0x7f) << shift
		if b&0x80 == 0 {
			if b&0x40 != 0 {
				n |= -1 << (shift + 7)
			}
			return n & math.MaxUint32
		}
	}
	r.fail(errors.New("an offset has more than 32 bits"))
	return 0
}

// bytes reads a length and as many bytes.
func (r *reader) bytes() []byte {
	n := r.uint()
	if n > uint64(len(r.rest)) {
		r.fail(errShort)
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) fail(err error) {
	r.rest = nil
	if r.err == nil {
		r.err = err
	}
}
