// Package draft turns unsaved work into records that a browser can keep, and
// back: the form, the texts that are not valid yet, the history with its place,
// and what was saved when the work began. It decides what has to be written after
// a command, which is what the command changed and no more.
//
// It knows no storage, no DOM and no clock.
package draft
