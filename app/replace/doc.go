// Package replace finds literal text in the names and texts of a form, and replaces it.
//
// It searches the names of the form, its nodes and its rules, and every text that can be translated: labels, hints, placeholders, rich texts,
// labels of options and buttons, and messages, in all languages. It does not search ids, values of options, conditions, code or addresses, nor
// anything inside {{ }}. In a text with markup it never changes tags, and does not find what a tag divides.
package replace
