package web_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// wasmBudgets are the maximum sizes of the programs that a browser loads, in
// bytes of brotli. Imports are expensive here: net/http and its TLS alone cost
// megabytes.
var wasmBudgets = map[string]int64{"app": 1_900_000, "console": 1_120_000, "trial": 1_260_000, "desk": 1_200_000}

// The size is checked if a built program exists. Otherwise the test is skipped,
// unless a build was promised: then the absence is a failure.
func TestWasmSize(t *testing.T) {
	for name, budget := range wasmBudgets {
		file := name + ".wasm.br"
		info, err := os.Stat(filepath.Join("dist", file))
		if errors.Is(err, fs.ErrNotExist) {
			if os.Getenv("FORMGRAPH_BUILT") == "1" {
				t.Fatalf("web/dist/%s is missing: run make wasm", file)
			}
			t.Skip("the programs are not built, so they have no size: run make wasm")
		}
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() == 0 {
			t.Fatalf("web/dist/%s is empty: run make wasm", file)
		}
		t.Logf("%s has %d of %d bytes", file, info.Size(), budget)
		if over := info.Size() - budget; over > 0 {
			t.Errorf("%s has %d bytes, %d more than the %d of the budget; a new import is the usual reason", file, info.Size(), over, budget)
		}
	}
}
