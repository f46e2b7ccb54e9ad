package atlas

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/formgraph/formgraph/app/caption"
)

// set returns the words of a list.
func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

var (
	// elements are kept. The others are replaced by their content.
	elements = set(`a abbr address article aside b bdi bdo big blockquote br button caption center cite code col colgroup data dd del details
		dfn dir div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img input ins kbd label legend li mark
		menu meter nav ol optgroup option output p pre progress q s samp search section select small span strike strong style sub summary sup
		table tbody td textarea tfoot th thead time tr tt u ul var wbr`)
	// dropped are removed with their content, which is not text.
	dropped = set(`script template noscript noembed noframes xmp plaintext title head base link meta iframe frame frameset object embed applet
		portal fencedframe math audio video canvas map datalist selectedcontent`)
	// attributes are kept on every element. Those that begin with aria- are kept, too.
	attributes = set(`class id style title lang dir role hidden align valign width height colspan rowspan headers scope abbr nowrap bgcolor color
		size face border cellpadding cellspacing alt placeholder value checked selected disabled readonly multiple rows cols start reversed open
		datetime label for span min max low high optimum cite summary`)
	// inputs are the types of inputs that are kept.
	inputs = set("text email url tel number search password checkbox radio date time datetime-local month week range color button reset submit")

	svgElements = set(`svg g defs symbol use path circle ellipse rect line polyline polygon text tspan linearGradient radialGradient stop clipPath
		mask pattern marker`)
	svgAttributes = set(`class id style viewBox preserveAspectRatio d x y x1 y1 x2 y2 cx cy r rx ry fx fy dx dy width height points offset transform
		fill fill-opacity fill-rule clip-rule clip-path mask stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray
		stroke-dashoffset stroke-opacity opacity color stop-color stop-opacity gradientUnits gradientTransform spreadMethod patternUnits
		patternTransform clipPathUnits maskUnits text-anchor dominant-baseline font-size font-weight font-family letter-spacing vector-effect
		marker-start marker-mid marker-end markerWidth markerHeight refX refY orient role focusable`)
)

// maxRounds bounds how often markup is parsed until it is stable.
const maxRounds = 4

// clean returns the HTML of the author without what could run, send, navigate or contain another document. Its result is stable: the
// nodes that it returns, written and cleaned again, are the same. So a browser, which parses what is written, sees the same elements.
// Markup that does not become stable is shown as its text.
func clean(markup string) []*html.Node {
	_, text := round(markup)
	for range maxRounds {
		nodes, again := round(text)
		if again == text {
			return nodes
		}
		text = again
	}
	return []*html.Node{{Type: html.TextNode, Data: caption.FromHTML(markup)}}
}

// round parses markup and returns what may stay of it, as nodes and as text.
func round(markup string) ([]*html.Node, string) {
	parsed, err := html.ParseFragment(strings.NewReader(markup), &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil { // it is nested too deeply
		parsed = []*html.Node{{Type: html.TextNode, Data: caption.FromHTML(markup)}}
	}
	top := element("div")
	for _, n := range parsed {
		keep(top, n, "")
	}
	return children(top), inner(top)
}

// keep appends to an element what may stay of a node. within is the namespace of the element.
func keep(to, n *html.Node, within string) {
	switch {
	case n.Type == html.TextNode:
		to.AppendChild(&html.Node{Type: html.TextNode, Data: strings.ReplaceAll(n.Data, "\x00", "")})
		return
	case n.Type != html.ElementNode:
		return
	case n.Namespace == "svg":
		keepSVG(to, n)
		return
	case n.Namespace != "" || within != "":
		return
	case n.Data == "style":
		to.AppendChild(styleElement(sheet(text(n))))
		return
	}
	if p := stand(n); p != nil {
		to.AppendChild(p)
		return
	}
	if dropped[n.Data] || n.Data == "input" && !keptInput(n) {
		return
	}
	e := to
	if elements[n.Data] {
		e = element(n.Data)
		e.Attr = keptAttributes(n)
		to.AppendChild(e)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		keep(e, c, "")
	}
}

// keptInput reports whether an input stays.
func keptInput(n *html.Node) bool {
	t := strings.ToLower(attr(n, "type"))
	return t == "" || inputs[t]
}

// keptAttributes returns the attributes of an element that stay.
func keptAttributes(n *html.Node) []html.Attribute {
	var list []html.Attribute
	add := func(key, value string) {
		list = append(list, html.Attribute{Key: key, Val: strings.ReplaceAll(value, "\x00", "")})
	}
	for _, a := range n.Attr {
		switch {
		case a.Namespace != "" || strings.ContainsAny(a.Key, "\x00<>\"'` =/"):
		case a.Key == "style":
			add("style", declarations(a.Val))
		case attributes[a.Key] || strings.HasPrefix(a.Key, "aria-"):
			add(a.Key, a.Val)
		case a.Key == "src" && n.Data == "img":
			add("src", a.Val) // data: stand has replaced the others
		}
	}
	switch n.Data {
	case "input":
		t := strings.ToLower(attr(n, "type"))
		if t == "submit" || t == "reset" {
			t = "button"
		}
		if t != "" {
			add("type", t)
		}
	case "button":
		add("type", "button")
	case "a":
		if href := attr(n, "href"); attr(n, "title") == "" && (strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "http://")) {
			add("title", href) // it leads nowhere here, but readers can see where it will
		}
	}
	return list
}

// stand returns what stands for an element that would load something: a box with the name of the site. It is nil for other elements.
func stand(n *html.Node) *html.Node {
	var src string
	switch n.Data {
	case "img":
		if src = attr(n, "src"); strings.HasPrefix(src, "data:image/") {
			return nil
		}
	case "iframe", "video", "audio", "embed":
		src = attr(n, "src")
	case "object":
		src = attr(n, "data")
	default:
		return nil
	}
	words := attr(n, "alt")
	if words == "" {
		if _, rest, ok := strings.Cut(src, "://"); ok {
			words, _, _ = strings.Cut(rest, "/")
		}
	}
	if words == "" {
		words = n.Data
	}
	box := element("span", html.Attribute{Key: "class", Val: "fg-picture"})
	box.AppendChild(&html.Node{Type: html.TextNode, Data: strings.ReplaceAll(words, "\x00", "")})
	return box
}

// keepSVG is keep for an element of a drawing. It keeps shapes, whose references lead to the same document.
func keepSVG(to, n *html.Node) {
	if !svgElements[n.Data] {
		return
	}
	e := &html.Node{Type: html.ElementNode, Data: n.Data, Namespace: "svg"}
	for _, a := range n.Attr {
		v := strings.TrimSpace(a.Val)
		switch {
		case a.Key == "href" && n.Data == "use" && (a.Namespace == "" || a.Namespace == "xlink"):
			if !strings.HasPrefix(v, "#") {
				continue
			}
			a.Namespace = ""
		case a.Namespace != "" || !svgAttributes[a.Key] || strings.Contains(v, "\x00"):
			continue
		case a.Key == "style":
			a.Val = declarations(v)
		case elsewhere(v):
			continue
		}
		e.Attr = append(e.Attr, a)
	}
	to.AppendChild(e)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Namespace != "svg" {
			continue
		}
		keep(e, c, "svg")
	}
}

// elsewhere reports whether the value of an attribute of a drawing refers to something outside the document.
func elsewhere(v string) bool {
	for _, t := range tokens(v) {
		if t.kind == urlToken && !strings.HasPrefix(t.text, `url("#`) && !strings.HasPrefix(t.text, "url('#") {
			return true
		}
	}
	return false
}

// --- Nodes ---

func element(name string, attrs ...html.Attribute) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name)), Attr: attrs}
}

// styleElement returns a style element. The style sheet must not contain an end tag.
func styleElement(css string) *html.Node {
	e := element("style")
	if css != "" {
		e.AppendChild(&html.Node{Type: html.TextNode, Data: css})
	}
	return e
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return true
		}
	}
	return false
}

func setAttr(n *html.Node, key, value string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			n.Attr[i].Val = value
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value})
}

func children(n *html.Node) []*html.Node {
	var list []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		list = append(list, c)
	}
	return list
}

// text returns the text in a node.
func text(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(text(c))
	}
	return b.String()
}

// inner returns the markup in a node.
func inner(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if err := html.Render(&b, c); err != nil {
			panic(err) // a builder takes everything, and no element of the lists is one that cannot be written
		}
	}
	return b.String()
}
