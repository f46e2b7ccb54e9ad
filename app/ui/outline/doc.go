// Package outline shows the form as a tree of rows, in the order of the journey. The nodes stand between the start and the ending, with
// their components and rules below them. It has the same commands as the canvas, for people who cannot see it.
package outline
