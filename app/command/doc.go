// Package command is the table of what a user can do in the form editor. Each
// command has one row: its id, title, icon, keys and what it needs. Buttons, menus,
// the list of commands, the key handlers of page, canvas and outline and the help
// dialog read it. The page binds what a command does to its id.
package command
