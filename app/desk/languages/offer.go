package languages

import (
	"slices"
	"strings"
)

// commonTags are the languages that the dialog offers, the most frequent first. Any other tag can be typed.
var commonTags = strings.Fields("en es fr de pt-BR it zh-CN ja ar bg bn ca cs da el es-MX et fa fi fr-CA he hi hr hu id ko lt lv ms nb nl pl pt ro " +
	"ru sk sl sr sv ta th tr uk ur vi zh-TW")

// mostOffers is how many languages the dialog offers at a time.
const mostOffers = 8

// offered returns the languages to offer after somebody typed a part of a name, or a tag: those that the form does not have.
func (g *grid) offered(typed string) []string {
	query := strings.ToLower(strings.TrimSpace(typed))
	var first, others []string
	for _, tag := range commonTags {
		switch name := strings.ToLower(g.names(tag)); {
		case g.table.Column(tag) >= 0 || tag == g.table.Source:
		case strings.HasPrefix(name, query) || strings.HasPrefix(strings.ToLower(tag), query):
			first = append(first, tag)
		case strings.Contains(name, query):
			others = append(others, tag)
		}
	}
	all := slices.Concat(first, others)
	return all[:min(mostOffers, len(all))]
}

// leastName is the number of characters from which on the beginning of a name stands for the language: shorter ones may be tags.
const leastName = 4

// tagOf returns the tag of what somebody typed: of the name of a language that the dialog offers, or of its beginning if no other name begins with
// it. Anything else is taken for a tag.
func (g *grid) tagOf(typed string) string {
	query := strings.ToLower(typed)
	var found []string
	for _, tag := range commonTags {
		name := strings.ToLower(g.names(tag))
		if name == query {
			return tag
		}
		if len(query) >= leastName && strings.HasPrefix(name, query) {
			found = append(found, tag)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return typed
}
