// Command program is a program for the browser that ends in a panic, for tests.
package main

func main() { fail() }

//go:noinline
func fail() { panic("as asked") }
