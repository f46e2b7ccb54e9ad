package caption

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// Run is a part of the text of HTML with one style. Its text is never empty, on one line, and has the spaces that part it from the next run.
type Run struct {
	Text   string
	Link   bool
	Strong bool // it is bold or in a heading
	Block  bool // it begins a block after another one: a paragraph, a list item, a line
}

// Runs returns the text of an HTML fragment as a reader sees it, cut to a number of characters. Like FromHTML it is not an HTML parser: an end tag
// ends the style of all elements with its name.
func Runs(html string, characters int) []Run {
	r := runs{left: characters}
	tags := tagReader{open: true}
	for i := 0; i < len(html) && r.left > 0; {
		if html[i] == '<' {
			if end := tags.end(html, i); end > 0 {
				r.tag(html[i:end])
				i = end
				continue
			}
		}
		c, n := Character(html[i:])
		r.add(c)
		i += n
	}
	r.flush()
	return r.list
}

// FirstBlock returns the text of the first block of an HTML fragment, such as its heading, cut to a number of characters.
func FirstBlock(html string, characters int) string {
	var b strings.Builder
	for i, r := range Runs(html, characters+1) {
		if i > 0 && r.Block {
			break
		}
		b.WriteString(r.Text)
	}
	return schema.Shorten(strings.TrimSpace(b.String()), characters)
}

// runs is a text while it is read.
type runs struct {
	list         []Run
	left         int // characters
	text         []byte
	space        bool // is due before the next character
	parted       bool // the run before ends with the space
	block        bool // begins with the next character
	link, strong bool
}

// add adds a character.
func (r *runs) add(c rune) {
	if c <= ' ' || c == 0x7f || unicode.IsSpace(c) {
		r.space = true
		return
	}
	some := len(r.text) > 0 || len(r.list) > 0
	if r.space && some && !r.block && !r.parted {
		r.text = append(r.text, ' ')
		r.left--
	}
	r.space, r.parted = false, false
	if r.block && some {
		r.flush()
		r.list = append(r.list, Run{Block: true})
	}
	r.block = false
	r.text = utf8.AppendRune(r.text, c)
	r.left--
}

// flush ends a run.
func (r *runs) flush() {
	last := len(r.list) - 1
	if last < 0 || r.list[last].Text != "" {
		if len(r.text) == 0 {
			return
		}
		r.list = append(r.list, Run{})
		last++
	}
	r.list[last].Text, r.list[last].Link, r.list[last].Strong = string(r.text), r.link, r.strong
	r.text = r.text[:0]
}

// tag reads a tag or a comment. An element that is not known to be inline is a block.
func (r *runs) tag(tag string) {
	name := strings.ToLower(strings.TrimLeft(tag[1:len(tag)-1], "/"))
	if i := strings.IndexFunc(name, func(c rune) bool { return c <= ' ' || c == '/' }); i >= 0 {
		name = name[:i]
	}
	opens := tag[1] != '/'
	heading := len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6'
	switch {
	case name == "a":
		r.style(&r.link, opens)
	case name == "b", name == "strong", heading:
		r.style(&r.strong, opens)
	}
	r.block = r.block || heading || !inline[name] && tag[1] != '!'
}

// style begins or ends a style.
func (r *runs) style(of *bool, on bool) {
	if *of == on {
		return
	}
	if r.space && len(r.text) > 0 && !r.block { // the space has the style of what is before it
		r.text, r.space, r.parted = append(r.text, ' '), false, true
		r.left--
	}
	r.flush()
	*of = on
}

// inline are the elements that do not part words.
var inline = map[string]bool{
	"a": true, "abbr": true, "b": true, "code": true, "em": true, "i": true, "mark": true, "s": true, "small": true, "span": true, "strong": true,
	"sub": true, "sup": true, "u": true,
}
