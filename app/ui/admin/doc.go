// Package admin is the page of the tenant's administration: lists of APIs, applications, grants, people, roles and
// sign-ins, each with a form for one entry.
//
// Each resource is described in a file of its own (apis.go, clients.go and so on), and one list and one form draw them
// all. The server pages and searches the lists, and the options of forms that are rows of a list. What is typed is a
// draft, and a plan says which requests bring the tenant there (draft.go, plan.go).
package admin
