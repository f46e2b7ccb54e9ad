package answertype

import (
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Examples returns values that a respondent may give for a component, the most ordinary first, and none for a component that takes no
// answer. They consider its options and lengths, but its constraints may refuse some of them, or all if they contradict each other;
// answer.Samples returns those that are accepted.
func Examples(c *model.Component) []any {
	config := c.Config()
	switch Of(c) { //nolint:exhaustive // Any is what follows
	case None:
		return nil
	case Text:
		return texts(c)
	case Number:
		return numbers(config)
	case Boolean:
		return []any{true, false}
	case Option:
		return values(config)
	case Options:
		all := values(config)
		var lists []any
		for _, v := range all {
			lists = append(lists, []any{v})
		}
		return append(lists, all)
	case Date:
		return []any{"2000-01-31", "1990-12-24"}
	case Time:
		return []any{"12:30", "23:15"}
	case Phone:
		return []any{"+41446681800", "+12015550123", "+442079460123", "+4930901820", "+35226261"}
	case Files:
		return files(config)
	case Payment:
		return []any{PaymentMethod}
	case Social:
		return []any{"google", "example"}
	case Address:
		return []any{"Bahnhofstrasse 1, Zürich"}
	case Challenge:
		return []any{true}
	case Credential:
		return []any{"verified"}
	}
	examples := []any{"text", schema.Number("1"), true}
	if o := config.Object("schema"); o != nil {
		examples = append([]any{instance(o, 0)}, examples...)
	}
	return examples
}

// texts returns texts for a component whose answer is a text.
func texts(c *model.Component) []any {
	words := []string{"Ann", "Some text", "A longer text of several words"}
	switch c.Kind.Type {
	case "EMAIL":
		return []any{"ann@example.com", "bob@example.org"}
	case "URL":
		return []any{"https://example.com", "https://example.org/page"}
	case "TEL":
		words = []string{"+41446681800", "0446681800", "112"}
	case "PASSWORD":
		words = []string{"Correct7-Horse-Battery", "Blue.Giraffe42"}
	}
	var examples []any
	for _, s := range words {
		examples = append(examples, fit(s, c.Config()))
	}
	return examples
}

// PaymentMethod is the answer to a payment that was given as a card. A run keeps no card.
const PaymentMethod = "pm_card"

// fit repeats or shortens a text so that its length is within the bounds of a config.
func fit(s string, config *schema.Object) string {
	if low, ok := config.Int("min_length"); ok && low < 1<<16 {
		for utf8.RuneCountInString(s) < low {
			s += s
		}
	}
	if high, ok := config.Int("max_length"); ok && utf8.RuneCountInString(s) > high {
		s = string([]rune(s)[:max(0, high)])
	}
	return s
}

// values returns the values of the options of a choice, and one of the respondent's own if it accepts that.
func values(config *schema.Object) []any {
	var values []any
	for _, v := range config.List("options") {
		o, _ := v.(*schema.Object)
		if value, ok := o.Get("value"); ok {
			values = append(values, value)
		}
	}
	if flag(config.Object("allow_other"), "enabled") {
		values = append(values, "Something else")
	}
	return values
}

// numbers returns numbers within the bounds of a config, and the bounds.
func numbers(config *schema.Object) []any {
	var examples []any
	low, hasLow := config.Get("min_value")
	high, hasHigh := config.Get("max_value")
	for _, n := range []schema.Number{"1", "42", "0"} {
		least, _ := low.(schema.Number)
		most, _ := high.(schema.Number)
		if (least == "" || n.Compare(least) >= 0) && (most == "" || n.Compare(most) <= 0) {
			examples = append(examples, n)
		}
	}
	if hasLow {
		examples = append(examples, low)
	}
	if hasHigh {
		examples = append(examples, high)
	}
	return examples
}

// files returns names of files with the extensions of a config.
func files(config *schema.Object) []any {
	names := []any{"photo.png", "document.pdf", "sound.mp3", "film.mp4", "archive.zip", "table.csv", "notes.txt"}
	extensions := config.List("extensions")
	if len(extensions) == 0 {
		return names
	}
	var examples []any
	for _, v := range extensions {
		s, _ := v.(string)
		s = "." + strings.TrimPrefix(s, ".")
		for _, name := range names {
			if strings.HasSuffix(name.(string), strings.ToLower(s)) {
				examples = append(examples, name)
			}
		}
		examples = append(examples, "file"+s)
	}
	return examples
}

const maxInstance = 8 // levels

// instance returns a value for a JSON Schema: its default, an example or a constant if it has one, otherwise a small value of its type.
func instance(o *schema.Object, depth int) any {
	for _, key := range []string{"default", "const"} {
		if v, ok := o.Get(key); ok {
			return v
		}
	}
	for _, key := range []string{"examples", "enum"} {
		if list := o.List(key); len(list) > 0 {
			return list[0]
		}
	}
	if depth == maxInstance {
		return nil
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		if list := o.List(key); len(list) > 0 && o.Text("type") == "" {
			first, _ := list[0].(*schema.Object)
			return instance(first, depth+1)
		}
	}
	typ := o.Text("type")
	if list := o.List("type"); len(list) > 0 {
		typ, _ = list[0].(string)
	}
	switch {
	case typ == "number" || typ == "integer":
		for _, key := range []string{"minimum", "maximum"} {
			if v, ok := o.Get(key); ok {
				return v
			}
		}
		return schema.Number("1")
	case typ == "boolean":
		return true
	case typ == "array":
		item := instance(o.Object("items"), depth+1)
		low, _ := o.Int("minItems")
		list := []any{}
		for range min(max(low, 1), 100) {
			list = append(list, item)
		}
		return list
	case typ == "object" || o.Has("properties"):
		var members []schema.Member
		for _, m := range o.Object("properties").Members() {
			property, _ := m.Value.(*schema.Object)
			members = append(members, schema.Member{Key: m.Key, Value: instance(property, depth+1)})
		}
		return schema.NewObject(members...)
	}
	s := "text"
	if low, _ := o.Int("minLength"); low > len(s) && low < 1<<16 {
		s = strings.Repeat("a", low)
	}
	if high, ok := o.Int("maxLength"); ok && high >= 0 && high < len(s) {
		s = s[:high]
	}
	return s
}
