package preview_test

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/preview"
)

// node is an element of parsed markup.
type node struct {
	tag   string
	attrs map[string]string
	kids  []*node
	words string // its text, with that of its descendants
}

var (
	tag       = regexp.MustCompile(`^<(/?)([a-z][a-z0-9]*)((?: [a-zA-Z-]+="[^"<>'` + "`" + `]*")*)>`)
	attribute = regexp.MustCompile(` ([a-zA-Z-]+)="([^"]*)"`)
)

// parse reads markup as strictly as no browser does: every value is quoted, every element is closed, and no text contains a character of
// markup.
func parse(t *testing.T, markup string) *node {
	t.Helper()
	root := &node{}
	open := []*node{root}
	for rest := markup; rest != ""; {
		if rest[0] != '<' {
			end := strings.IndexByte(rest+"<", '<')
			if words := rest[:end]; strings.ContainsAny(words, ">\"'`") {
				t.Fatalf("markup in the text %q", words)
			}
			for _, n := range open {
				n.words += html.UnescapeString(rest[:end])
			}
			rest = rest[end:]
			continue
		}
		m := tag.FindStringSubmatch(rest)
		if m == nil {
			t.Fatalf("no tag: %.200q", rest)
		}
		rest = rest[len(m[0]):]
		if m[1] != "" {
			if open[len(open)-1].tag != m[2] {
				t.Fatalf("</%s> closes <%s>", m[2], open[len(open)-1].tag)
			}
			open = open[:len(open)-1]
			continue
		}
		n := &node{tag: m[2], attrs: map[string]string{}}
		for _, a := range attribute.FindAllStringSubmatch(m[3], -1) {
			if _, twice := n.attrs[a[1]]; twice {
				t.Fatalf("%s has %s twice", m[0], a[1])
			}
			n.attrs[a[1]] = html.UnescapeString(a[2])
		}
		open[len(open)-1].kids = append(open[len(open)-1].kids, n)
		if !slices.Contains([]string{"input", "img", "hr"}, n.tag) {
			open = append(open, n)
		}
	}
	if len(open) != 1 {
		t.Fatalf("<%s> is not closed", open[len(open)-1].tag)
	}
	return root
}

// all returns the descendants for which a condition holds, in the order of the markup.
func (n *node) all(holds func(*node) bool) []*node {
	var list []*node
	for _, k := range n.kids {
		if holds(k) {
			list = append(list, k)
		}
		list = append(list, k.all(holds)...)
	}
	return list
}

func has(name string) func(*node) bool {
	return func(n *node) bool { _, ok := n.attrs[name]; return ok }
}

// with returns the descendants with an attribute of a value.
func (n *node) with(name, value string) []*node {
	return n.all(func(k *node) bool { v, ok := k.attrs[name]; return ok && v == value })
}

// skeleton returns the tags and attributes of an element without values and texts.
func (n *node) skeleton() string {
	var b strings.Builder
	b.WriteString("<" + n.tag)
	names := make([]string, 0, len(n.attrs))
	for name := range n.attrs {
		names = append(names, name)
	}
	slices.Sort(names)
	b.WriteString(" " + strings.Join(names, " ") + ">")
	for _, k := range n.kids {
		b.WriteString(k.skeleton())
	}
	b.WriteString("/")
	return b.String()
}

// screen renders items and parses the result.
func screen(t *testing.T, items ...preview.Item) *node {
	t.Helper()
	return parse(t, preview.Screen{Node: "step_1", Language: "en", Title: "A step", Items: items}.Render())
}
