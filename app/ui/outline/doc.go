// Package outline is the form as a tree of rows: the start, the nodes in the order of the journey, the ending,
// and below them their components and rules. It has the commands of the canvas for people who do not see it.
package outline
