package envelope

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// exportVersion is the version in real exports.
const exportVersion = "4.0.0"

// Placeholder replaces an id in an export.
type Placeholder struct {
	Name  string // such as #FLOW-1#
	ID    string // the id in the tenant from which the form comes
	Known bool   // false if only the id is known
}

// ExportForm returns the vendor's export envelope of a form: version, form without
// id and dates, flows and connections, which are {} if empty. The id of a flow is replaced by
// #FLOW-n#, numbered in the order of the nodes, including RESEND_BUTTONs, and then the
// ending. A connection_id inside the actions of a flow is replaced by
// #CONN-n#. Equal ids have equal numbers. A template ({{...}}) is not an id.
//
// flows and connections hold the known ones by id, as the API returns them, and may be
// nil. Of a flow the export has its name and actions, of a connection its
// app_id and name. Unknown ones are listed only with their id, so that nothing
// is lost: real exports do so with connections; for flows it is our choice. The
// placeholders are those of the flows, then those of the connections.
func ExportForm(f *model.Form, flows, connections map[string]*schema.Object) (*schema.Object, []Placeholder) {
	flowNames, connNames := newNumbering("#FLOW-"), newNumbering(connPrefix)
	for _, r := range chosen(f) {
		flowNames.name(r.ID)
	}
	var placeholders []Placeholder
	var flowMembers, connMembers []schema.Member
	for _, id := range flowNames.ids {
		flow, known := flows[id]
		entry := schema.NewObject(schema.Member{Key: "id", Value: id})
		if known {
			entry = only(flow, "name", "actions")
			if actions, ok := entry.Get("actions"); ok {
				entry = entry.With("actions", mapConnections(actions, connNames.name))
			}
		}
		flowMembers = append(flowMembers, schema.Member{Key: flowNames.name(id), Value: entry})
		placeholders = append(placeholders, Placeholder{flowNames.name(id), id, known})
	}
	for _, id := range connNames.ids {
		conn, known := connections[id]
		entry := append([]schema.Member{{Key: "id", Value: id}}, only(conn, "app_id", "name").Members()...)
		connMembers = append(connMembers, schema.Member{Key: connNames.name(id), Value: schema.NewObject(entry...)})
		placeholders = append(placeholders, Placeholder{connNames.name(id), id, known})
	}
	form := MapFlows(f, func(id string) (string, bool) { return flowNames.name(id), true }).Tree()
	for _, m := range form.Members() {
		if model.ResponseOnly(m.Key) {
			form = form.Without(m.Key)
		}
	}
	return schema.NewObject(
		schema.Member{Key: "version", Value: exportVersion},
		schema.Member{Key: "form", Value: form},
		schema.Member{Key: "flows", Value: schema.NewObject(flowMembers...)},
		schema.Member{Key: "connections", Value: schema.NewObject(connMembers...)},
	), placeholders
}

// numbering numbers ids in the order in which they first occur.
type numbering struct {
	prefix string
	ids    []string
	names  map[string]string
}

func newNumbering(prefix string) *numbering {
	return &numbering{prefix: prefix, names: map[string]string{}}
}

func (n *numbering) name(id string) string {
	name, ok := n.names[id]
	if !ok {
		n.ids = append(n.ids, id)
		name = n.prefix + strconv.Itoa(len(n.ids)) + "#"
		n.names[id] = name
	}
	return name
}

// only returns an object with the named members of o, in the order of the names.
func only(o *schema.Object, names ...string) *schema.Object {
	var members []schema.Member
	for _, name := range names {
		if v, ok := o.Get(name); ok {
			members = append(members, schema.Member{Key: name, Value: v})
		}
	}
	return schema.NewObject(members...)
}

// mapConnections returns the actions of a flow with other connection ids. Actions can contain actions (the branches of a condition), so it
// maps everything below.
func mapConnections(v any, name func(id string) string) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = mapConnections(v[i], name)
		}
		return out
	case *schema.Object:
		members := make([]schema.Member, v.Len())
		for i, m := range v.Members() {
			id, isText := m.Value.(string)
			if m.Key == "connection_id" && isText && id != "" && !strings.Contains(id, "{{") {
				m.Value = name(id)
			} else {
				m.Value = mapConnections(m.Value, name)
			}
			members[i] = m
		}
		return schema.NewObject(members...)
	}
	return v
}

// Missing is a flow of a document that has no counterpart in the importing tenant.
type Missing struct {
	Placeholder string
	Name        string        // of the flow, "" if the document does not have it
	Paths       []schema.Path // where it occurs, relative to the form
}

// ImportForm returns the form of a document with its placeholders replaced by the flow ids in mapping. Placeholders without one stay, and
// are returned in the order in which they first occur. Placeholders are texts of the shape #FLOW-n#, and everything that the envelope lists
// as a flow (hand-made ones use names). Any other id is assumed to belong to the tenant and stays. The form is nil for a Document without
// one.
func ImportForm(d Document, mapping map[string]string) (*model.Form, []Missing) {
	if d.Form == nil {
		return nil, nil
	}
	to := func(id string) (string, bool) { now, ok := mapping[id]; return now, ok }
	return MapFlows(d.Form, to), missing(d, mapping)
}

func missing(d Document, mapping map[string]string) []Missing {
	listed := d.Outer.Object("flows")
	at := map[string]int{}
	var out []Missing
	for _, r := range chosen(d.Form) {
		_, mapped := mapping[r.ID]
		if mapped || !model.IsFlowPlaceholder(r.ID) && !listed.Has(r.ID) {
			continue
		}
		i, seen := at[r.ID]
		if !seen {
			i = len(out)
			at[r.ID] = i
			out = append(out, Missing{Placeholder: r.ID, Name: listed.Object(r.ID).Text("name")})
		}
		out[i].Paths = append(out[i].Paths, r.Path)
	}
	return out
}

// Target is a flow of the importing tenant.
type Target struct{ ID, Name string }

// MatchFlows matches the flows of an export with those of a tenant, by their exact names, and returns the flows of the form that are
// missing. A flow that the export lists only by its id matches the tenant's flow with that id. A name shared by several of the tenant's
// flows matches none of them: the author must choose.
func MatchFlows(d Document, target []Target) (mapping map[string]string, unmatched []Missing) {
	byName, ids := map[string]string{}, map[string]bool{}
	for _, t := range target {
		if _, taken := byName[t.Name]; taken {
			byName[t.Name] = ""
		} else {
			byName[t.Name] = t.ID
		}
		ids[t.ID] = true
	}
	mapping = map[string]string{}
	for _, m := range d.Outer.Object("flows").Members() {
		flow, _ := m.Value.(*schema.Object)
		switch name, id := flow.Text("name"), flow.Text("id"); {
		case name != "" && byName[name] != "":
			mapping[m.Key] = byName[name]
		case name == "" && ids[id] && id != "":
			mapping[m.Key] = id
		}
	}
	if d.Form == nil {
		return mapping, nil
	}
	return mapping, missing(d, mapping)
}
