package main

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// stop is one node of the journey that demonstrates a warning. It names the node in full: the warning's detail shortens names and omits
// nodes.
type stop struct {
	Node   string     `json:"node"`           // its id, $start or $ending
	Name   string     `json:"name,omitempty"` // its alias
	Port   model.Port `json:"port,omitempty"` // the port through which the journey leaves it; "" at the end
	Line   int        `json:"line"`
	Column int        `json:"column"`

	path schema.Path
}

// maxStops bounds the total length of one file's journeys, in nodes, since together they may be quadratic in the size of the form. A
// journey that does not fit is omitted.
const maxStops = 100_000

// addJourneys adds to each warning the journey that demonstrates it.
func addJourneys(d envelope.Document, src []byte, warnings []finding) {
	if d.Form == nil || len(warnings) == 0 {
		return
	}
	type key struct {
		path string
		code schema.Code
	}
	proved := map[key]flow.Finding{}
	for _, f := range flow.Prove(d.Form) {
		proved[key{f.Problem.Path.String(), f.Problem.Code}] = f
	}
	places := make(map[string]int, len(d.Form.Nodes))
	for i, n := range slices.Backward(d.Form.Nodes) {
		places[n.ID] = i // the first node with an ID wins
	}
	left := maxStops
	var all []*stop
	for i := range warnings {
		w := &warnings[i]
		f, ok := proved[key{w.Path.String(), w.Code}]
		if !ok || f.Edges() == 0 || f.Edges() >= left {
			continue
		}
		w.Journey = journeyOf(d.Form, places, f)
		left -= len(w.Journey)
		for j := range w.Journey {
			all = append(all, &w.Journey[j])
		}
	}
	locateStops(d, src, all)
}

func journeyOf(f *model.Form, places map[string]int, finding flow.Finding) []stop {
	edges := finding.Witness()
	stops := make([]stop, 0, len(edges)+1)
	visit := func(id string, port model.Port) {
		s := stop{Node: id, Port: port}
		switch i, isNode := places[id]; {
		case id == model.StartID:
			s.path = schema.Path{schema.Key("start")}
		case id == model.EndingID:
			s.path = schema.Path{schema.Key("ending")}
		case isNode:
			s.Name, s.path = f.Nodes[i].Alias, schema.Path{schema.Key("nodes"), schema.Index(i)}
		}
		stops = append(stops, s)
	}
	for _, e := range edges {
		visit(e.From, e.Port)
	}
	visit(string(edges[len(edges)-1].To), "")
	return stops
}

// locateStops sets the line and column of each stop.
func locateStops(d envelope.Document, src []byte, stops []*stop) {
	var at schema.Path
	if d.Shape == envelope.Export {
		at = schema.Path{schema.Key("form")}
	}
	ps := make(schema.Problems, len(stops))
	for i, s := range stops {
		ps[i] = schema.Problem{Path: at.Join(s.path), Offset: -1}
	}
	schema.Locate(src, ps)
	text := schema.NewPositioner(src)
	for i, s := range stops {
		s.Line, s.Column = text.Position(ps[i].Offset)
	}
}
