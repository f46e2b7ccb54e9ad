// Package flow says what a form does: the ways that a journey can take through
// its graph, what the conditions of its routers mean, and which of its parts
// refer to which others.
//
// The analysis looks at pointers only: it takes every way as one that may be taken,
// whatever the condition of the rule, and so what it finds is there for every
// respondent. Conditions and templates are read, never evaluated.
//
// The package reads forms and makes new ones; it knows nothing of commands,
// files, HTTP or the screen.
package flow
