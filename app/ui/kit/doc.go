// Package kit contains the building blocks of pages: elements, buttons and notices for go-app,
// calls of the browser, and times in words.
package kit
