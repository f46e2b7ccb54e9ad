package complaint

import (
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

const (
	// maxElems bounds the length of a path; a form is at most 64 containers deep.
	maxElems = 64
	// maxIndex bounds an index; a form holds at most 200,000 values.
	maxIndex = 999_999
)

// requestParts are names of the request's body, which some validators put in front of a path.
var requestParts = []string{"body", "payload", "request", "requestBody", "json", "data", "form", "root", "$", "#"}

// roots are the properties of a form. A text is searched only for paths that begin with one.
const roots = `name|messages|languages|translations|nodes|start|ending|style`

// quote is what may stand before a name.
const quote = `['"\x60]`

// key is what follows a dot or a slash in a path.
const key = `[A-Za-z0-9_$-]+`

var (
	// named finds a path that a text introduces as one, whatever it begins with.
	named = regexp.MustCompile(`(?i)(?:on|at|for|in) (?:the )?(?:property|path|field) ` + quote + `?([A-Za-z_$#/][^\s'"\x60,;:()]{0,400})`)
	// inText finds a path in a text by its first property.
	inText = regexp.MustCompile(`(?:^|[^A-Za-z0-9_.]|\b(?:body|payload|request|data)[./])` +
		`((?:` + roots + `)(?:[./]` + key + `|\[\d{1,6}\]|\[["'][^"'\]]{1,100}["']\])+)`)
	// missing and extra find the name of a property that is absent or too much, below the path.
	missing = regexp.MustCompile(`(?i)required propert(?:y|ies):? ?` + quote + `?([A-Za-z_][\w-]{0,63})`)
	extra   = regexp.MustCompile(`(?i)additional propert(?:y|ies)[^:'"]{0,40}[:'"] ?['"]?([A-Za-z_][\w-]{0,63})`)
	unknown = regexp.MustCompile(`(?i)unknown node`)
)

// pathIn finds the place that a text names. The name of a missing or unwanted property belongs to it.
func pathIn(text string) (schema.Path, bool) {
	var path schema.Path
	if m := named.FindStringSubmatch(text); m != nil {
		path = pathOf(strings.TrimRight(m[1], "."))
	} else if m := inText.FindStringSubmatch(text); m != nil {
		path = pathOf(m[1])
	}
	for _, rule := range []*regexp.Regexp{missing, extra} {
		if m := rule.FindStringSubmatch(text); m != nil && len(path) < maxElems {
			return path.Key(m[1]), true
		}
	}
	return path, len(path) > 0
}

// codeIn returns our own code for what a text says, or none.
func codeIn(text string) string {
	switch {
	case unknown.MatchString(text):
		return "unknown_node"
	case missing.MatchString(text):
		return string(schema.CodeRequired)
	case extra.MatchString(text):
		return string(schema.CodeUnknown)
	}
	return codeOther
}

// pathOf parses a path in one of the usual notations: a JSON pointer, which may be a fragment, or names and indexes joined by dots and
// brackets. For any other text it returns the path of the whole form.
func pathOf(text string) schema.Path {
	var parts []any
	text = strings.TrimSpace(text)
	if fragment, ok := strings.CutPrefix(text, "#/"); ok {
		if plain, err := url.PathUnescape(fragment); err == nil {
			fragment = plain
		}
		text = "/" + fragment
	}
	if strings.HasPrefix(text, "/") {
		for part := range strings.SplitSeq(text[1:], "/") {
			parts = append(parts, strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
		}
		return pathOfList(parts)
	}
	for rest := text; rest != ""; {
		switch rest[0] {
		case '.':
			rest = rest[1:]
		case '[':
			part, quoted, after, ok := bracket(rest)
			if !ok {
				return nil
			}
			if rest = after; quoted {
				parts = append(parts, schema.Key(cut(part)))
			} else {
				parts = append(parts, part)
			}
		default:
			end := strings.IndexAny(rest, ".[/")
			if end < 0 {
				end = len(rest)
			}
			parts, rest = append(parts, rest[:end]), strings.TrimPrefix(rest[end:], "/")
		}
	}
	return pathOfList(parts)
}

// bracket reads an index or a quoted name in brackets.
func bracket(rest string) (part string, quoted bool, after string, ok bool) {
	if len(rest) > 1 && (rest[1] == '"' || rest[1] == '\'') {
		end := strings.Index(rest[2:], rest[1:2]+"]")
		if end < 0 {
			return "", true, "", false
		}
		part = rest[2 : 2+end]
		var plain string
		if rest[1] == '"' && json.Unmarshal([]byte(rest[1:3+end]), &plain) == nil {
			part = plain
		}
		return part, true, rest[2+end+2:], true
	}
	end := strings.IndexByte(rest, ']')
	if end < 0 {
		return "", false, "", false
	}
	return rest[1:end], false, rest[end+1:], true
}

// pathOfList makes a path of names and indexes.
func pathOfList(parts []any) schema.Path {
	if len(parts) > 0 {
		if first, ok := parts[0].(string); ok && slices.Contains(requestParts, first) {
			parts = parts[1:]
		}
	}
	var path schema.Path
	for _, part := range parts[:min(len(parts), maxElems)] {
		switch part := part.(type) {
		case float64:
			if part < 0 || part > maxIndex || part != float64(int(part)) {
				return path
			}
			path = append(path, schema.Index(int(part)))
		case schema.Elem:
			path = append(path, part)
		case string:
			if n, err := strconv.Atoi(part); err == nil && n >= 0 && n <= maxIndex && strconv.Itoa(n) == part {
				path = append(path, schema.Index(n))
			} else if part != "" {
				path = append(path, schema.Key(cut(part)))
			}
		default:
			return path
		}
	}
	return path
}

// cut bounds a name.
func cut(name string) string { return strings.ToValidUTF8(name[:min(len(name), maxText)], "") }

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
