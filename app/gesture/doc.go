// Package gesture interprets pointer, wheel and key events on the canvas with a state chart. At rest a pointer hovers and keys act at once.
// A press becomes a drag of cards, a connection, a marquee or a pan; two fingers pinch. Each of these states is a type with its own data.
//
// While a gesture runs, it does not touch the form or its history: the chart only returns what to preview, and each gesture ends in one
// selection and at most one command. A cancelled gesture leaves the editor's state as it was.
//
// A control outside the canvas with data-bring can be dragged onto it: its events come to the chart until a drag captures the pointer, and
// nothing changes before the release. The controls of cards and rows are one set that moves to the card under the pointer: package graph has
// their places, and this package their effects.
//
// The package knows the editor and the geometry, but no screen, clock or timer: frames arrive as Tick events.
package gesture
