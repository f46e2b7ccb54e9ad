// Package merge compares forms by the ids of their elements and merges the changes of two authors. Changes lists what an author changed,
// and Forms merges. Forms are immutable: each result is a new form.
//
// A comparison is of parts, and a Part can be taken alone. Taking all of them, in any order, makes the other form. Nodes that two forms
// share are compared by identity, so a comparison after an edit costs what the edit changed.
package merge
