// Package kit contains the building blocks of pages: elements, buttons and notices for go-app,
// calls of the browser, and times in words.
//
// El and Tree draw an element with its content from one text. go-app has no list keys, matches
// children by position, drops empty values and trims, so a page has one handler that looks up
// data-act, and SyncControls sets the values of its controls.
//
// There is one Menu, at a button or at a point, whose items are data. A row has a context menu if
// it has data-menu and data-of. Lists, and the options in forms that come from lists, are of type
// List: they are read in parts and searched by the server, and only the latest answer counts.
package kit
