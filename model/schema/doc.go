// Package schema is the language of the tables of package model: JSON values as
// trees, paths into them, problems, and rules.
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
