package postgres

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// storable returns the parameters of a statement with texts that PostgreSQL can store. It accepts neither the character U+0000 nor bytes
// that are not UTF-8, which a stranger may send as an ID or as the name of a browser: they become U+FFFD, on writing and on searching.
func storable(args []any) []any {
	for i, a := range args {
		switch v := a.(type) {
		case string:
			args[i] = text(v)
		case []string:
			args[i] = texts(v)
		case rows.Words:
			args[i] = rows.Words(texts(v))
		case rows.Texts:
			args[i] = textMap(v)
		}
	}
	return args
}

func plain(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

func text(s string) string {
	if plain(s) {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

func texts(list []string) []string {
	if !slices.ContainsFunc(list, func(s string) bool { return !plain(s) }) {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		list[i] = text(list[i])
	}
	return list
}

func textMap(m rows.Texts) rows.Texts {
	out := maps.Clone(m)
	clear(out)
	for k, v := range m {
		out[text(k)] = text(v)
	}
	return out
}

// fold returns the searched texts of a row, one a line, in lower case.
func fold(lines ...string) string { return strings.ToLower(strings.Join(lines, "\n")) }
