// Package ui is the screen of the editor: the pages, panels and dialogs, drawn
// by go-app from the state of package editor, and the wiring of the canvas
// island. With its packages below it is the only one that knows go-app or the
// DOM; what it decides is decided in the pure packages.
//
// A page is one component. Its controls carry data-act and data-arg, and one
// handler a page looks the act up: go-app compares children by their place, so
// a handler that closes over a loop's value would act on another row after an
// update.
package ui
