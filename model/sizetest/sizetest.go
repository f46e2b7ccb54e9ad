// Package sizetest decides how many cases a large test tries. Only tests and test kits import it.
package sizetest

import (
	"runtime"
	"testing"
)

// Of returns how many cases a test tries, or how long it lasts: what a flag asks for, unless that is zero; the small form with -short and as
// WebAssembly, which takes several times as long for the same; otherwise the large form. The laws that such tests check do not depend on the
// machine, so the small form has to find what is often broken, and the large one, once a night, what is seldom.
func Of[N ~int | ~int64](flag, small, large N) N {
	switch {
	case flag != 0:
		return flag
	case testing.Short() || runtime.GOOS == "js":
		return small
	}
	return large
}
