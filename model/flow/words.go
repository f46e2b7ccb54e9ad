package flow

import (
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Word is a piece of a condition's text. Names and values are marked to distinguish them from the words between them, as in "Age", "equals", "18".
type Word struct {
	Text  string
	Value bool // an operand as the condition has it
	Name  bool // the label of an operand: of a field, which the condition names by its id, or of an option, which it names by its value
}

// plain reports whether the word is neither a name nor a value.
func (w Word) plain() bool { return !w.Value && !w.Name }

// maxWords bounds the part of a long condition that is put into words, since a card shows only one line.
const maxWords = 24

// maxValue bounds a value among the words, in code points.
const maxValue = 80

// customWords stand for a condition of an unknown shape.
const customWords = "Custom condition"

// Words returns the beginning of a router condition in words, as in "Code equals 123 and ...", with a "…" where a long one was shortened. Fields
// and their options are shown by their labels; fields may be nil. The shape is that of ParseCondition, but additional members are ignored. Any other
// shape is "Custom condition", and an absent condition is "No condition". Whatever follows the "…" is not read.
func Words(fields *model.Fields, condition any) []Word {
	if condition == nil {
		return []Word{{Text: "No condition"}}
	}
	w := wording{fields: fields, limit: maxWords, longest: maxValue}
	if !w.add(condition, false) {
		return []Word{{Text: customWords}}
	}
	return w.words
}

// SameWords reports whether Words returns the same for a condition with two sets of fields. It may return false although the words are the same: if
// options of a compared field differ that the condition does not name.
func SameWords(was, is *model.Fields, condition any) bool {
	if was == is {
		return true
	}
	same := true
	w := wording{limit: maxWords, longest: maxValue, variable: func(name string) { same = same && is.Same(was, name) }}
	w.add(condition, false)
	return same
}

// Sentence returns the whole condition in words, with the labels that Words uses.
func Sentence(fields *model.Fields, condition any) string {
	w := wording{fields: fields}
	if !w.add(condition, false) {
		return customWords
	}
	var b strings.Builder
	for i, word := range w.words {
		closing := word.plain() && word.Text == ")"
		if i > 0 && !closing && (!w.words[i-1].plain() || w.words[i-1].Text != "(") {
			b.WriteByte(' ')
		}
		b.WriteString(word.Text)
	}
	return b.String()
}

// wording collects the words of a condition.
type wording struct {
	fields   *model.Fields
	words    []Word
	limit    int               // of words after which no further condition begins, 0 for none
	longest  int               // operand in code points, 0 for any
	variable func(name string) // called with each variable that is compared; may be nil
}

func (w *wording) word(text string) { w.words = append(w.words, Word{Text: text}) }

// operand adds an operand of a comparison; of are all its operands.
func (w *wording) operand(v any, of []any) {
	if s, _ := v.(string); w.variable != nil {
		if name, ok := Variable(s); ok {
			w.variable(name)
		}
	}
	w.words = append(w.words, Operand(w.fields, v, of, w.longest))
}

// Unnamed is the text of a variable whose name is not complete, as in a new condition.
const Unnamed = "…"

// Operand returns an operand of a comparison for people; of are all operands of the comparison. A field or an option is shown by its label, an
// incomplete variable as Unnamed, and anything else as OperandText formats it. The text is at most longest code points long, 0 for any length.
func Operand(fields *model.Fields, v any, of []any, longest int) Word {
	s, _ := v.(string)
	if variable, ok := Variable(s); ok {
		if name, ok := fields.Name(variable); ok {
			return Word{Text: cut(name, longest), Name: true}
		}
		if strings.HasSuffix(variable, ".") {
			return Word{Text: Unnamed, Value: true}
		}
		return Word{Text: OperandText(v, longest), Value: true}
	}
	for _, other := range of {
		if other, ok := other.(string); ok {
			if variable, ok := Variable(other); ok {
				if name, ok := fields.ValueName(variable, v); ok {
					return Word{Text: cut(name, longest), Name: true}
				}
			}
		}
	}
	return Word{Text: OperandText(v, longest), Value: true}
}

// Variable returns the content of a text that is a single template, as in "fields.age" for "{{fields.age}}". ok is false for any other text and for
// an empty template.
func Variable(text string) (name string, ok bool) {
	in, ok := strings.CutPrefix(strings.TrimSpace(text), "{{")
	if !ok {
		return "", false
	}
	if in, ok = strings.CutSuffix(in, "}}"); !ok || strings.Contains(in, "{{") {
		return "", false
	}
	in = strings.TrimSpace(in)
	return in, in != ""
}

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
	for i, o := range operands {
		if i > 1 {
			w.word("and")
		}
		w.operand(o, operands)
		if i == 0 {
			w.word(row.Words)
		}
	}
	return true
}

// EmptyText is the operand "" in words.
const EmptyText = "an empty text"

// OperandText formats an operand for people: a variable without its braces, a text without quotes unless it is blank, any other value as
// JSON. It is at most so many code points long, 0 for any length.
func OperandText(v any, longest int) string {
	s, ok := v.(string)
	if !ok {
		return cut(string(schema.Encode(v)), longest)
	}
	t := strings.TrimSpace(s)
	switch {
	case s == "":
		return EmptyText
	case t == "":
		return cut(string(schema.Encode(s)), longest)
	}
	if name, ok := Variable(t); ok {
		return cut(name, longest)
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
