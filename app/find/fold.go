package find

import (
	"unicode"
	"unicode/utf8"
)

// Texts are compared folded: in lower case, without accents, with one kind of
// space. The package golang.org/x/text would handle every script, but is larger
// than the rest of the editor's text handling. The tables below cover the Latin
// letters; other scripts are folded by case only.

// latin and vietnamese contain the plain letter of each accented one, by code point from firstLatin and firstVietnamese; '.' if there is
// none. They follow the canonical decompositions of Unicode, and also cover strokes and hooks, which have none.
// have none.
const (
	latin = "aaaaaa.ceeeeiiiidnooooo.ouuuuy..aaaaaa.ceeeeiiiidnooooo.ouuuuy.y" +
		"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkklllllll" +
		"lllnnnnnnnnnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs" +
		"................................oo.............uu..............." +
		".............aaiioouuuuuuuuuu.aaaa....ggkkoooo..j...gg..nnaa...." +
		"aaaaeeeeiiiioooorrrruuuusstt..hh......aaeeooooooooyy............" +
		"................"
	vietnamese = "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm" +
		"mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv" +
		"wwwwwwwwwwxxxxyyzzzzzzhtwy......aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee" +
		"eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......"

	firstLatin      = 0x00C0
	firstVietnamese = 0x1E00
)

// ascii contains the folded form of each ASCII character: letters become lower case, control characters and the braces of templates become
// space, so that {{fields.x}} copied from a text finds "fields.x" in a condition.
const ascii = "                                 !\"#$%&'()*+,-./0123456789:;<=>?" +
	"@abcdefghijklmnopqrstuvwxyz[\\]^_`abcdefghijklmnopqrstuvwxyz | ~ "

// appendFold appends s folded. The result has at most three times as many bytes as s, none of which is less than a space.
func appendFold(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			b = append(b, ascii[c])
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		b = appendRune(b, r)
		i += n
	}
	return b
}

// appendRune appends the folded form of a character beyond ASCII, which is nothing for combining marks and invisible characters.
func appendRune(b []byte, r rune) []byte {
	if r >= firstLatin && r < firstLatin+rune(len(latin)) {
		if c := latin[r-firstLatin]; c != '.' {
			return append(b, c)
		}
	}
	if r >= firstVietnamese && r < firstVietnamese+rune(len(vietnamese)) {
		if c := vietnamese[r-firstVietnamese]; c != '.' {
			return append(b, c)
		}
	}
	switch r {
	case 'ß', 'ẞ':
		return append(b, "ss"...)
	case 'æ', 'Æ':
		return append(b, "ae"...)
	case 'œ', 'Œ':
		return append(b, "oe"...)
	case 'þ', 'Þ':
		return append(b, "th"...)
	case 'ĳ', 'Ĳ':
		return append(b, "ij"...)
	case 'ς':
		return append(b, "σ"...)
	case '‘', '’':
		return append(b, '\'')
	case '“', '”':
		return append(b, '"')
	case '‐', '\u2011', '–', '—':
		return append(b, '-')
	case '\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff':
		return b
	}
	switch {
	case r >= 0x0300 && r <= 0x036F:
		return b
	case unicode.IsSpace(r):
		return append(b, ' ')
	}
	return utf8.AppendRune(b, unicode.ToLower(r))
}

// folded is a folded text with the origin of each of its bytes.
type folded struct {
	text string
	from []int32 // for each byte of text, and for its end, the byte in the original
}

func foldMap(s string) folded {
	b := make([]byte, 0, len(s)+8)
	from := make([]int32, 0, len(s)+9)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r < utf8.RuneSelf {
			b = append(b, ascii[r])
		} else {
			b = appendRune(b, r)
		}
		for len(from) < len(b) {
			from = append(from, int32(i))
		}
		i += n
	}
	return folded{string(b), append(from, int32(len(s)))} //nolint:gosec // a document has 4 MiB
}

// source returns the range of the original from which the bytes i to j come: whole characters, with the combining marks that follow them.
func (f folded) source(i, j int) Range {
	for j < len(f.text) && f.from[j] == f.from[j-1] {
		j++
	}
	return Range{int(f.from[i]), int(f.from[j])}
}

// startsWord reports whether a word may begin at the byte i of a folded text: at the
// beginning, or where the character at i or before it is not alphanumeric.
func startsWord(text string, i int) bool {
	if i == 0 {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	at, _ := utf8.DecodeRuneInString(text[i:])
	return !alnum(before) || !alnum(at)
}

func alnum(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}
