// Package complaint reads what a tenant says about a request that it refuses: its words, and the places in a form that they are about.
// Foreign tenants write neither as we do. What is read here are the shapes of common validators and of RFC 9457.
//
// Everything that is returned is text for people, bounded in size and number, without control characters.
package complaint

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"

	"github.com/formgraph/formgraph/model/schema"
)

// Bounds of what is read and returned.
const (
	// maxBody bounds a body that is read, in bytes. A larger one says nothing.
	maxBody = 2 << 20
	// maxText bounds each text in bytes.
	maxText = 500
	// maxProblems bounds the number of problems.
	maxProblems = 200
	// maxNesting bounds how deep lists are looked for.
	maxNesting = 4
)

// codeOther is the code of a problem for which the tenant has none of its own.
const codeOther = "value"

// Problem is what is wrong at a place. Path has the syntax of our own problems; "" is the whole form.
type Problem struct {
	Path   string `json:"path"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// Complaint is what a tenant says.
type Complaint struct {
	// Words are the tenant's own; "" if there are none, or if they only repeat the status.
	Words    string
	Problems []Problem
}

// Read reads the body of a refusal: JSON, or plain text when body is empty. A body of any other shape is no complaint.
func Read(body []byte, text string) Complaint {
	var c Complaint
	var tree any
	if len(body) <= maxBody && json.Unmarshal(body, &tree) == nil {
		r := &reader{}
		r.value(tree, 0)
		c = Complaint{r.words, r.problems}
	} else if len(body) == 0 {
		c.Words = clean(text)
	}
	if generic[strings.ToLower(c.Words)] {
		if c.Words = ""; len(c.Problems) > 0 {
			c.Words = c.Problems[0].Detail
		}
	}
	if len(c.Problems) == 0 && c.Words != "" {
		if path, ok := pathIn(c.Words); ok {
			c.Problems = []Problem{{path.String(), codeIn(c.Words), c.Words}}
		}
	}
	return c
}

// reader collects words and problems from the tree of a body.
type reader struct {
	words    string
	problems []Problem
}

// wordKeys lists the members that hold words, those written for the request at hand first.
var wordKeys = []string{"message", "error_description", "detail", "description", "title", "error", "reason"}

// listKeys lists the members that hold problems, or objects that do.
var listKeys = []string{
	"problems", "validation_errors", "issues", "errors", "details", "detail", "violations", "invalid-params", "invalid_params", "fieldErrors",
	"causes", "message", "error", "data",
}

// generic are words that only repeat the status.
var generic = map[string]bool{
	"": true, "bad request": true, "conflict": true, "unprocessable entity": true, "unprocessable content": true, "zoderror": true,
	"validation error": true, "validation failed": true, "error": true,
}

func (r *reader) value(v any, depth int) {
	if depth > maxNesting || len(r.problems) >= maxProblems {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			r.item(item, depth)
		}
	case map[string]any:
		for _, key := range wordKeys {
			if text, ok := v[key].(string); ok {
				r.say(text, depth)
			}
		}
		found := len(r.problems)
		for _, key := range listKeys {
			switch list := v[key].(type) {
			case []any:
				r.value(list, depth+1)
			case map[string]any:
				r.object(key, list, depth+1)
			}
			if len(r.problems) > found {
				return // others repeat it
			}
		}
	}
}

// object reads an object where a list may stand: another complaint, or a map from places to messages.
func (r *reader) object(key string, list map[string]any, depth int) {
	if key == "errors" || key == "fieldErrors" {
		for _, place := range sortedKeys(list) {
			for _, text := range textsOf(list[place]) {
				r.add(pathOf(place), "", text)
			}
		}
		if len(r.problems) > 0 {
			return
		}
	}
	r.value(list, depth)
}

// say takes words, unless better ones were found. Some validators write their list as a text.
func (r *reader) say(text string, depth int) {
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		var list []any
		if json.Unmarshal([]byte(text), &list) == nil {
			r.value(list, depth+1)
			return
		}
	}
	if text = clean(text); !generic[strings.ToLower(r.words)] || generic[strings.ToLower(text)] && r.words != "" {
		return
	}
	r.words = text
}

// item reads an element of a list of problems.
func (r *reader) item(v any, depth int) {
	switch v := v.(type) {
	case string:
		path, _ := pathIn(v)
		r.add(path, codeIn(v), v)
	case map[string]any:
		text := firstText(v, "detail", "message", "msg", "description", "reason", "error", "title")
		if text == "" {
			r.value(v, depth+1) // such as a list for each part of the request
			return
		}
		path, known := placeOf(v)
		if !known {
			path, _ = pathIn(text)
		}
		r.add(path, firstText(v, "code", "keyword", "type", "rule"), text)
	}
}

// codeShape is the shape of a code, for programs.
var codeShape = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

func (r *reader) add(path schema.Path, code, text string) {
	if len(r.problems) >= maxProblems {
		return
	}
	if !codeShape.MatchString(code) {
		code = codeOther
	}
	place := path.String()
	if len(place) > maxText {
		place = ""
	}
	r.problems = append(r.problems, Problem{place, code, clean(text)})
}

// placeKeys lists the members of an element that hold its place.
var placeKeys = []string{
	"path", "pointer", "instancePath", "dataPath", "loc", "location", "field", "property", "param", "parameter", "name",
}

// placeOf returns the place that an element names.
func placeOf(v map[string]any) (schema.Path, bool) {
	for _, key := range placeKeys {
		switch at := v[key].(type) {
		case string:
			return pathOf(at), true
		case []any:
			return pathOfList(at), true
		}
	}
	if source, ok := v["source"].(map[string]any); ok { // JSON:API
		return placeOf(source)
	}
	return nil, false
}

func firstText(v map[string]any, keys ...string) string {
	for _, key := range keys {
		if text, ok := v[key].(string); ok && text != "" {
			return text
		}
	}
	return ""
}

// textsOf returns the texts of a value that is a text or a list of them.
func textsOf(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, item := range v {
			if text, ok := item.(string); ok {
				all = append(all, text)
			}
		}
		return all
	}
	return nil
}

// clean returns a text in one line without characters that change how others are shown, cut to its bound.
func clean(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), 4*maxText)], "")
	text = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c) || unicode.IsControl(c):
			return ' '
		case unicode.Is(unicode.Bidi_Control, c) || c == '\ufeff':
			return -1
		}
		return c
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	return strings.ToValidUTF8(text[:min(len(text), maxText)], "")
}
