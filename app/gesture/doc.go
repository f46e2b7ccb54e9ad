// Package gesture turns pointer, wheel and key events on the canvas into what
// they mean: a state chart with the states idle, pressing, dragging, connecting,
// panning, marquee and pinching.
//
// While a gesture runs nothing of the form or its history is touched: the chart
// only says what to preview, and each gesture ends in one selection and at most
// one command. A gesture that is cancelled leaves the editor's state as it was.
//
// It knows the editor and the geometry, no screen, no clock and no timer: frames
// come in as Tick events.
package gesture
