// Package clienttests runs third-party clients, unchanged, against a real server: what they do with the vendor's tenant they can do with
// ours. It also runs the editor in front of a third-party tenant, and behind proxies. It is a separate module, which keeps their
// dependencies out of the product's. `make test-clients` runs it.
package clienttests
