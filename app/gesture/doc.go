// Package gesture interprets pointer, wheel and key events on the canvas with a state chart. At rest a pointer hovers and keys act at once.
// A press becomes a drag of cards, a connection, a marquee or a pan; two fingers pinch. Each of these states is a type with its own data.
//
// While a gesture runs, it does not touch the form or its history: the chart only returns what to preview, and each gesture ends in one
// selection and at most one command. A cancelled gesture leaves the editor's state as it was.
//
// The package knows the editor and the geometry, but no screen, clock or timer: frames arrive as Tick events.
package gesture
