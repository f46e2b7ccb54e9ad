// Package admin is the page of the tenant's administration: lists of APIs,
// applications, grants, people, roles and sign-ins, each with a form for one entry.
//
// What the page shows is a table (sections.go and the table_ files), drawn by one list and one form. What is
// typed is a draft, and a plan of the table says which requests bring the tenant there (draft.go, plan.go).
// That part knows no browser.
package admin
