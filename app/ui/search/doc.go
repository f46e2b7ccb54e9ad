// Package search contains the dialog that runs commands by name, and the dialog that finds places in the
// form.
package search
