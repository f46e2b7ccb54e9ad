package inspector

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Language returns the language by which the row's text is colored, NoCode for none.
func (r Row) Language() schema.Language {
	switch {
	case r.Input == JSON:
		return schema.JSON
	case r.Input != LongText:
		return schema.NoCode
	}
	return r.Code
}

// Mistake returns what is wrong with the row's code, "" for nothing that is known: only style sheets are checked, for their braces, comments
// and texts. The preview shows them as browsers repair them.
func (s Source) Mistake() string {
	if s.Code != schema.CSS || len(s.Problems) > 0 {
		return ""
	}
	text := s.Text()
	at, what := unbalanced(text)
	if at < 0 {
		return ""
	}
	line, _ := schema.Position([]byte(text), at)
	return fmt.Sprintf("Line %d: %s.", line, what)
}

// Line returns the line of the row's text with its first mistake, 0 for none.
func (s Source) Line() int {
	text := s.Text()
	at := -1
	switch s.Language() {
	case schema.JSON:
		if _, ps := schema.Decode([]byte(text)); len(ps) > 0 && text != "" {
			at = ps[0].Offset
		}
	case schema.CSS:
		at, _ = unbalanced(text)
	default: // not checked
	}
	if at < 0 {
		return 0
	}
	line, _ := schema.Position([]byte(text), at)
	return line
}

// unbalanced returns the place of the first brace, comment or text of a style sheet that does not end, and what it is; -1 for none.
func unbalanced(css string) (at int, what string) {
	var open []int
	for i := 0; i < len(css); i++ {
		switch c := css[i]; c {
		case '/':
			if !strings.HasPrefix(css[i:], "/*") {
				continue
			}
			end := strings.Index(css[i+2:], "*/")
			if end < 0 {
				return i, "the comment does not end"
			}
			i += end + 3
		case '"', '\'':
			j := i + 1
			for j < len(css) && css[j] != c && css[j] != '\n' {
				if css[j] == '\\' {
					j++
				}
				j++
			}
			if j >= len(css) || css[j] != c {
				return i, "the text does not end on its line"
			}
			i = j
		case '\\':
			i++
		case '{':
			open = append(open, i)
		case '}':
			if len(open) == 0 {
				return i, "there is no { for this }"
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return open[len(open)-1], "there is no } for this {"
	}
	return -1, ""
}
