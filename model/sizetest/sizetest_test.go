package sizetest_test

import (
	"runtime"
	"testing"

	"github.com/formgraph/formgraph/model/sizetest"
)

func TestOf(t *testing.T) {
	want := 20
	if testing.Short() || runtime.GOOS == "js" {
		want = 10
	}
	if got := sizetest.Of(0, 10, 20); got != want {
		t.Errorf("without a flag: got %d, want %d", got, want)
	}
	if got := sizetest.Of(15, 10, 20); got != 15 {
		t.Errorf("with a flag: got %d, want 15", got)
	}
}
