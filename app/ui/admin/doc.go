// Package admin is the page of the tenant's administration. It has lists of APIs, applications, grants, people, roles and sign-ins, each
// with a form for one entry.
//
// Each resource is described in a file of its own (apis.go, clients.go and so on). A single list and a single form
// draw them all. The server pages and searches the lists, and also the options in forms that come from lists. The
// person's input is a draft, and a plan determines the requests that make the tenant match it (draft.go, plan.go).
package admin
