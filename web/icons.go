package web

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// cardIconsName is the name of the style sheet returned by cardIcons.
const cardIconsName = "card-icons.css"

// Icons with their own colours, by selector: those of the kinds of nodes, and the
// sign of a problem or a warning.
var coloured = []struct{ place, icon, colour string }{
	{".cv-kind>", "step", "step"},
	{".cv-kind>", "flow", "flow"},
	{".cv-kind>", "router", "router"},
	{".cv-kind>", "start", "start"},
	{".cv-kind>", "ending", "ending"},
	{".cv-kind>", "unknown", "ink-2"},
	{".cv-badge>", "warn", "bad"},
	{".cv-plus:hover>", "plus", "accent-ink"},
	{".cv-plus>", "plus", "accent"},
	{".cv-warn>", "warn", "warn"},
	{".cv-doubt>", "warn", "warn"},
	{".cv-bad>", "warn", "bad"},
}

// plainColour is the colour of all other icons on cards.
const plainColour = "ink-3"

// cardIcons returns a style sheet that draws icons as backgrounds: a class ci-NAME
// for each symbol of icons.svg, in the colours of tokens.css, light and dark. An
// image cannot use the page's colours, so each contains its own.
func cardIcons(icons, tokens []byte) ([]byte, error) {
	var set struct {
		Symbols []struct {
			ID   string `xml:"id,attr"`
			Body string `xml:",innerxml"`
		} `xml:"symbol"`
	}
	if err := xml.Unmarshal(icons, &set); err != nil {
		return nil, fmt.Errorf("read icons.svg: %w", err)
	}
	bodies := map[string]string{}
	for _, s := range set.Symbols {
		bodies[s.ID] = s.Body
	}
	var b bytes.Buffer
	b.WriteString("/* Generated from icons.svg and tokens.css when the server starts. */\n")
	for _, theme := range []struct{ block, selector string }{{":root {", ""}, {`[data-theme="dark"] {`, `[data-theme="dark"] `}} {
		colours, err := colours(tokens, theme.block)
		if err != nil {
			return nil, err
		}
		for _, s := range set.Symbols {
			writeIcon(&b, theme.selector+".ci-"+s.ID, s.Body, colours[plainColour])
		}
		for _, c := range coloured {
			if bodies[c.icon] == "" || colours[c.colour] == "" {
				return nil, fmt.Errorf("draw the icon %s in %s: icons.svg or tokens.css does not have it", c.icon, c.colour)
			}
			writeIcon(&b, theme.selector+c.place+".ci-"+c.icon, bodies[c.icon], colours[c.colour])
		}
	}
	return b.Bytes(), nil
}

func writeIcon(b *bytes.Buffer, selector, body, colour string) {
	svg := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="` + colour +
		`" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">` + body + `</svg>`
	data := url.PathEscape(strings.NewReplacer(`"`, `'`, "currentColor", colour).Replace(svg))
	fmt.Fprintf(b, "%s{background-image:url(\"data:image/svg+xml,%s\")}\n", selector, data)
}

var property = regexp.MustCompile(`--([a-z0-9-]+): (#[0-9a-f]+);`)

// colours returns the colours that a block in tokens.css defines, by name.
func colours(tokens []byte, block string) (map[string]string, error) {
	_, rest, found := strings.Cut(string(tokens), "\n"+block)
	rest, _, closed := strings.Cut(rest, "\n}")
	if !found || !closed {
		return nil, fmt.Errorf("read tokens.css: it has no block %q", block)
	}
	m := map[string]string{}
	for _, p := range property.FindAllStringSubmatch(rest, -1) {
		m[p[1]] = p[2]
	}
	if m[plainColour] == "" {
		return nil, fmt.Errorf("read tokens.css: the block %q has no colour --%s", block, plainColour)
	}
	return m, nil
}
