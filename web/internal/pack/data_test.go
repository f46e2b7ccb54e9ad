package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// section returns a section of a module.
func section(id byte, content string) string {
	return string(binary.AppendUvarint([]byte{id}, uint64(len(content)))) + content
}

// custom returns a module with nothing but a custom section.
func custom(text string) []byte { return []byte(header + section(0, text)) }

func TestJoinData(t *testing.T) {
	before := header + section(0, "\x04nameabc")
	after := section(0, "\x03end")
	far := strings.Repeat("x", 70)
	for _, c := range []struct{ name, data, want string }{
		{"no segment", "\x00", "\x00"},
		{"neighbours", "\x02" + "\x00\x41\x08\x0b\x02ab" + "\x00\x41\x0d\x0b\x01c", "\x01" + "\x00\x41\x08\x0b\x06ab\x00\x00\x00c"},
		{"without a gap", "\x02" + "\x00\x41\x08\x0b\x02ab" + "\x00\x41\x0a\x0b\x01c", "\x01" + "\x00\x41\x08\x0b\x03abc"},
		{"in another order", "\x02" + "\x00\x41\x0a\x0b\x01c" + "\x00\x41\x08\x0b\x01a", "\x01" + "\x00\x41\x08\x0b\x03a\x00c"},
		{"an empty one", "\x02" + "\x00\x41\x08\x0b\x01a" + "\x00\x41\x09\x0b\x00", "\x01" + "\x00\x41\x08\x0b\x01a"},
		// The first byte after "a" is 9; 9 + 1024 = 1033, in LEB128 0x89 0x08.
		{"the longest gap", "\x02" + "\x00\x41\x08\x0b\x01a" + "\x00\x41\x89\x08\x0b\x01b", "\x01" + "\x00\x41\x08\x0b\x82\x08a" + strings.Repeat("\x00", 1024) + "b"},
		{"a longer gap", "\x02" + "\x00\x41\x08\x0b\x01a" + "\x00\x41\x8a\x08\x0b\x01b", "\x02" + "\x00\x41\x08\x0b\x01a" + "\x00\x41\x8a\x08\x0b\x01b"},
		// 64 needs two bytes, because bit 6 of the last byte is the sign. -1 is the address 0xffffffff.
		{"signs", "\x02" + "\x00\x41\x7f\x0b\x00" + "\x00\x41\xc0\x00\x0b\x46" + far, "\x01" + "\x00\x41\xc0\x00\x0b\x46" + far},
		{"the highest address", "\x01" + "\x00\x41\x7f\x0b\x01z", "\x01" + "\x00\x41\x7f\x0b\x01z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := joinData([]byte(before + section(dataSection, c.data) + after))
			if err != nil {
				t.Fatal(err)
			}
			if want := before + section(dataSection, c.want) + after; string(got) != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

func TestJoinDataRefuses(t *testing.T) {
	one := "\x01\x00\x41\x08\x0b\x01a"
	for name, module := range map[string]string{
		"nothing":           "",
		"another file":      "\x7fELF",
		"another version":   "\x00asm\x02\x00\x00\x00",
		"half a section":    (header + section(dataSection, one))[:len(header)+4],
		"a missing segment": header + section(dataSection, "\x02"+one[1:]),
		"more than said":    header + section(dataSection, "\x00"+one[1:]),
		"a passive segment": header + section(dataSection, "\x01\x01\x01a"),
		"another memory":    header + section(dataSection, "\x01\x02\x01\x41\x08\x0b\x01a"),
		"a global's value":  header + section(dataSection, "\x01\x00\x23\x00\x0b\x01a"),
		"an expression":     header + section(dataSection, "\x01\x00\x41\x08\x41\x01\x6a\x0b\x01a"),
		"a long offset":     header + section(dataSection, "\x01\x00\x41\x80\x80\x80\x80\x80\x00\x0b\x01a"),
		"an overlap":        header + section(dataSection, "\x02\x00\x41\x08\x0b\x02ab\x00\x41\x09\x0b\x01c"),
	} {
		if got, err := joinData([]byte(module)); err == nil {
			t.Errorf("%s: got %q, want an error", name, got)
		}
	}
}

// buildProgram returns the module of testdata/program, compiled as the programs are.
func buildProgram(t *testing.T) []byte {
	t.Helper()
	folder := t.TempDir()
	overlay, name := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "program.wasm")
	if err := os.WriteFile(overlay, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := compile(t.Context(), overlay, "-o", name, "./testdata/program"); err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// A program whose segments are joined runs as before, and names files and lines when it ends in a panic.
func TestJoinedProgramRuns(t *testing.T) {
	module, err := joinData(buildProgram(t))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "program.wasm")
	if err := os.WriteFile(name, module, 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := goroot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(root, "lib", "wasm", "go_js_wasm_exec"), name, "panic").CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		t.Fatalf("run: %v: %s", err, out)
	}
	if got := string(out); !strings.HasPrefix(got, "hello\n") || !strings.Contains(got, "panic: as asked") || !strings.Contains(got, "testdata/program/main.go:35") {
		t.Errorf("got %s", got)
	}
}

// A program of the toolchain begins with the same memory, and everything but its data section is the same.
func TestJoinDataOfProgram(t *testing.T) {
	module := buildProgram(t)
	joined, err := joinData(module)
	if err != nil {
		t.Fatal(err)
	}
	before, after := divide(t, module), divide(t, joined)
	if !bytes.Equal(before.memory, after.memory) || len(before.memory) == 0 {
		t.Errorf("the memory of %d bytes became another one of %d bytes", len(before.memory), len(after.memory))
	}
	if !bytes.Equal(before.others, after.others) {
		t.Error("another section has changed")
	}
	if before.segments < 1000 || after.segments > 100 {
		t.Errorf("%d segments became %d, want thousands to become few", before.segments, after.segments)
	}
	again, err := joinData(joined)
	if err != nil || !bytes.Equal(again, joined) {
		t.Errorf("joining again changed the module: %v", err)
	}
}

// divided is a module as its initial memory and everything else.
type divided struct {
	memory, others []byte
	segments       int
}

func divide(t *testing.T, module []byte) divided {
	t.Helper()
	var d divided
	r := reader{rest: module[len(header):]}
	for len(r.rest) > 0 {
		id, content := r.byte(), r.bytes()
		if id != dataSection {
			d.others = append(append(d.others, id), content...)
			continue
		}
		segments, err := readSegments(content)
		if err != nil {
			t.Fatal(err)
		}
		d.segments = len(segments)
		for _, s := range segments {
			if end := int(s.offset) + len(s.data); end > len(d.memory) {
				d.memory = append(d.memory, make([]byte, end-len(d.memory))...)
			}
			copy(d.memory[s.offset:], s.data)
		}
	}
	if r.err != nil {
		t.Fatal(r.err)
	}
	return d
}
