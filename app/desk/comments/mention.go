package comments

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// span is a part of a text; who is the person whom it mentions, nobody for plain text.
type span struct {
	text string
	who  person
}

// spansOf divides a text into mentions of people and what is between them. A mention is an @ and a name; of several names that fit, the longest
// counts, and of several people with it the first.
func spansOf(text string, people []person) []span {
	var spans []span
	plain := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '@' {
			continue
		}
		best := person{}
		for _, p := range people {
			after, ok := strings.CutPrefix(text[i+1:], p.name)
			next, _ := utf8.DecodeRuneInString(after)
			if ok && p.name != "" && len(p.name) > len(best.name) && !unicode.IsLetter(next) && !unicode.IsDigit(next) {
				best = p
			}
		}
		if best.name == "" {
			continue
		}
		if plain < i {
			spans = append(spans, span{text: text[plain:i]})
		}
		end := i + 1 + len(best.name)
		spans = append(spans, span{text[i:end], best})
		i, plain = end-1, end
	}
	if plain < len(text) {
		spans = append(spans, span{text: text[plain:]})
	}
	return spans
}

// mentioned returns the people whom a text mentions, each once.
func mentioned(text string, people []person) []person {
	var list []person
	for _, s := range spansOf(text, people) {
		if s.who.sub != "" && !slices.ContainsFunc(list, func(p person) bool { return p.sub == s.who.sub }) {
			list = append(list, s.who)
		}
	}
	return list
}

const (
	maxQuery = 40 // characters behind an @
	maxOffer = 6  // people who are offered at once
)

// pick is the choice of a person while somebody types a name behind an @.
type pick struct {
	draft  string // the key of the draft
	at     int    // where the @ is in its text, in bytes
	end    int    // where the name that is typed ends
	offers []person
	chosen int
}

// pickAt returns the choice for a text with the caret at a place, nil for none.
func pickAt(key, text string, caret int, people []person) *pick {
	end := bytesOf(text, caret)
	at := strings.LastIndexByte(text[:end], '@')
	if at < 0 {
		return nil
	}
	if before, _ := utf8.DecodeLastRuneInString(text[:at]); at > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return nil // an address
	}
	query := strings.ToLower(text[at+1 : end])
	if strings.ContainsAny(query, "\n\t") || utf8.RuneCountInString(query) > maxQuery {
		return nil
	}
	p := &pick{draft: key, at: at, end: end}
	for _, by := range []func(name string) bool{
		func(name string) bool { return strings.HasPrefix(name, query) },
		func(name string) bool { return strings.Contains(name, " "+query) },
	} {
		for _, who := range people {
			if len(p.offers) < maxOffer && by(strings.ToLower(who.name)) && !slices.Contains(p.offers, who) {
				p.offers = append(p.offers, who)
			}
		}
	}
	if len(p.offers) == 0 || len(p.offers) == 1 && strings.EqualFold(p.offers[0].name, query) {
		return nil
	}
	return p
}

// take returns a text with the chosen name in it, and the caret behind that, in UTF-16 units.
func (p *pick) take(text string) (string, int) {
	head := text[:p.at] + "@" + p.offers[p.chosen].name + " "
	return head + strings.TrimPrefix(text[p.end:], " "), len(utf16.Encode([]rune(head)))
}

// bytesOf returns a place in a text, given in UTF-16 units as browsers count, in bytes.
func bytesOf(text string, units int) int {
	for i, r := range text {
		if units <= 0 {
			return i
		}
		units -= utf16.RuneLen(r)
	}
	return len(text)
}
