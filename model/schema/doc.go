// Package schema is the language in which package model writes the tables of
// the form data model: JSON values as trees, paths into them, problems, and the
// rules that a table lists.
//
// A document is decoded once, strictly, into a tree that keeps the order of
// members, and numbers as they were written. Everything else (validation, the
// typed view, patches, the inspector) reads that tree. Trees are immutable:
// an edit makes a new tree that shares what it did not change, so the identity
// of an object shows whether it changed.
//
// The package knows nothing about forms, files, HTTP or the screen, and imports
// only the standard library.
package schema
