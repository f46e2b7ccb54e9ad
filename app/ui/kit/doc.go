// Package kit contains the building blocks of the pages: elements, buttons and notices for go-app,
// shared browser calls, and times and names in readable form.
package kit
