package model

import "github.com/formgraph/formgraph/model/schema"

// The tables of a form and its parts, one row for each property.

var messagesTable = schema.Table{
	{Name: "errors", Noun: "error text", Spec: schema.Map{Value: schema.String{Min: 1, Max: 255}}, Doc: "Error messages, by code."},
	{Name: "custom", Noun: "text", Spec: schema.Map{Value: schema.String{Min: 1, Max: 255}}, Doc: "Your own texts, by key."},
}

var languagesTable = schema.Table{
	{Name: "primary", Spec: schema.String{Min: 1, Max: 55}},
	{Name: "default", Spec: schema.String{Min: 1, Max: 55}},
}

var translationsSpec = schema.Map{Value: schema.Open{}}

var styleTable = schema.Table{
	{Name: "css", Label: "CSS", Spec: schema.String{Min: 1, Max: 5000, Multiline: true, Code: schema.CSS}},
}

var coordinatesTable = schema.Table{
	{Name: "x", Label: "X", Spec: coordinate, Required: true},
	{Name: "y", Label: "Y", Spec: coordinate, Required: true},
}

// MaxCoordinate is the largest absolute value of a coordinate.
const MaxCoordinate = 999_999

var coordinate = schema.Numeric{Min: "-999999", Max: "999999", Integer: true}

var (
	pointerSpec = schema.String{Format: pointer, Role: schema.NodePointer}
	flowSpec    = schema.String{Max: maxFlowID, Role: schema.FlowID}
)

var startTable = schema.Table{
	{Name: "hidden_fields", Noun: "hidden field", Spec: schema.List{Item: schema.Table{
		{Name: "key", Spec: schema.String{Format: identifier}, Required: true},
		{Name: "value", Spec: schema.String{Min: 1, Max: 500}},
	}}, Doc: "Values passed with the request and not shown."},
	{Name: "next_node", Label: "Goes to", Spec: pointerSpec},
	{Name: "coordinates", Spec: coordinatesTable, Section: Advanced},
}

var endingTable = schema.Table{
	{Name: "redirection", Spec: schema.Table{
		{Name: "target", Spec: schema.String{Min: 1, Max: 1024}, Required: true, Doc: "The address to which people go at the end."},
		{Name: "delay", Spec: schema.Numeric{Min: "0", Max: "10", Integer: true}, Doc: "Seconds until then."},
	}},
	{Name: "after_submit", Label: "When the form is sent", Spec: schema.Table{
		{Name: "flow_id", Label: "Run flow", Spec: flowSpec, Doc: "Runs once the answers are sent. The API calls it after submit."},
	}},
	{Name: "coordinates", Spec: coordinatesTable, Section: Advanced},
	{
		Name: "resume_flow", Label: "Continue the sign-in", Spec: schema.True{},
		Doc: "Continues the flow that opened the form, such as a sign-in. The API calls it resume flow.",
	},
}

// alias is the name that an author gives a node or a rule.
var alias = schema.Row{Name: "alias", Label: "Name", Spec: schema.String{Min: 1, Max: 150}, Doc: "Only authors read it. The API calls it the alias."}

var ruleTable = schema.Table{
	{Name: "id", Spec: schema.String{Format: identifier}, Required: true, Section: Advanced},
	alias,
	{Name: "condition", Spec: schema.Any{}, Required: true},
	{Name: "next_node", Label: "Goes to", Spec: pointerSpec},
}

// RuleTable returns the table of a router's rule.
func RuleTable() schema.Table { return ruleTable }

// NodeTable returns the table of a node type. For an unknown type it has the rows that
// all types share.
func NodeTable(t NodeType) schema.Table {
	var k NodeKind
	if known := NodeKindOf(t); known != nil {
		k = *known
	}
	return schema.Table{
		{
			Name: "id", Spec: schema.String{Format: identifier}, Required: true, Section: Advanced, Doc: "Unique in the form; pointers name it.",
		},
		{Name: "type", Spec: schema.Enum{string(t)}, Required: true},
		{Name: "coordinates", Spec: coordinatesTable, Section: Advanced},
		alias,
		{Name: "config", Spec: k.Config, Required: k.ConfigRequired},
	}
}

var nodeSpec = func() schema.Union {
	u := schema.Union{Tag: "type"}
	for i := range NodeKinds {
		u.Arms = append(u.Arms, schema.Arm{Tag: string(NodeKinds[i].Type), Spec: NodeTable(NodeKinds[i].Type)})
	}
	return u
}()

// contentTable has the properties of a form that its author owns: those of the PATCH body
// when they are not null.
var contentTable = schema.Table{
	{Name: "name", Spec: schema.String{Min: 1, Max: 150}},
	{Name: "messages", Spec: messagesTable},
	{Name: "languages", Spec: languagesTable},
	{Name: "translations", Spec: translationsSpec, Section: "Translations"},
	{Name: "nodes", Spec: schema.List{Item: nodeSpec}},
	{Name: "start", Spec: startTable},
	{Name: "ending", Spec: endingTable},
	{Name: "style", Spec: styleTable},
}

// ContentTable returns the properties of a form that its author owns, in the
// order in which they are written.
func ContentTable() schema.Table { return contentTable }

// patchTable is the body of the update. Every property may be null but name.
var patchTable = func() schema.Table {
	t := append(schema.Table(nil), contentTable...)
	for i := range t {
		if t[i].Name != "name" {
			t[i].Spec = schema.Nullable{Spec: t[i].Spec}
		}
	}
	return t
}()

// newTable is a flat form, in a file or as the body that creates one.
var newTable = func() schema.Table {
	t := append(schema.Table(nil), contentTable...)
	t[0].Required = true
	return t
}()

// responseTable is a form as the management API returns it.
var responseTable = func() schema.Table {
	t := schema.Table{{Name: "id", Spec: schema.String{Max: 30, Format: formID}, Required: true}}
	t = append(t, newTable...)
	return append(t,
		schema.Row{Name: "created_at", Spec: schema.String{Format: dateTime}, Required: true},
		schema.Row{Name: "updated_at", Spec: schema.String{Format: dateTime}, Required: true},
		schema.Row{Name: "embedded_at", Spec: schema.String{Format: date}},
		schema.Row{Name: "submitted_at", Spec: schema.String{Format: date}},
	)
}()

// ResponseOnly reports whether only the server sets a property of a form: it is in
// a response but not in the body of the update.
func ResponseOnly(key string) bool {
	_, all := responseTable.Row(key)
	_, content := contentTable.Row(key)
	return all && !content
}

// ElementKey returns the property that identifies the elements of a list: id
// for rules, key for hidden fields, "" for a list that is one value.
func ElementKey(s schema.Spec) string {
	l, ok := s.(schema.List)
	if !ok {
		return ""
	}
	t, ok := l.Item.(schema.Table)
	if !ok {
		return ""
	}
	for _, r := range t {
		if s, ok := r.Spec.(schema.String); ok && r.Required && s.Format == identifier {
			return r.Name
		}
	}
	return ""
}
