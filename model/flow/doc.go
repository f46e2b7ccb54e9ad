// Package flow analyses the behaviour of a form: journeys through its graph, conditions of its routers, and references between its parts.
//
// The analysis uses only pointers: it assumes that every way may be taken,
// whatever the condition of the rule, so what it finds holds for every
// respondent. Conditions and templates are parsed, never evaluated.
//
// The package reads forms and makes new ones; it knows nothing of commands,
// files, HTTP or the screen.
package flow
