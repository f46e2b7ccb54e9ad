package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// A program contains a table of its functions. The runtime finds there the name of a function, the size of its frame, the pointers in the frame,
// and the file and line of each instruction. Files and lines serve only stack traces, and are 8 % of the compressed program. The layout of the
// table is that of runtime.pcHeader and runtime._func in the toolchain's source.
const (
	tableHeader = 72 // size of pcHeader on wasm, whose pointers have 8 bytes
	funcHeader  = 44 // size of _func, which its tables follow

	// Offsets in _func.
	atFrame     = 16 // pcsp
	atFile      = 20 // pcfile
	atLine      = 24 // pcln
	atCount     = 28 // npcdata
	atUnit      = 32 // cuOffset
	atStartLine = 36
)

// tableMagic is the beginning of the table: the magic number of Go 1.20 and later, two zeros, the size of the smallest instruction, and that of
// a pointer.
var tableMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

var errTable = errors.New("the table of functions is not as this toolchain writes it")

// dropLines removes the files and lines from the table of functions of a module that joinData has returned, in place. Functions keep their
// names, so stack traces still name what was called. A module without a table stays as it is.
func dropLines(module []byte) error {
	for r := (reader{rest: module[len(header):]}); len(r.rest) > 0; {
		id, content := r.byte(), r.bytes()
		if r.err != nil {
			return fmt.Errorf("drop lines: %w", r.err)
		}
		if id != dataSection {
			continue
		}
		segments, err := readSegments(content)
		for i := 0; i < len(segments) && err == nil; i++ {
			err = dropLinesOf(segments[i].data)
		}
		if err != nil {
			return fmt.Errorf("drop lines: %w", err)
		}
	}
	return nil
}

// dropLinesOf removes the files and lines from the table of functions in a segment, if it contains one.
func dropLinesOf(data []byte) error {
	for {
		i := bytes.Index(data, tableMagic)
		if i < 0 || len(data)-i < tableHeader {
			return nil
		}
		t := data[i:]
		field := func(i int) uint64 { return binary.LittleEndian.Uint64(t[8*i:]) }
		funcs, names, units, files, values, table := field(1), field(4), field(5), field(6), field(7), field(8)
		if names != tableHeader || units < names || files < units || values < files || table < values || table > uint64(len(t)) {
			data = t[1:] // the same bytes elsewhere
			continue
		}
		clear(t[units:values]) // which files the units of compilation have, and the names of the files
		return compactValues(t[values:table], t[table:], funcs)
	}
}

// compactValues removes the files and lines from the values of instructions, and moves the others together. table has the functions.
func compactValues(values, table []byte, funcs uint64) error {
	var kept []byte
	moved := map[uint32]uint32{0: 0} // from old offsets to new ones; 0 means that there is no value
	keep := func(field []byte) error {
		old := binary.LittleEndian.Uint32(field)
		now, ok := moved[old]
		if !ok {
			of, err := valuesAt(values, old)
			if err != nil {
				return err
			}
			now = uint32(1 + len(kept)) //nolint:gosec // less than what it comes from
			kept, moved[old] = append(kept, of...), now
		}
		binary.LittleEndian.PutUint32(field, now)
		return nil
	}
	if uint64(len(table))/8 < funcs {
		return errTable
	}
	for i := range funcs {
		start := uint64(binary.LittleEndian.Uint32(table[8*i+4:]))
		if start+funcHeader > uint64(len(table)) {
			return errTable
		}
		f := table[start:]
		for _, of := range []int{atFile, atLine, atUnit, atStartLine} {
			clear(f[of : of+4])
		}
		count := uint64(binary.LittleEndian.Uint32(f[atCount:]))
		if uint64(len(f)) < funcHeader+4*count {
			return errTable
		}
		if err := keep(f[atFrame:]); err != nil {
			return err
		}
		for j := range count {
			if err := keep(f[funcHeader+4*j:]); err != nil {
				return err
			}
		}
	}
	clear(values)
	copy(values[1:], kept)
	return nil
}

// valuesAt returns the bytes of the values that begin at an offset: pairs of numbers, the differences of the value and of the instruction's
// address, and a zero.
func valuesAt(values []byte, offset uint32) ([]byte, error) {
	if uint64(offset) >= uint64(len(values)) {
		return nil, errTable
	}
	r := reader{rest: values[offset:]}
	for first := true; r.uint() != 0 || first; first = false {
		r.uint()
		if r.err != nil {
			return nil, errTable
		}
	}
	if r.err != nil {
		return nil, errTable
	}
	return values[offset : len(values)-len(r.rest)], nil
}
