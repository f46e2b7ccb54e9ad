// Package outline shows the form as a tree of rows: the start, the nodes in the order of the journey, and the
// ending, with their components and rules below them. It has the same commands as the canvas, for people who
// cannot see it.
package outline
