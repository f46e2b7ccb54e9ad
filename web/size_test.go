package web_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// wasmBudget bounds what a browser loads before the editor runs, in bytes of
// app.wasm as brotli. An import is dear here: net/http and its TLS alone cost
// megabytes.
const wasmBudget = 1_700_000

// The size is judged wherever a built app lies. Without one the test has nothing
// to look at; where a build was promised, its absence is a failure.
func TestWasmSize(t *testing.T) {
	info, err := os.Stat(filepath.Join("dist", "app.wasm.br"))
	if errors.Is(err, fs.ErrNotExist) {
		if os.Getenv("FORMGRAPH_BUILT") == "1" {
			t.Fatal("web/dist/app.wasm.br is missing: run make wasm")
		}
		t.Skip("the app is not built, so it has no size: run make wasm")
	}
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() == 0 {
		t.Fatal("web/dist/app.wasm.br is empty: run make wasm")
	}
	t.Logf("app.wasm.br has %d of %d bytes", info.Size(), wasmBudget)
	if over := info.Size() - wasmBudget; over > 0 {
		t.Errorf("app.wasm.br has %d bytes, %d more than the %d of the budget; a new import is the usual reason", info.Size(), over, wasmBudget)
	}
}
