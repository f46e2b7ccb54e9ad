// Package e2e tests the program from outside: a real server process with a real
// database, and a real browser driven by input events. Its tests carry the build
// tag e2e; `make e2e` builds what they need and runs them.
package e2e
