package inspector

import (
	"slices"
	"strings"
)

// richBlocks are the elements of rich text that stand on a line of their own; richMarks are those in a line.
var (
	richBlocks = []string{"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol"}
	richMarks  = []string{"strong", "b", "em", "i", "a", "code", "br"}
)

// Unshown names what a visual editor of headings, paragraphs, lists, links and marks would lose of HTML: other elements and attributes,
// comments, and what a browser would repair. It is empty if the editor shows everything.
func Unshown(html string) []string {
	sc := richScan{rest: html}
	for sc.rest != "" && len(sc.lost) < maxUnshown {
		at := strings.IndexAny(sc.rest, "<{")
		if at < 0 {
			sc.text(sc.rest)
			break
		}
		sc.text(sc.rest[:at])
		sc.rest = sc.rest[at:]
		switch {
		case strings.HasPrefix(sc.rest, "{{"):
			sc.template()
		case sc.rest[0] == '{' || len(sc.rest) == 1 || !strings.ContainsRune("/!?", rune(sc.rest[1])) && !isLetter(sc.rest[1]):
			sc.text(sc.rest[:1])
			sc.rest = sc.rest[1:]
		case sc.rest[1] == '!' || sc.rest[1] == '?':
			sc.lose("a comment")
			sc.rest = ""
		default:
			sc.tag()
		}
	}
	if len(sc.open) > 0 && len(sc.lost) == 0 {
		sc.lose("<" + sc.top() + "> without its end")
	}
	return sc.lost
}

// maxUnshown bounds what a sentence names.
const maxUnshown = 3

// richScan reads HTML from its beginning.
type richScan struct {
	rest string
	open []string // the elements around, outermost first
	lost []string
}

func (sc *richScan) lose(what string) {
	if !slices.Contains(sc.lost, what) {
		sc.lost = append(sc.lost, what)
	}
}

func (sc *richScan) top() string {
	if len(sc.open) == 0 {
		return ""
	}
	return sc.open[len(sc.open)-1]
}

func (sc *richScan) text(text string) {
	if top := sc.top(); (top == "ul" || top == "ol") && strings.TrimSpace(text) != "" {
		sc.lose("text between the items of a list")
	}
}

// template skips a template. One with signs of HTML would be changed when it is written again.
func (sc *richScan) template() {
	before := sc.rest[:nextTag(sc.rest)]
	end := strings.Index(before, "}}")
	if end < 0 {
		// It is text, for example while somebody types it.
		if strings.ContainsAny(before, "<>") {
			sc.lose("a template with < or >")
		}
		sc.text("{{")
		sc.rest = sc.rest[2:]
		return
	}
	if strings.ContainsAny(sc.rest[:end], "<>&") {
		sc.lose("a template with <, > or &")
	}
	sc.text("{{")
	sc.rest = sc.rest[end+2:]
}

// nextTag returns the offset of the next tag or comment, the length of the text if there is none.
func nextTag(s string) int {
	for i := 0; i < len(s)-1; i++ {
		if s[i] == '<' && (s[i+1] == '/' || s[i+1] == '!' || s[i+1] == '?' || isLetter(s[i+1])) {
			return i
		}
	}
	return len(s)
}

// tag reads a tag, whose "<" begins the rest.
func (sc *richScan) tag() {
	end := strings.IndexByte(sc.rest, '>')
	if end < 0 {
		sc.lose("a tag without its end")
		sc.rest = ""
		return
	}
	body := sc.rest[1:end]
	if closing, ok := strings.CutPrefix(body, "/"); ok {
		sc.rest = sc.rest[end+1:]
		if name := strings.ToLower(strings.TrimSpace(closing)); name == sc.top() {
			sc.open = sc.open[:len(sc.open)-1]
		} else {
			sc.lose("</" + name + "> without its beginning")
		}
		return
	}
	cut := strings.IndexAny(body, " \t\r\n/")
	if cut < 0 {
		cut = len(body)
	}
	name, attributes := strings.ToLower(body[:cut]), strings.TrimSpace(body[cut:])
	if name == "a" && attributes != "" {
		end = sc.link(attributes, end)
	} else if attributes != "" && (name != "br" || attributes != "/") {
		attr, _, _ := strings.Cut(attributes, "=")
		sc.lose("the attribute " + strings.TrimRight(strings.TrimSpace(attr), "/"))
	}
	sc.rest = sc.rest[end+1:]
	block, top := slices.Contains(richBlocks, name), sc.top()
	switch {
	case !block && name != "li" && !slices.Contains(richMarks, name):
		sc.lose("<" + name + ">")
	case (name == "li") != (top == "ul" || top == "ol"),
		block && top != "" && top != "li",
		name != "br" && slices.Contains(sc.open, name) && name != "ul" && name != "ol" && name != "li":
		sc.lose("<" + name + "> in <" + top + ">")
	}
	if name != "br" {
		sc.open = append(sc.open, name)
	}
}

// link reads the attributes of a link, which may only be its address in quotes, and returns where the tag ends: an address may contain
// ">".
func (sc *richScan) link(attributes string, end int) int {
	value, ok := strings.CutPrefix(attributes, `href="`)
	if !ok {
		attr, _, _ := strings.Cut(attributes, "=")
		sc.lose("the attribute " + attr)
		return end
	}
	address, more, closed := strings.Cut(value, `"`)
	switch {
	case !closed:
		sc.lose("an address with >")
	case strings.TrimSpace(more) != "":
		attr, _, _ := strings.Cut(strings.TrimSpace(more), "=")
		sc.lose("the attribute " + attr)
	case !LinkAddress(address):
		sc.lose("a link to " + address)
	}
	return end
}

// LinkAddress reports whether a link in rich text may have an address: one of the web, of mail, a relative one, or a template.
func LinkAddress(address string) bool {
	lower := strings.ToLower(address)
	for _, prefix := range []string{"https://", "http://", "mailto:", "{{"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	// A colon before the first slash would end a scheme. Browsers skip control characters in it, and entities stand for characters.
	end := strings.IndexAny(address, "/?#")
	if end < 0 {
		end = len(address)
	}
	return !strings.ContainsAny(address[:end], ":&") && !strings.ContainsFunc(address, func(r rune) bool { return r < ' ' })
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
