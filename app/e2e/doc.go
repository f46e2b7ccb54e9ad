// Package e2e tests the program from outside: a real server process with a real
// database, and a real browser driven with input events. Its tests have the
// build tag e2e; `make e2e` builds their requirements and runs them.
package e2e
