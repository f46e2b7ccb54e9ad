// Package answer judges what respondents give for the components of a form. It parses a typed or posted value, decides whether there is an
// answer at all, applies the constraints of the component's config, and says what is wrong in the language of the run.
//
// What the package knows about a kind is one row of its table; see kinds.go. Where the public documentation of forms is silent, Choices
// lists what we chose.
//
// Values are trees of package schema. The package reads forms and keeps no state. It resolves no templates, and knows nothing of nodes,
// journeys, HTTP or the screen.
package answer
