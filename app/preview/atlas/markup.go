package atlas

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/formgraph/formgraph/model/schema"
)

// finish turns the markup of preview.Screen into that of a page without the script of the frame. It puts the author's HTML, cleaned, into
// its place, and shows what the script derives from the controls: what is chosen in a dropdown, and the names of files. prefix makes ids
// and the names of groups unique among the screens of a step. options lists the options of dropdowns, which a reader cannot open on paper.
func finish(markup, prefix string, options bool) string {
	nodes, err := html.ParseFragment(strings.NewReader(markup), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		panic(err) // a screen is not deep
	}
	top := element("div")
	for _, n := range nodes {
		top.AppendChild(n)
	}
	f := finisher{prefix, options}
	f.walk(top)
	return inner(top)
}

type finisher struct {
	prefix  string
	options bool
}

// scripted are the attributes for the script alone.
var scripted = set("data-type data-kept data-member data-companion data-other data-submit data-act data-filter data-checks data-fill data-wait " +
	"data-waiting data-pattern data-secret data-strength data-show data-hide data-short data-limit data-chosen data-files autocomplete " +
	"spellcheck autocapitalize enterkeyhint inputmode tabindex")

func (f finisher) walk(n *html.Node) {
	for _, c := range children(n) {
		if c.Type == html.ElementNode {
			f.element(c)
		}
	}
}

func (f finisher) element(n *html.Node) {
	if n.Data == "h1" && attr(n, "class") == "fg-hidden" {
		n.Parent.RemoveChild(n) // the title stands above the screen
		return
	}
	if has(n, "data-html") {
		for _, c := range children(n) {
			n.RemoveChild(c)
		}
		for _, c := range clean(attr(n, "data-html")) {
			if c.Parent != nil {
				c.Parent.RemoveChild(c)
			}
			n.AppendChild(c)
		}
		setAttr(n, "data-html", "")
		f.attributes(n)
		return
	}
	switch {
	case n.Data == "main":
		n.Data, n.DataAtom = "section", atom.Section // a page has one main
	case n.Data == "details":
		f.dropdown(n)
	case n.Data == "select" && f.options:
		f.list(n, labels(n))
	case has(n, "data-files"):
		files(n)
	case attr(n, "class") == "fg-kept" && !kept(n):
		setAttr(n, "hidden", "")
	}
	f.walk(n)
	f.attributes(n)
}

// attributes prefixes ids and names, and drops what is for the script.
func (f finisher) attributes(n *html.Node) {
	var list []html.Attribute
	for _, a := range n.Attr {
		switch a.Key {
		case "id", "for", "name":
			a.Val = f.prefix + a.Val
		case "aria-describedby", "aria-labelledby":
			ids := strings.Fields(a.Val)
			for i := range ids {
				ids[i] = f.prefix + ids[i]
			}
			a.Val = strings.Join(ids, " ")
		case "role":
			if a.Val == "alert" || a.Val == "status" {
				continue // nothing happens on this page
			}
		}
		if !scripted[a.Key] {
			list = append(list, a)
		}
	}
	n.Attr = list
}

// dropdown shows what is chosen in a panel of options and lists the options. The names of countries are not the form's and are not
// listed.
func (f finisher) dropdown(n *html.Node) {
	var all, marked []string
	countries := false
	each(n, func(e *html.Node) {
		switch {
		case has(e, "data-region"):
			countries = true
		case e.Data == "li":
			all = append(all, text(e))
		}
		if e.Data == "input" && has(e, "checked") {
			words := attr(e, "data-short")
			if words == "" {
				words = text(e.Parent)
			}
			marked = append(marked, words)
		}
	})
	each(n, func(e *html.Node) {
		if !has(e, "data-chosen") {
			return
		}
		words := strings.Join(marked, ", ")
		if words == "" {
			words = attr(e, "data-chosen")
			setAttr(e, "class", "af-default")
		}
		e.AppendChild(&html.Node{Type: html.TextNode, Data: words})
	})
	for _, c := range children(n)[1:] {
		n.RemoveChild(c)
	}
	if !countries && f.options {
		f.list(n, all)
	}
}

// list adds the labels of options below a control.
func (f finisher) list(n *html.Node, labels []string) {
	ul := element("ul", html.Attribute{Key: "class", Val: "fg-options"})
	for _, l := range labels {
		li := element("li")
		li.AppendChild(&html.Node{Type: html.TextNode, Data: l})
		ul.AppendChild(li)
	}
	n.Parent.InsertBefore(ul, n.NextSibling)
}

// labels returns the labels of the options of a select element but the first, which stands for none.
func labels(n *html.Node) []string {
	var list []string
	each(n, func(e *html.Node) {
		if e.Data == "option" && attr(e, "value") != "" {
			list = append(list, text(e))
		}
	})
	return list
}

// files lists the files that a field contains.
func files(n *html.Node) {
	v, problems := schema.Decode([]byte(keptOf(n)))
	if len(problems) > 0 {
		return
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, file := range list {
		name, isText := file.(string)
		if o, ok := file.(*schema.Object); ok {
			name, isText = o.Text("name"), true
		}
		if isText {
			li := element("li")
			li.AppendChild(&html.Node{Type: html.TextNode, Data: name})
			n.AppendChild(li)
		}
	}
}

// keptOf returns the answer that the field around an element contains and its controls do not show, "" for none.
func keptOf(n *html.Node) string {
	for ; n != nil; n = n.Parent {
		if has(n, "data-field") {
			return attr(n, "data-kept")
		}
	}
	return ""
}

func kept(n *html.Node) bool { return keptOf(n) != "" }

// each calls do for the elements below a node.
func each(n *html.Node, do func(*html.Node)) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			do(c)
			each(c, do)
		}
	}
}
