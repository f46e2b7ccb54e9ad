// Package kit is what the pages are made of: elements, buttons and notices for go-app, the calls of the
// browser that they share, and times and names as people read them.
package kit
