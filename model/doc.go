// Package model is the form data model: its tables, the checks, the partial
// update, and a typed view for code that draws and edits forms. The browser,
// the server and the command line all use it.
//
// A form is a tree (package schema) with a typed view of it. The tree is the source of truth: it keeps what the tables do not list, so a
// form that another program wrote passes through unchanged, valid or not. The typed values are read from it once and are immutable. An edit
// makes a new tree and derives a new Form that shares every node it did not change.
//
// The package does no I/O and knows neither the screen nor the network.
//
// A property is one row of a table (kind_*.go, nodekind.go, tables.go). The checks, the inspector, the palette and the defaults follow from
// it. What a string means beyond its rule is its role, so no reader depends on a kind or a property by name. A test repeats the rows of the
// specification by hand and fails for a row without a case; another adds a kind and runs it through all readers.
//
// Form.At finds what contains a path; nothing else parses a path.
package model
