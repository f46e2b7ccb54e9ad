// Package rules finds rules of routers that never decide, and comparisons that never hold.
//
// A condition means exactly what package condition says. Nothing is reported unless it is certain, for all values that the variables can
// have at the router:
//   - A field has an answer that its component accepts, or none. It can have any value if its id is also that of a hidden field or of
//     another component, or if a jump or previous button leads to the router with an answer that was not checked. A value that a caller
//     gives in advance for a component counts as an answer.
//   - A hidden field, and a member of vars or of the context, can have any value or none.
//   - An unknown operator, an unknown shape, a wrong template or pattern, and a template that calls a function can have any result.
//   - A comparison of several variables can hold or not, whatever their values are.
//
// The work is bounded, so some rules that never decide are not found. Nothing is said that depends on a variable with more than 512 kinds of
// values, on one that is compared with more numbers than package explore tries, or on more than 6 different comparisons with parts of
// a text or list; and a search tries at most 4,000 values, all searches for a router 40,000. The work for a router and
// for a form is bounded too, to a few tenths of a second: of a router with more than about 3,000 rules not all are checked, which FormUntil reports.
package rules
