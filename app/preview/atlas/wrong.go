package atlas

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/schema"
)

// maxWrong bounds the length of a text that is too long, in characters. A longer one would fill the page.
const maxWrong = 2000

// wrongAnswers returns an answer for each field of a step: one that is refused with another message than no answer, if there is one, else
// one that is accepted, if there is one. other reports whether there is any of the first sort.
func wrongAnswers(step *model.Step) (answers map[string]any, other bool) {
	answers = map[string]any{}
	for _, c := range step.Components {
		if answertype.Of(c) == answertype.None {
			continue
		}
		answers[c.ID] = nil
		if samples := answer.Samples(c); len(samples) > 0 {
			answers[c.ID] = samples[0]
		}
		if v := wrongAnswer(c); v != nil {
			answers[c.ID] = v
			other = true
		}
	}
	return answers, other
}

// wrongAnswer returns an answer that is refused with another message than no answer, nil for none.
func wrongAnswer(c *model.Component) any {
	var without answer.Key
	if _, r := answer.Judge(c, nil, nil); r != nil {
		without = r.Key
	}
	for _, v := range ideas(c) {
		if _, r := answer.Judge(c, v, nil); r != nil && r.Key != without && r.Key != answer.InvalidInput {
			return v
		}
	}
	return nil
}

// ideas returns what a person might give for a component by mistake: first what is beyond its bounds, then what has another format.
// Whoever chooses among options cannot be wrong.
func ideas(c *model.Component) []any {
	config := c.Config()
	list := bounds(config)
	switch answertype.Of(c) {
	case answertype.None, answertype.Boolean, answertype.Option, answertype.Options, answertype.Social, answertype.Address, answertype.Challenge, answertype.Credential:
		return nil
	case answertype.Text, answertype.Phone:
		return append(list, "abc", "12", "password", "ann@example", "not an address")
	case answertype.Number:
		return append(list, "abc")
	case answertype.Date:
		return []any{"2026-13-45"}
	case answertype.Time:
		return []any{"25:00"}
	case answertype.Files:
		return wrongFiles(config)
	case answertype.Payment:
		return []any{schema.NewObject(
			schema.Member{Key: "card_number", Value: "4242 4242 4242 4241"},
			schema.Member{Key: "expiration_date", Value: "12/34"},
			schema.Member{Key: "security_code", Value: "123"},
		)}
	case answertype.Any:
		return []any{"text", schema.Number("1"), true, schema.NewObject()}
	}
	return nil
}

// bounds returns values beyond the bounds of a config.
func bounds(config *schema.Object) []any {
	var list []any
	if n, ok := config.Int("min_length"); ok && n > 1 && n <= maxWrong {
		list = append(list, strings.Repeat("a", n-1))
	}
	if n, ok := config.Int("max_length"); ok && n > 0 && n < maxWrong {
		const words = "Much more text than fits. "
		list = append(list, strings.Repeat(words, n/len(words)+1)[:n]+"a")
	}
	for _, b := range []struct {
		property string
		by       float64
	}{{"min_value", -1}, {"max_value", 1}} {
		v, _ := config.Get(b.property)
		if n, ok := v.(schema.Number); ok {
			if x, err := strconv.ParseFloat(string(n), 64); err == nil {
				list = append(list, schema.Number(strconv.FormatFloat(x+b.by, 'f', -1, 64)))
			}
		}
	}
	return list
}

// wrongFiles returns lists of files of another type, too large, and too many.
func wrongFiles(config *schema.Object) []any {
	file := func(name string, size schema.Number) any {
		return schema.NewObject(schema.Member{Key: "name", Value: name}, schema.Member{Key: "size", Value: size})
	}
	list := []any{[]any{file("program.exe", "4096")}}
	names := []string{"picture.png", "document.pdf", "archive.zip", "film.mp4", "song.mp3"}
	if extensions := config.List("extensions"); len(extensions) > 0 {
		if e, ok := extensions[0].(string); ok {
			names = []string{"document." + strings.TrimPrefix(e, ".")}
		}
	}
	for _, n := range names {
		if most, ok := config.Int("maxSize"); ok {
			list = append(list, []any{file(n, schema.Number(strconv.Itoa(most+1)))})
		}
		if most, ok := config.Int("maxFiles"); ok && most < 20 {
			var many []any
			for range most + 1 {
				many = append(many, file(n, "4096"))
			}
			list = append(list, many)
		}
	}
	return list
}
