// Package canvas is the island that draws the graph: go-app renders one empty
// host element, and everything below it is made and changed here, straight in
// the DOM.
//
// Decisions are not made here. Package graph says where things are, package
// gesture what events mean, package editor what there is; the island turns
// events into the chart's, and what changed into as few DOM writes as it can,
// once an animation frame. Files without a build constraint hold what can be
// said without a browser, and are tested natively.
package canvas
