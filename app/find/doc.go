// Package find searches for what people type: Index searches a form, and Rank orders the names of a list.
//
// It reads forms by their tables, so a new kind of component is found without any
// change here, and values that the tables mark as secret are neither searched nor
// shown. Texts are compared without regard to case and the accents of Latin
// letters.
//
// It knows no screen, no commands and no problems: a hit has a path, to which the caller navigates. This package alone decides what is
// searched, what a hit is called and how hits are ordered.
package find
