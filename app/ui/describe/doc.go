// Package describe says in words what a problem is about and what became of an edge, for messages and lists.
package describe
