// Package clienttests runs clients that other people wrote against a real server, unchanged: what they do
// with the vendor's tenant they can do with ours. It is a module of its own, so that nothing of them enters
// the product's. `make test-clients` runs it.
package clienttests
