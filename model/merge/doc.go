// Package merge compares forms by the ids of their elements: Changes lists what an author changed, and Forms merges the changes of two
// authors to one form. Forms are immutable: each result is a new form.
package merge
