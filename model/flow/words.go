package flow

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Word is a piece of a condition's text. Values are marked to distinguish them from the words between them, as in "fields.code", "equals",
// "123".
type Word struct {
	Text  string
	Value bool
}

// maxWords bounds the part of a long condition that is put into words, since a card shows only one line.
const maxWords = 24

// maxValue bounds a value among the words, in code points.
const maxValue = 80

// customWords stand for a condition of an unknown shape.
const customWords = "Custom condition"

// Words returns the beginning of a router condition in words, as in "fields.code equals 123 and ...", with a "…" where a long one was
// shortened. The shape is that of ParseCondition, but additional members are ignored. Any other shape is "Custom condition", and an absent
// condition is "No condition". Whatever follows the "…" is not read.
func Words(condition any) []Word {
	if condition == nil {
		return []Word{{Text: "No condition"}}
	}
	w := wording{limit: maxWords, longest: maxValue}
	if !w.add(condition, false) {
		return []Word{{Text: customWords}}
	}
	return w.words
}

// sentence returns the whole condition in words.
func sentence(condition any) string {
	var w wording
	if !w.add(condition, false) {
		return customWords
	}
	var b strings.Builder
	for i, word := range w.words {
		closing := !word.Value && word.Text == ")"
		if i > 0 && !closing && (w.words[i-1].Value || w.words[i-1].Text != "(") {
			b.WriteByte(' ')
		}
		b.WriteString(word.Text)
	}
	return b.String()
}

// wording collects the words of a condition.
type wording struct {
	words   []Word
	limit   int // of words after which no further condition begins, 0 for none
	longest int // value in code points, 0 for any
}

func (w *wording) word(text string) { w.words = append(w.words, Word{Text: text}) }
func (w *wording) value(v any)      { w.words = append(w.words, Word{OperandText(v, w.longest), true}) }

// add adds the words of v, and reports whether the part that was read has the known shape.
func (w *wording) add(v any, nested bool) bool {
	operator, operands, ok := operation(v)
	if !ok {
		return false
	}
	if operator != And && operator != Or {
		return w.compare(operator, operands)
	}
	grouped := nested && len(operands) > 1
	if grouped {
		w.word("(")
	}
	for i, operand := range operands {
		if i > 0 {
			w.word(strings.ToLower(operator))
		}
		if w.limit > 0 && len(w.words) > w.limit {
			w.word("…")
			return true
		}
		if !w.add(operand, true) {
			return false
		}
	}
	if grouped {
		w.word(")")
	}
	return true
}

func (w *wording) compare(operator string, operands []any) bool {
	row, ok := comparison(operator, operands)
	if !ok {
		return false
	}
	w.value(operands[0])
	w.word(row.Words)
	for i, o := range operands[1:] {
		if i > 0 {
			w.word("and")
		}
		w.value(o)
	}
	return true
}

// OperandText formats an operand for people: a variable without its braces, a text without quotes unless it is empty, any other value as
// JSON. It is at most so many code points long, 0 for any length.
func OperandText(v any, longest int) string {
	s, ok := v.(string)
	if !ok {
		return cut(string(schema.Encode(v)), longest)
	}
	t := strings.TrimSpace(s)
	if t == "" {
		return `""`
	}
	if in, found := strings.CutPrefix(t, "{{"); found {
		if in, found = strings.CutSuffix(in, "}}"); found && !strings.Contains(in, "{{") {
			if in = strings.TrimSpace(in); in != "" {
				return cut(in, longest)
			}
		}
	}
	return cut(t, longest)
}

// cut shortens s to a number of code points; 0 leaves it whole.
func cut(s string, longest int) string {
	if longest == 0 {
		return s
	}
	return schema.Shorten(s, longest)
}
