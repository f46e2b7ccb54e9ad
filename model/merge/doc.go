// Package merge compares forms by the ids of their elements: Changes says what an author changed, and Forms brings
// together what two authors made of one form. It changes no form: each result is a new one.
package merge
