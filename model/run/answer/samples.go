package answer

import (
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Samples returns values that a respondent may give for a component and that Judge accepts, the most ordinary first. It returns none if
// it finds none, for example because the constraints contradict each other, and for a component that takes no answer.
func Samples(c *model.Component) []any {
	config := c.Config()
	var ideas []any
	switch TypeOf(c) {
	case None:
		return nil
	case Text:
		ideas = textSamples(c)
	case Number:
		ideas = []any{schema.Number("1"), schema.Number("42"), schema.Number("0")}
		for _, name := range []string{"min_value", "max_value"} {
			if bound, ok := config.Get(name); ok {
				ideas = append(ideas, bound)
			}
		}
	case Boolean:
		ideas = []any{true, false}
	case Option:
		ideas = optionSamples(config)
	case Options:
		values := optionSamples(config)
		for _, v := range values {
			ideas = append(ideas, []any{v})
		}
		ideas = append(ideas, values)
	case Date:
		ideas = []any{"2000-01-31", "1990-12-24"}
	case Time:
		ideas = []any{"12:30", "23:15"}
	case Phone:
		ideas = []any{"+41446681800", "+12015550123", "+442079460123", "+4930901820", "+35226261"}
	case Files:
		ideas = fileSamples(config)
	case Payment:
		ideas = []any{PaymentMethod}
	case Social:
		ideas = []any{"google", "example"}
	case Address:
		ideas = []any{"Bahnhofstrasse 1, Zürich"}
	case Challenge:
		ideas = []any{true}
	case Credential:
		ideas = []any{"verified"}
	case Any:
		ideas = []any{"text", schema.Number("1"), true}
		if o := config.Object("schema"); o != nil {
			ideas = append([]any{instance(o, 0)}, ideas...)
		}
	}
	var found []any
	for _, v := range ideas {
		if a, refusal := Judge(c, v, nil); a != nil && refusal == nil {
			found = append(found, v)
		}
	}
	return found
}

func textSamples(c *model.Component) []any {
	texts := []string{"Ann", "Some text", "A longer text of several words"}
	switch kindOf(c).name {
	case "EMAIL":
		return []any{"ann@example.com", "bob@example.org"}
	case "URL":
		return []any{"https://example.com", "https://example.org/page"}
	case "TEL":
		texts = []string{"+41446681800", "0446681800", "112"}
	case "PASSWORD":
		texts = []string{"Correct7-Horse-Battery", "Blue.Giraffe42"}
	}
	var samples []any
	for _, s := range texts {
		samples = append(samples, fit(s, c.Config()))
	}
	return samples
}

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

func optionSamples(config *schema.Object) []any {
	var values []any
	for _, v := range config.List(options) {
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

func fileSamples(config *schema.Object) []any {
	names := []any{"photo.png", "document.pdf", "sound.mp3", "film.mp4", "archive.zip", "table.csv", "notes.txt"}
	for _, v := range config.List("extensions") {
		if s, ok := v.(string); ok {
			names = append(names, "file."+strings.TrimPrefix(s, "."))
		}
	}
	return names
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
