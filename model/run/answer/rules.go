package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// characters returns the length of an answer in code points. Of a telephone number with a country it is that of the national number.
func characters(answer any) schema.Number {
	s, ok := answer.(string)
	if !ok {
		o, _ := answer.(*schema.Object)
		s = o.Text(nationalNumber)
	}
	return schema.IntNumber(utf8.RuneCountInString(s))
}

func tooShort(bound, answer any, _ *schema.Object) bool {
	n, ok := bound.(schema.Number)
	return ok && characters(answer).Compare(n) < 0
}

func tooLong(bound, answer any, _ *schema.Object) bool {
	n, ok := bound.(schema.Number)
	return ok && characters(answer).Compare(n) > 0
}

func tooSmall(bound, answer any, _ *schema.Object) bool {
	n, ok := bound.(schema.Number)
	v, _ := answer.(schema.Number)
	return ok && v.Compare(n) < 0
}

func tooBig(bound, answer any, _ *schema.Object) bool {
	n, ok := bound.(schema.Number)
	v, _ := answer.(schema.Number)
	return ok && v.Compare(n) > 0
}

// tooSimple reports whether a password lacks an upper-case letter, a lower-case letter, a digit or a symbol.
func tooSimple(bound, answer any, _ *schema.Object) bool {
	s, _ := answer.(string)
	symbol := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r) }
	for _, is := range []func(rune) bool{unicode.IsUpper, unicode.IsLower, unicode.IsDigit, symbol} {
		if !strings.ContainsFunc(s, is) {
			return bound == true
		}
	}
	return false
}

// nistLength is the minimum length of a password of NIST SP 800-63B, section 5.1.1.2.
const nistLength = 8

// guessable reports whether a password breaks the rules of NIST SP 800-63B, section 5.1.1.2, as far as a list of words shows: too short,
// repetitive, sequential, or a common word with digits and symbols around it.
func guessable(bound, answer any, _ *schema.Object) bool {
	if bound != true {
		return false
	}
	text, _ := answer.(string)
	s := []rune(strings.ToLower(text))
	if len(s) < nistLength || sequential(s, 0) || sequential(s, 1) || sequential(s, -1) || repeats(s) {
		return true
	}
	core := strings.TrimFunc(string(s), func(r rune) bool { return !unicode.IsLetter(r) })
	for word := range strings.FieldsSeq(commonWords) {
		if core == word || string(s) == word {
			return true
		}
	}
	return false
}

// commonWords are the cores of the most common passwords, in lower case.
const commonWords = `password passwort passw0rd p@ssw0rd p@ssword welcome qwerty qwertz qwertyui qwertyuiop azerty asdfgh asdfghjkl
	zxcvbnm 1q2w3e4r 1qaz2wsx letmein admin administrator login iloveyou sunshine princess dragon monkey football baseball basketball
	superman batman master shadow michael jordan charlie trustno1 starwars computer internet secret whatever freedom summer winter
	spring autumn changeme default test guest hello`

// sequential reports whether each character follows the one before it by a step, as in abcdefgh, 87654321 and aaaaaaaa.
func sequential(s []rune, step rune) bool {
	for i := 1; i < len(s); i++ {
		if s[i] != s[i-1]+step {
			return false
		}
	}
	return true
}

// repeats reports whether a text is a shorter one of at most four characters, repeated.
func repeats(s []rune) bool {
	for n := 2; n <= 4 && n < len(s); n++ {
		same := true
		for i := n; i < len(s); i++ {
			same = same && s[i] == s[i-n]
		}
		if same {
			return true
		}
	}
	return false
}
