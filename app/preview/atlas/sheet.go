package atlas

import (
	"slices"
	"strconv"
	"strings"
)

// maxNesting bounds the nesting of rules in a style sheet. What is deeper is dropped.
const maxNesting = 32

// The elements that stand for those of a document, and the class of the root. Element names keep the specificity of selectors.
const (
	rootElement = "fg-html"
	bodyElement = "fg-body"
	rootClass   = "fg-root"
)

// grouping are the at-rules that contain rules. The other at-rules that are kept contain declarations.
var grouping = map[string]bool{"@media": true, "@supports": true, "@layer": true, "@container": true, "@starting-style": true}

// sheet translates a style sheet for a shadow root: html, body and :root match the elements that stand for them, queries of the width of
// the viewport ask for that of the screen, and a rule for [data-theme=dark] applies on a dark screen. It drops imports, fonts, other
// global rules, and addresses other than data. A result is its own translation.
func sheet(css string) string {
	r := &rewriter{rest: tokens(css)}
	r.rules(0, true)
	return r.out.String()
}

// declarations does for the value of a style attribute what sheet does for a style sheet.
func declarations(css string) string {
	r := &rewriter{rest: tokens(css)}
	list, _ := r.prelude(false)
	r.values(list)
	return r.out.String()
}

// rewriter reads tokens and writes a style sheet.
type rewriter struct {
	rest []token
	out  strings.Builder
}

// prelude takes the tokens up to a block, or up to the end of a declaration or statement. end is "{", ";", "}" or "". It closes parentheses
// and brackets that are open at the end, and drops those that close nothing.
func (r *rewriter) prelude(semicolon bool) (list []token, end string) {
	var open []string // what closes them
	for len(r.rest) > 0 && end == "" {
		t := r.rest[0]
		r.rest = r.rest[1:]
		switch {
		case t.text == "{" || t.text == "}" || t.text == ";" && semicolon && len(open) == 0:
			end = t.text
			continue
		case t.text == "[":
			open = append(open, "]")
		case t.opens():
			open = append(open, ")")
		case t.text == ")" || t.text == "]":
			if len(open) == 0 || open[len(open)-1] != t.text {
				t = token{spaceToken, " "}
				break
			}
			open = open[:len(open)-1]
		}
		list = join(list, t)
	}
	list = trim(list)
	for _, text := range slices.Backward(open) {
		list = append(list, token{otherToken, text})
	}
	return list, end
}

// skip drops a block after its opening brace.
func (r *rewriter) skip() {
	for depth := 1; len(r.rest) > 0 && depth > 0; r.rest = r.rest[1:] {
		switch r.rest[0].text {
		case "{":
			depth++
		case "}":
			depth--
		}
	}
}

// rules writes rules and declarations up to the end of a block. selectors says whether preludes are selectors; those of keyframes are not.
func (r *rewriter) rules(depth int, selectors bool) {
	for len(r.rest) > 0 {
		switch t := r.rest[0]; {
		case t.kind == spaceToken || t.text == ";" || t.text == ")" || t.text == "]":
			r.rest = r.rest[1:]
			continue
		case t.text == "}":
			r.rest = r.rest[1:]
			if depth > 0 {
				return
			}
			continue
		case t.kind == atToken:
			r.atRule(depth)
			continue
		}
		list, end := r.prelude(depth > 0)
		switch {
		case end == "{" && depth >= maxNesting:
			r.skip()
		case end == "{":
			r.rule(list, depth, selectors)
		case depth > 0 && len(list) > 0:
			r.values(list)
			r.out.WriteByte(';')
		}
		if end == "}" && depth > 0 {
			return
		}
	}
}

// rule writes a rule, whose block follows.
func (r *rewriter) rule(list []token, depth int, selectors bool) {
	open, closing := "{", "}"
	if selectors {
		theme := ""
		if list, theme = selector(list); theme != "" {
			r.out.WriteString("@media screen and (prefers-color-scheme:" + theme + "){")
			closing = "}}"
		}
	}
	r.values(list)
	r.out.WriteString(open)
	r.rules(depth+1, selectors)
	r.out.WriteString(closing)
}

// atRule writes an at-rule if it is one of those that are kept.
func (r *rewriter) atRule(depth int) {
	name := strings.ToLower(r.rest[0].text)
	keyframes := name == "@keyframes" || name == "@-webkit-keyframes"
	list, end := r.prelude(true)
	switch {
	case end == "{" && (depth >= maxNesting || !keyframes && !grouping[name]):
		r.skip()
		return
	case end == ";" && name == "@layer":
		r.values(list)
		r.out.WriteByte(';')
		return
	case end != "{":
		return
	}
	if name == "@media" {
		list = media(list)
	}
	r.values(list)
	r.out.WriteByte('{')
	r.rules(depth+1, !keyframes)
	r.out.WriteByte('}')
}

func (r *rewriter) values(list []token) {
	for _, t := range trim(list) {
		r.out.WriteString(value(t))
	}
}

// join appends a token. White space after white space is nothing.
func join(list []token, t token) []token {
	if t.kind == spaceToken && len(list) > 0 && list[len(list)-1].kind == spaceToken {
		return list
	}
	return append(list, t)
}

// trim drops the space at both ends.
func trim(list []token) []token {
	for len(list) > 0 && list[0].kind == spaceToken {
		list = list[1:]
	}
	for len(list) > 0 && list[len(list)-1].kind == spaceToken {
		list = list[:len(list)-1]
	}
	return list
}

// selector returns a list of selectors for the shadow root, and the theme for which it applies, "" for both.
func selector(list []token) (out []token, theme string) {
	list = trim(list)
	brackets := 0
	for i := 0; i < len(list); i++ {
		t := list[i]
		before := ""
		if i > 0 {
			before = list[i-1].text
		}
		name := strings.ToLower(t.text)
		switch {
		case t.text == "[":
			if n, of := themed(list[i:]); n > 0 {
				theme = of
				i += n - 1
				out = append(out, token{otherToken, ":is(*)"}) // which keeps apart what is beside it
				continue
			}
			brackets++
		case t.text == "]":
			brackets--
		case brackets > 0 || t.kind != identToken && t.kind != functionToken:
		case before == ":" && name == "root":
			out = out[:len(out)-1]
			t = token{otherToken, "." + rootClass}
		case before == ":" && (strings.HasPrefix(name, "host") || name == "slotted(" || name == "part("):
			t.text = "fg-none" // which makes the rule invalid: the host is not the form's
			if strings.HasSuffix(name, "(") {
				t.text += "("
			}
		case before == "." || before == ":":
		case name == "html":
			t.text = rootElement
		case name == "body":
			t.text = bodyElement
		case name == "slot":
			t.text = "fg-none"
		}
		out = append(out, t)
	}
	return out, theme
}

// themed returns the number of tokens of an attribute selector for a theme, 0 if the list begins with none, and the theme.
func themed(list []token) (n int, theme string) {
	if len(list) < 5 || list[1].text != "data-theme" || list[2].text != "=" || list[4].text != "]" {
		return 0, ""
	}
	switch theme = strings.Trim(list[3].text, `"'`); theme {
	case "dark", "light":
		return 5, theme
	}
	return 0, ""
}

// media returns the prelude of a query. One that only asks for widths asks for that of the screen instead of the page.
func media(list []token) []token {
	inside := 0
	var query []token
	for i, t := range list[1:] {
		name := strings.ToLower(t.text)
		switch {
		case t.text == "(":
			inside++
		case t.text == ")":
			inside--
		case inside == 0 && t.kind == identToken && (name == "screen" || name == "all" || name == "only"):
			continue
		case inside == 0 && name == "and" && len(trim(query)) == 0:
			continue
		case inside > 0 && t.kind == identToken && name != "width" && name != "min-width" && name != "max-width",
			inside == 0 && t.kind == identToken && name != "and", t.text == ",", t.kind == functionToken,
			i == 0 && t.kind != spaceToken && t.text != "(":
			return list
		}
		query = join(query, t)
	}
	if query = trim(query); len(query) == 0 {
		return list
	}
	return append([]token{{atToken, "@container"}, {spaceToken, " "}}, query...)
}

// viewport maps the units of the viewport to those of the screen. Its height is that of a telephone.
var viewport = map[string]struct {
	unit   string
	factor float64
}{
	"vw": {"cqw", 1}, "svw": {"cqw", 1}, "lvw": {"cqw", 1}, "dvw": {"cqw", 1},
	"vh": {"px", 6.4}, "svh": {"px", 6.4}, "lvh": {"px", 6.4}, "dvh": {"px", 6.4},
}

// value returns the text of a token in a declaration.
func value(t token) string {
	switch t.kind { //nolint:exhaustive // the others stay as they are
	case urlToken:
		if address := strings.TrimLeft(t.text[len("url("):], " \t\n\"'"); len(address) < 5 || !strings.EqualFold(address[:5], "data:") {
			return `url("data:,")`
		}
	case numberToken:
		digits := strings.TrimRight(t.text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
		if to, ok := viewport[strings.ToLower(t.text[len(digits):])]; ok {
			if n, err := strconv.ParseFloat(digits, 64); err == nil {
				return strconv.FormatFloat(n*to.factor, 'f', -1, 64) + to.unit
			}
		}
	}
	return t.text
}
