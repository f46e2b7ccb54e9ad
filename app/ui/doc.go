// Package ui is the editor's page, which go-app draws: it wires the panels, the
// dialogs and the canvas island. Only this package and those below it know
// go-app or the DOM; the pure packages make all decisions.
//
// A page is one component. Its controls have data-act and data-arg, and a
// single handler per page looks up the act: go-app compares children by
// position, so a handler that closes over a loop variable would act on another
// row after an update.
//
// The parts of a page are no components: a part has the workspace, draws itself
// with a method and leaves events to the page. Everything but the canvas uses
// values of go-app, which do nothing outside a browser, so native tests cover
// it. A page makes its calls through Life.Async, which ends them with the page;
// only a save continues.
//
// go-app draws a component within one task, and drawing the page takes most of
// a frame. So an edit by somebody else draws the page once and in several
// frames, first the controls of the form (drawing.go), and a frame is asked for
// only if something that is shown has changed. What must be on the screen in
// the next frame, for instance to be focused, calls Workspace.Redraw.
//
// After a node is added, the focus stays on the canvas. After a key has added a
// component it stays where it was, and after a press it moves to the label of
// the component.
package ui
