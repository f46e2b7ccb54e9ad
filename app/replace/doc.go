// Package replace finds a text, letter by letter, in what people read and authors name, and replaces it.
//
// The texts are the names of the form, its nodes and its rules, and those of the table of languages: labels, hints, placeholders, rich texts, labels
// of options and buttons, and messages, in the language of the form and in all others. Ids, values of options, conditions, code and addresses are
// none of them, and what is inside {{ }} stays as it is. In a text with markup, tags stay, and a text that tags divide is not found.
package replace
