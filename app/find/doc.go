// Package find looks for things by what people type: Index searches a form, and
// Rank orders the names of a list, such as the commands of the palette or the
// nodes that a connection may lead to.
//
// It reads forms by their tables, so a new kind of component is found without a
// line here, and a value that its table calls a secret is neither searched nor
// shown. Texts are compared without regard to case and to the accents of Latin
// letters.
//
// It knows no screen, no commands and no problems: a hit says where to go, and
// who shows it goes there. What is searched, what a hit is called and how hits
// are ordered is decided here and nowhere else.
package find
