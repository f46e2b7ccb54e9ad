// Command program is a program for the browser, for tests.
package main

import "fmt"

func main() { fmt.Println("hello") }
