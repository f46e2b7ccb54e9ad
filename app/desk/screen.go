package desk

import (
	"slices"

	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/model/schema"
)

// Screen is the markup of a page in regions, each of which is sent when it changes. A region is the content of the element with its name as
// data-region; the region "" is the whole page, and is written first.
type Screen struct {
	sent    map[string]string // by region
	lines   map[string]string // by region and key, "\x00" between them
	number  int               // of the last event that is shown
	regions []any             // that have changed
	kept    map[string]string
	frame   string
}

// reset forgets what is shown: another page follows.
func (s *Screen) reset() { s.sent, s.lines = nil, nil }

// Region writes a region.
func (s *Screen) Region(name string, draw func(w *markup.Writer)) {
	var w markup.Writer
	draw(&w)
	html := w.String()
	if was, ok := s.sent[name]; ok && was == html {
		return
	}
	if s.sent == nil {
		s.sent = map[string]string{}
	}
	s.sent[name] = html
	s.regions = append(s.regions, schema.NewObject(schema.Member{Key: "region", Value: name}, schema.Member{Key: "html", Value: html}))
}

// Frame sends a message to the frame of the page, the iframe with data-frame.
func (s *Screen) Frame(message string) { s.frame = message }

// Line is an element of a list: its key, and its markup, one element with the key as data-key.
type Line struct{ Key, HTML string }

// Lines writes a region that is a list. Only the lines that changed are sent.
func (s *Screen) Lines(name string, lines []Line) {
	keys := make([]any, len(lines))
	var fresh []schema.Member
	for i, l := range lines {
		keys[i] = l.Key
		id := name + "\x00" + l.Key
		if was, ok := s.lines[id]; !ok || was != l.HTML {
			fresh = append(fresh, schema.Member{Key: l.Key, Value: l.HTML})
		}
		s.kept[id] = l.HTML
	}
	order := string(schema.Encode(keys))
	if was, ok := s.sent[name]; ok && was == order && len(fresh) == 0 {
		return
	}
	if s.sent == nil {
		s.sent = map[string]string{}
	}
	s.sent[name] = order
	s.regions = append(s.regions, schema.NewObject(schema.Member{Key: "region", Value: name}, schema.Member{Key: "keys", Value: keys},
		schema.Member{Key: "lines", Value: schema.NewObject(fresh...)}))
}

// text draws a page and returns what has changed as JSON, "" for nothing.
func (s *Screen) text(p Page, t *Turn) string {
	s.regions, s.kept, s.frame = nil, map[string]string{}, ""
	p.Draw(s)
	s.lines = s.kept
	message := []schema.Member{{Key: "number", Value: schema.IntNumber(s.number)}, {Key: "regions", Value: slices.Clip(s.regions)}}
	if t.focus != "" {
		message = append(message, schema.Member{Key: "focus", Value: t.focus})
	}
	if s.frame != "" {
		message = append(message, schema.Member{Key: "frame", Value: s.frame})
	}
	if t.clip != nil {
		message = append(message, schema.Member{Key: "clip", Value: *t.clip})
	}
	if t.file != nil {
		message = append(message, schema.Member{Key: "file", Value: t.file})
	}
	// A list tells the screen from a report.
	return string(schema.Encode([]any{schema.NewObject(message...)}))
}
