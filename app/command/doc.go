// Package command is the table of the user's commands in the form editor. Each command has one row: its id, title, icon, keys and
// requirement. Buttons, menus, the list of commands, the key handlers of page, canvas and outline, and the help dialog read it. The page
// binds the id of each command to its implementation.
package command
