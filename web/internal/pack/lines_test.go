package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program without lines runs as before, grows and searches its stack, and names its functions when it ends in a panic.
func TestDropLines(t *testing.T) {
	module, err := joinData(buildProgram(t))
	if err != nil {
		t.Fatal(err)
	}
	size := func() int {
		packed, err := compress(module, gzipped)
		if err != nil {
			t.Fatal(err)
		}
		return len(packed)
	}
	before := size()
	if got := runProgram(t, module); !strings.Contains(got, "main.go:") {
		t.Fatalf("the trace before has no lines, so the test shows nothing: %s", got)
	}
	if err := dropLines(module); err != nil {
		t.Fatal(err)
	}
	got := runProgram(t, module)
	if !strings.HasPrefix(got, "hello\n") || !strings.Contains(got, "panic: as asked") || !strings.Contains(got, "main.fail(") || strings.Contains(got, ".go:") {
		t.Errorf("got %s", got)
	}
	if after := size(); after*100 > before*97 {
		t.Errorf("%d bytes became %d", before, after)
	}
	again := bytes.Clone(module)
	if err := dropLines(again); err != nil || !bytes.Equal(again, module) {
		t.Errorf("dropping again changed the module: %v", err)
	}
}

// runProgram returns the output of testdata/program when it ends in a panic.
func runProgram(t *testing.T, module []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "program.wasm")
	if err := os.WriteFile(name, module, 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec"), name, "panic").CombinedOutput()
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		t.Fatalf("run: %v: %s", err, out)
	}
	return string(out)
}

// A table that is not as expected is refused, not half changed.
func TestDropLinesRefuses(t *testing.T) {
	module, err := joinData(buildProgram(t))
	if err != nil {
		t.Fatal(err)
	}
	i := bytes.Index(module, tableMagic)
	for name, spoil := range map[string]func(table []byte){
		"more functions than the table has": func(table []byte) { copy(table[8:], "\xff\xff\xff\xff") },
		"values outside their table":        func(table []byte) { copy(table[56:64], table[64:72]) },
	} {
		bad := bytes.Clone(module)
		spoil(bad[i:])
		if err := dropLines(bad); !errors.Is(err, errTable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := bytes.Clone(module)
	copy(other[i+32:], "\x01") // the names do not follow the header: the bytes are something else
	if err := dropLines(other); err != nil {
		t.Errorf("something else: %v", err)
	}
}
