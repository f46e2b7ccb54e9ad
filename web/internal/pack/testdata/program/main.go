// Command program is a program for the browser, for tests. With an argument it ends in a panic.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

func main() {
	fmt.Println(deep(1000, "hello"))
	if len(os.Args) > 1 {
		fail()
	}
}

// deep lets the stack grow and be searched for pointers, by which the runtime reads the table of functions.
//
//go:noinline
func deep(n int, text string) string {
	s := strings.Clone(text)
	if n == 0 {
		runtime.GC()
		return s
	}
	got := deep(n-1, s)
	if s != got {
		panic("lost a string")
	}
	return got
}

//go:noinline
func fail() { panic("as asked") }
