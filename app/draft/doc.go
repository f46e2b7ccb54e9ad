// Package draft converts unsaved work to records that a browser can store, and back. A draft is the form, the texts that are not valid yet,
// the history with the current position, and the form that was saved when the work began. It decides what must be written after a command:
// only what the command changed.
//
// The package knows no storage, no DOM and no clock.
package draft
