// Package ui is the editor's page, which go-app draws: it wires the panels, the
// dialogs and the canvas island. Only this package and those below it know
// go-app or the DOM; the pure packages make all decisions.
//
// A page is one component. Its controls have data-act and data-arg, and a
// single handler per page looks up the act: go-app compares children by
// position, so a handler that closes over a loop variable would act on another
// row after an update.
package ui
