package model

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// PatchSchemaID identifies the schema of the PATCH body. It is a name and not an address: nothing is served there.
const PatchSchemaID = "https://github.com/formgraph/formgraph/patch.schema.json"

// PatchSchema returns the JSON Schema, draft 2020-12, of the body of PATCH /forms/{id}, printed from the tables that CheckPatch uses. Every
// property except name may be null.
//
// It accepts what CheckPatch accepts, and also some malformed image URLs that no pattern can exclude. Like CheckPatch it does not check
// whether ids are unique or pointers resolve; see CheckGraph. schema.Decode checks the limits of a document and duplicate keys.
//
// Each call makes a new tree of about 2,500 values; callers that need it often should keep it.
func PatchSchema() *schema.Object {
	p := schema.Printer{Defs: patchDefs(), Near: []schema.Near{nearHTTPS()}}
	head := []schema.Member{
		{Key: "$schema", Value: schema.JSONSchemaDialect},
		{Key: "$id", Value: PatchSchemaID},
		{Key: "title", Value: "Update of a form"},
		{Key: "description", Value: "The body of PATCH {base_url}/forms/{id}. A property that is absent stays as it is, null removes it, " +
			"another value replaces it whole; the name cannot be removed. Generated from the tables of Formgraph. " +
			"Not expressed here: node ids, component ids, and rule ids within a router are unique, and a pointer names a node that exists."},
	}
	return schema.NewObject(append(head, p.JSONSchema(patchTable).Members()...)...)
}

// patchDefs lists the definitions of the schema, from small to large.
func patchDefs() []schema.Def {
	defs := []schema.Def{
		{Name: "identifier", Spec: schema.String{Format: identifier}, Doc: "Letters, digits, _ and -."},
		{Name: "pointer", Spec: pointerSpec, Doc: "The id of a node, or " + EndingID + "."},
		{Name: "coordinates", Spec: coordinatesTable, Doc: "A place on the canvas."},
		{Name: "node", Spec: nodeSpec, Doc: "One of the node types, chosen by type."},
	}
	for _, a := range nodeSpec.Arms {
		defs = append(defs, schema.Def{Name: "node." + a.Tag, Title: a.Tag, Doc: NodeKindOf(NodeType(a.Tag)).Doc, Spec: a.Spec})
	}
	defs = append(defs,
		schema.Def{Name: "rule", Spec: ruleTable, Doc: "One way out of a router."},
		schema.Def{Name: "component", Spec: componentSpec, Doc: "One part of a step, chosen by category and type."},
	)
	for _, category := range componentSpec.Arms {
		name := "component." + strings.ToLower(category.Tag)
		kinds, _ := category.Spec.(schema.Union)
		defs = append(defs, schema.Def{Name: name, Title: category.Tag, Spec: kinds})
		for _, a := range kinds.Arms {
			k := KindOf(a.Tag)
			defs = append(defs, schema.Def{Name: name + "." + a.Tag, Title: k.Label, Doc: k.Doc, Spec: a.Spec})
		}
	}
	return defs
}

// nearHTTPS is a function because a package variable would also be initialized in the browser, which prints no schema.
func nearHTTPS() schema.Near {
	return schema.Near{
		Format: urlHTTPS,
		// The scheme; a user; a name or an address in brackets; a port; a path
		// and query without control characters; a fragment.
		Pattern: `^[Hh][Tt][Tt][Pp][Ss]://([^\x00-\x1f\x7f/?#]*@)?` +
			`([^\x00-\x20\x7f"#/:<>?@\[\\\]^{|}\x60]+|\[[^\x00-\x1f\x7f/?#@\[]+\])(:[0-9]*)?([/?][^\x00-\x1f\x7f#]*)?(#|$)`,
		Comment: "The pattern requires https, a host and a port of digits. The format also refuses: a % without two hexadecimal digits, " +
			"a character beyond ASCII that no host has, a port above 65535, and in brackets what is not an IPv6 address.",
	}
}
