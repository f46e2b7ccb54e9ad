// Package charset reads the bytes of files as text, exactly or not at all: no character is guessed, and none is replaced.
package charset

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The names of the encodings that a file shows by its first bytes.
const (
	utf8Name = "UTF-8"
	littleUs = "UTF-16LE"
	bigUs    = "UTF-16BE"
	utf32    = "UTF-32"
)

// remedy ends every refusal.
const remedy = "save the file as UTF-8"

// signs are the first bytes of files: marks, and then two characters of ASCII, with which every form, and every file for translators, begins.
// 'x' stands for any byte but NUL. UTF-32 comes first, since its mark begins like that of UTF-16.
var signs = []struct {
	bytes, name string
	mark        bool
}{
	{"\xff\xfe\x00\x00", utf32, true},
	{"\x00\x00\xfe\xff", utf32, true},
	{"x\x00\x00\x00", utf32, false},
	{"\x00\x00\x00x", utf32, false},
	{"\xff\xfe", littleUs, true},
	{"\xfe\xff", bigUs, true},
	{"x\x00x\x00", littleUs, false},
	{"\x00x\x00x", bigUs, false},
	{"\xef\xbb\xbf", utf8Name, true},
}

// sign returns the encoding that a file shows and the length of its mark, "" for a file without a sign, which may be UTF-8.
func sign(src []byte) (name string, mark int) {
	for _, s := range signs {
		if !begins(src, s.bytes) {
			continue
		}
		if s.mark {
			mark = len(s.bytes)
		}
		return s.name, mark
	}
	return "", 0
}

func begins(src []byte, with string) bool {
	for i, c := range []byte(with) {
		if i == len(src) || src[i] != c && (c != 'x' || src[i] == 0) {
			return false
		}
	}
	return true
}

// Text returns the text of a file that does not say its encoding: UTF-8, with or without a byte order mark, or UTF-16, with one or with
// characters of ASCII at the beginning. The text has no mark. Encodings with a byte for each character cannot be told apart and are refused.
// Errors name the line.
func Text(src []byte) (string, error) {
	name, mark := sign(src)
	switch name {
	case utf32:
		return "", errors.New("line 1: must not be UTF-32; " + remedy)
	case littleUs, bigUs:
		return units(src[mark:], name)
	}
	return plain(src[mark:])
}

// plain returns a text in UTF-8.
func plain(src []byte) (string, error) {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return "", fmt.Errorf("line %d: must be UTF-8; %s, in a spreadsheet as CSV UTF-8", line(string(src[:i])), remedy)
		}
		i += n
	}
	return string(src), nil
}

// units returns a text in UTF-16.
func units(src []byte, name string) (string, error) {
	high, low := 0, 1
	if name == littleUs {
		high, low = 1, 0
	}
	b := make([]byte, 0, len(src))
	at := func(i int) rune { return rune(src[i+high])<<8 | rune(src[i+low]) }
	for i := 0; i < len(src); i += 2 {
		if i+1 == len(src) {
			return "", fmt.Errorf("line %d: must not end within a character of %s; %s", line(string(b)), name, remedy)
		}
		r := at(i)
		if utf16.IsSurrogate(r) {
			if r = utf8.RuneError; i+3 < len(src) {
				r = utf16.DecodeRune(at(i), at(i+2))
			}
			if r == utf8.RuneError {
				return "", fmt.Errorf("line %d: must not contain half a character of %s; %s", line(string(b)), name, remedy)
			}
			i += 2
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b), nil
}

// line returns the number of the line that follows a text.
func line(s string) int {
	return 1 + strings.Count(s, "\n") + strings.Count(s, "\r") - strings.Count(s, "\r\n")
}
