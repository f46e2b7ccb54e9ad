// Package inspector turns the selection and its tables into editable rows, as data, and text typed into a row into a command. The screen
// draws the rows and knows no table.
//
// Each property has one home: PageOf says which page of the desk shows a property of the form, and the rows leave it out. A row of several
// elements has the path of the first; an edit of it runs the same edit on the row of each.
//
// The generic functions of package slices that move or sort rows are not used: each is compiled again for them, which is 15 KB of the
// program.
package inspector
