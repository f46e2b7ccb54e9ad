// Package translate is the data behind the table of languages: every text of a form with its translations and their states. It has the
// commands that change them and the files that translators work with.
//
// Which texts a translation may replace, and where it has them, is known to model/run/answer. The package knows no screen, does no I/O and
// reads no clock.
package translate
