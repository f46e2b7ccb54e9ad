// Package live is what a page needs to edit a form together with others: a copy of the form that all of them share.
//
// The shared form has numbers. Each change of it is an [Entry], which turns one number into the next, and whoever keeps the entries accepts
// one for each number. So all copies see the same changes in the same order, whichever server they came through, and the first change of a
// value counts. A page whose entry was refused takes those that were accepted, merges its own work into them by the ids of elements, and
// offers the rest again.
//
// Where somebody else has changed a value that the page has changed, too, the page keeps its value until its person decides, even if others
// had that value already; see [Own]. Such a [Copy.Forks] is not offered to others meanwhile.
//
// The package knows no network, clock or screen.
package live
