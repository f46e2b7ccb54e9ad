package web_test

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// budgets are the maximum sizes of the programs that a browser loads, in bytes: decoded, and as `make release` compresses them with brotli.
// Imports are expensive here: net/http and its TLS alone cost megabytes.
var budgets = map[string]struct{ decoded, smallest int64 }{
	"app":     {15_750_000, 2_550_000},
	"console": {7_200_000, 1_360_000},
	"trial":   {6_500_000, 1_290_000},
	"desk":    {6_850_000, 1_310_000},
}

// The sizes are checked if built programs exist. Otherwise the test is skipped, unless FORMGRAPH_BUILT promises a build, "small" one by
// `make release`: then the absence is a failure.
func TestProgramSizes(t *testing.T) {
	built := os.Getenv("FORMGRAPH_BUILT")
	for name, budget := range budgets {
		file := filepath.Join("dist", name+".wasm")
		zipped, err := os.ReadFile(file + ".gz")
		if errors.Is(err, fs.ErrNotExist) && built == "" {
			t.Skip("the programs are not built, so they have no size: run make wasm")
		}
		if err != nil || len(zipped) < 4 {
			t.Fatalf("%s.gz is missing or empty: run make wasm (%v)", file, err)
		}
		check(t, name, "decoded", int64(binary.LittleEndian.Uint32(zipped[len(zipped)-4:])), budget.decoded) // RFC 1952, section 2.3.1
		if built == "small" {
			info, err := os.Stat(file + ".br")
			if err != nil {
				t.Fatal(err)
			}
			check(t, name, "compressed", info.Size(), budget.smallest)
		}
	}
}

func check(t *testing.T, name, form string, size, budget int64) {
	t.Helper()
	t.Logf("%s has %d of %d bytes, %s", name, size, budget, form)
	if size == 0 || size > budget {
		t.Errorf("%s has %d bytes, %s, of %d in the budget; a new import is the usual reason for too many", name, size, form, budget)
	}
}
