package inspector_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// subject is something that can be selected, in a form in which every property of its
// table has a value.
type subject struct {
	name   string
	form   *schema.Object
	sel    editor.Selection
	at     schema.Path
	tables []placed // the tables that its panel shows
	hidden []string // paths below at of properties that the panel shows in another way
}

// placed is a table and the path of its object.
type placed struct {
	at    schema.Path
	table schema.Table
}

// subjects returns one of each: the form, the ends, the node kinds, a rule and
// every component kind. bare subjects hold what a new element holds.
func subjects(t *testing.T, bare bool) []subject {
	t.Helper()
	start, _ := model.ContentTable().Row("start")
	ending, _ := model.ContentTable().Row("ending")
	value := func(s schema.Spec) any {
		if bare {
			return editor.ItemValue(s)
		}
		return sample(s)
	}
	form := func(nodes ...any) *schema.Object {
		o := schema.NewObject(schema.Member{Key: "name", Value: "Form"}, schema.Member{Key: "nodes", Value: nodes})
		if bare {
			return o
		}
		for _, r := range model.ContentTable() {
			switch r.Name {
			case "name", "nodes":
			case "translations": // any others are left to the inspector
				o = o.With(r.Name, schema.NewObject(schema.Member{Key: "de", Value: schema.NewObject()}))
			default:
				o = o.With(r.Name, sample(r.Spec))
			}
		}
		return o
	}
	target := model.NewNode(model.StepNode, "sample", model.Point{})
	top := slices.Clone(model.ContentTable())
	top[0].Required = true // the name, of a form
	list := []subject{
		{name: "form", form: form(target), tables: []placed{{nil, top}}, hidden: []string{"nodes", "start", "ending", "messages", "languages", "translations", "style"}},
		{
			name:   "start",
			form:   form(target),
			sel:    editor.SelectNodes(model.StartID),
			at:     path("start"),
			tables: []placed{{path("start"), start.Spec.(schema.Table)}},
			hidden: []string{"coordinates"},
		},
		{
			name:   "ending",
			form:   form(target),
			sel:    editor.SelectNodes(model.EndingID),
			at:     path("ending"),
			tables: []placed{{path("ending"), ending.Spec.(schema.Table)}},
			hidden: []string{"coordinates"},
		},
	}
	for _, typ := range []model.NodeType{model.StepNode, model.FlowNode, model.RouterNode} {
		table := model.NodeTable(typ)
		n := model.NewNode(typ, "it", model.Point{X: 3, Y: 4})
		if !bare {
			n = sample(table).(*schema.Object).With("id", "it").With("type", string(typ))
		}
		at := path("nodes").Index(1)
		list = append(list, subject{
			name: string(typ), form: form(target, n), sel: editor.SelectNodes("it"), at: at, tables: []placed{{at, table}},
			hidden: []string{"type", "coordinates", "config", "config.components", "config.rules"},
		})
	}
	config, _ := model.NodeTable(model.RouterNode).Row("config")
	rules, _ := config.Spec.(schema.Table).Row("rules")
	ruleTable := rules.Spec.(schema.List).Item.(schema.Table)
	r := value(ruleTable).(*schema.Object).With("id", "r2").With("condition", decode(t, `{"some":"other shape"}`))
	router, err := schema.Set(model.NewNode(model.RouterNode, "it", model.Point{}), path("config").Key("rules"), []any{model.NewRule("r1"), r})
	if err != nil {
		t.Fatal(err)
	}
	at := path("nodes").Index(1).Key("config").Key("rules").Index(1)
	list = append(
		list,
		subject{
			name:   "rule",
			form:   form(target, router),
			sel:    editor.Selection{Nodes: []string{"it"}, Rule: "r2"},
			at:     path("nodes").Index(1),
			tables: []placed{{path("nodes").Index(1), model.NodeTable(model.RouterNode)}, {at, ruleTable}},
			hidden: []string{"type", "coordinates", "config", "config.rules"},
		},
	)
	for i := range model.Kinds {
		k := &model.Kinds[i]
		c := model.NewComponent(k, model.SpecDialect, "it")
		if !bare {
			c = sample(k.Table()).(*schema.Object).With("id", "it")
		}
		list = append(list, component(t, k, c, form))
	}
	return list
}

// component makes a component the third of the fourth node.
func component(t *testing.T, k *model.Kind, c *schema.Object, form func(...any) *schema.Object) subject {
	t.Helper()
	nodes := []any{model.NewNode(model.StepNode, "sample", model.Point{})}
	for i := range 2 {
		nodes = append(nodes, model.NewNode(model.RouterNode, fmt.Sprint("other", i), model.Point{}))
	}
	divider := func(id string) any { return model.NewComponent(model.KindOf("DIVIDER"), model.SpecDialect, id) }
	step, err := schema.Set(
		model.NewNode(model.StepNode, "step", model.Point{}),
		path("config").Key("components"),
		[]any{divider("d0"), divider("d1"), c},
	)
	if err != nil {
		t.Fatal(err)
	}
	at := path("nodes").Index(3).Key("config").Key("components").Index(2)
	return subject{
		name: k.Type, form: form(append(nodes, step)...), at: at, tables: []placed{{at, k.Table()}},
		sel: editor.Selection{Nodes: []string{"step"}, Component: "it"}, hidden: []string{"category", "type", "config"},
	}
}

// samples has a valid text for each named format.
var samples = map[string]string{
	"forms-custom-identifier": "sample", "node-pointer": "sample", "forms-hex-color": "#1f7a4d",
	"forms-url-https": "https://example.org/a.png", "forms-file-extension": ".pdf",
}

// sample returns a value that a table allows, with every property that it lists.
func sample(s schema.Spec) any {
	switch s := s.(type) {
	case schema.Table:
		o := schema.NewObject()
		for _, r := range s {
			o = o.With(r.Name, sample(r.Spec))
		}
		return o
	case schema.Open:
		if len(s.Rows) == 0 {
			return schema.NewObject(schema.Member{Key: "any", Value: schema.Number("1")})
		}
		return sample(s.Rows)
	case schema.Map:
		return schema.NewObject(schema.Member{Key: "some key", Value: sample(s.Value)})
	case schema.List:
		if _, ok := s.Item.(schema.Union); ok {
			return []any{}
		}
		return []any{sample(s.Item)}
	case schema.Choice:
		return schema.NewObject(schema.Member{Key: s.Tag, Value: s.Options[0].Tag}, schema.Member{
			Key:   s.Options[0].Row.Name,
			Value: sample(s.Options[0].Row.Spec),
		})
	case schema.String:
		if s.Format != nil {
			return samples[s.Format.Name]
		}
		return strings.Repeat("s", max(1, s.Min))
	case schema.Numeric:
		return max(s.Min, "1")
	case schema.Either:
		return sample(s.Of[0])
	case schema.Enum:
		return s[0]
	case schema.Bool, schema.True:
		return true
	case schema.Any:
		return schema.NewObject(schema.Member{Key: "any", Value: nil})
	case schema.Nullable, schema.Union: // only in patches, and in lists that stay empty
	}
	panic(fmt.Sprintf("no sample of %T", s))
}
