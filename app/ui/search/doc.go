// Package search is the dialog that runs a command by its name, and the one that finds a place in the form.
package search
