package charset

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The names of the encodings that an XML file may declare, in lower case. https://www.iana.org/assignments/character-sets
var declared = map[string]string{
	"utf-8": utf8Name, "utf8": utf8Name, "us-ascii": ascii, "ascii": ascii, "iso-8859-1": latin1, "iso_8859-1": latin1, "latin1": latin1,
	"windows-1252": western, "cp1252": western, "utf-16": anyUs, "utf-16le": littleUs, "utf-16be": bigUs,
}

const (
	ascii   = "US-ASCII"
	latin1  = "ISO-8859-1"
	western = "windows-1252"
	anyUs   = "UTF-16"
)

// upper are the characters that windows-1252 has from 0x80 to 0x9F, U+FFFD for none.
var upper = []rune("€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ")

// XML returns the text of an XML file in the encoding that it declares, which is UTF-8 if it declares none. The text still has the
// declaration. UTF-8, UTF-16, US-ASCII, ISO-8859-1 and windows-1252 are read; a file in another encoding, or that contradicts itself, is
// refused. Errors name the line. See https://www.w3.org/TR/xml/#sec-guessing.
func XML(src []byte) (string, error) {
	shown, mark := sign(src)
	if shown == "" || shown == utf8Name {
		name := declaration(string(src[mark:min(len(src), 1000)]))
		if name == "" {
			name = utf8Name
		}
		is, known := declared[strings.ToLower(name)]
		switch {
		case !known:
			return "", fmt.Errorf("line 1: must not have the encoding %q; %s", name, remedy)
		case is == anyUs || is == littleUs || is == bigUs || shown == utf8Name && is != utf8Name:
			return "", contradiction(utf8Name, name)
		case is == utf8Name:
			return plain(src[mark:])
		}
		return bytewise(src, is)
	}
	text, err := Text(src)
	if err != nil {
		return "", err
	}
	if name := declaration(text); name != "" && declared[strings.ToLower(name)] != shown && declared[strings.ToLower(name)] != anyUs {
		return "", contradiction(shown, name)
	}
	return text, nil
}

func contradiction(is, name string) error {
	return errors.New("line 1: must be " + name + ", as it says, but is " + is + "; " + remedy)
}

// declaration returns the encoding that an XML declaration at the beginning of a text names, "" if there is none.
func declaration(text string) string {
	text, ok := strings.CutPrefix(text, "<?xml")
	if !ok {
		return ""
	}
	text, _, _ = strings.Cut(text, "?>")
	_, text, _ = strings.Cut(text, "encoding")
	text = strings.TrimLeft(text, " \t\r\n=")
	if text == "" {
		return ""
	}
	name, _, _ := strings.Cut(text[1:], text[:1]) // between quotes
	return name
}

// bytewise returns a text in an encoding that has a byte for each character.
func bytewise(src []byte, name string) (string, error) {
	b := make([]byte, 0, len(src))
	for _, c := range src {
		r := rune(c)
		switch {
		case c < utf8.RuneSelf:
		case name == ascii || name == latin1 && c < 0xa0: // in practice, what is there is of another encoding
			r = utf8.RuneError
		case c < 0xa0:
			r = upper[c-0x80]
		}
		if r == utf8.RuneError {
			return "", fmt.Errorf("line %d: must not contain the byte %#x, which is not a character in %s; %s", line(string(b)), c, name, remedy)
		}
		b = utf8.AppendRune(b, r)
	}
	return string(b), nil
}
