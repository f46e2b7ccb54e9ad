// Package command is the table of what a person can do in the editor of a form. Each
// command has one row: its id, title, icon, keys and what it needs. Buttons, menus,
// the list of commands, the key handlers of page, canvas and outline and the help
// dialog read it; what a command does is bound to its id by the page.
package command
