// Package canvas is the island that draws the graph. Go-app renders one empty
// host element, and this package creates and changes everything below it
// directly in the DOM.
//
// The island makes no decisions. Package graph determines the geometry,
// package gesture the meaning of events, and package editor the content. The
// island passes events to the chart and applies changes with as few DOM
// writes as possible, once per animation frame. Files without a build
// constraint contain everything that works without a browser; they are tested
// natively.
package canvas
