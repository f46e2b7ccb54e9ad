// Package describe expresses in words what a problem concerns and how an edge changed, for messages and
// lists.
package describe
