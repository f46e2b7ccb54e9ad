// Package find looks for things by what people type: Index searches a form, and
// Rank orders the names of a list, such as commands or kinds of components.
//
// It reads forms by their tables, so a new kind of component is found without a
// line here, and a value that its table calls a secret is neither searched nor
// shown. Texts are compared without regard to case and to the accents of Latin
// letters.
//
// It knows no screen, no commands and no problems: a hit says where to go, and its
// caller goes there. What is searched, what a hit is called and how hits are ordered
// is decided here alone.
package find
