// Package model is the form data model: its tables, the checks, the partial
// update, and a typed view for code that draws and edits forms. The browser,
// the server and the command line all use it.
//
// A form is a tree (package schema) with a typed view of it. The tree is the source of truth: it keeps what the tables do not list, so a
// form that another program wrote passes through unchanged, valid or not. The typed values are read from it once and are immutable. An edit
// makes a new tree and derives a new Form that shares every node it did not change.
//
// The package does no I/O and knows neither the screen nor the network.
package model
