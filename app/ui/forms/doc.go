// Package forms is the page with the list of forms, where people create, open, import, rename, duplicate,
// export and delete them.
package forms
