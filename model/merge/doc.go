// Package merge compares forms by the ids of their elements and merges the changes of two authors. Changes lists what an author changed,
// and Forms merges. Forms are immutable: each result is a new form.
package merge
