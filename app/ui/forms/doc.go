// Package forms is the page with the list of forms: make, open, import, rename, duplicate, export, delete.
package forms
