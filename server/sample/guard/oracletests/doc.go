// Package oracletests sends the same random requests to the guard, to the middleware that the vendor made
// for the same purpose, and to an oracle that was written from the RFCs and shares no code with either.
// The guard must answer as the oracle does; where the vendor answers differently, a named exception says why.
// It is a module of its own, so that nothing of the vendor's enters the product's. `make test-oracle` runs
// it with a million requests.
package oracletests
