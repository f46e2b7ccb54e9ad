package live_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

var renamings = flag.Int("renamings", 0, "random interleavings for TestRenamesTravel")

// crowd is the number of steps, fields, rules and texts in the form of TestRenamesTravel.
const crowd = 3

// crowded is a form in which everything refers to something. What nobody changes tells each element: a hint, a place, an operand or a value.
func crowded(tb testing.TB) *model.Form {
	tb.Helper()
	var nodes, rules, texts []string
	for i := range crowd {
		next := fmt.Sprintf("step_%d", i+1)
		if i == crowd-1 {
			next = "router"
		}
		nodes = append(nodes, fmt.Sprintf(`{"id":"step_%d","type":"STEP","alias":"0","coordinates":{"x":%d,"y":0},"config":{"components":[
			{"id":"field_%[1]d","category":"FIELD","type":"TEXT","label":"0","hint":"%[1]d","config":{}},
			{"id":"text_%[1]d","category":"BLOCK","type":"RICH_TEXT","config":{"content":"0 {{fields.field_%[1]d}} {{fields.hidden}}"}}],"next_node":%[3]q}}`,
			i, i*300, next))
		rules = append(rules, fmt.Sprintf(`{"id":"rule_%d","alias":"0","next_node":"step_%[1]d","condition":{"operator":"AND","operands":[
			{"operator":"EQ","operands":["{{fields.field_%[1]d}}","m%[1]d"]}]}}`, i))
		texts = append(texts, fmt.Sprintf(`"field_%d":{"label":"l%[1]d"}`, i))
	}
	nodes = append(nodes, `{"id":"router","type":"ROUTER","alias":"0","coordinates":{"x":0,"y":300},"config":{"rules":[`+
		strings.Join(rules, ",")+`],"fallback":"step_0"}}`)
	return formtest.Parse(tb, `{"id":"ap_1","name":"f","start":{"next_node":"step_0","hidden_fields":[{"key":"hidden","value":"v"}]},"nodes":[`+
		strings.Join(nodes, ",")+`],"translations":{"de":{"components":{`+strings.Join(texts, ",")+`}}},"ending":{"resume_flow":true}}`)
}

// element is an element of the crowded form, whatever its id: "step 1", "field 1", "text 1", "rule 1", "router" or "hidden".
type element struct {
	at   schema.Path
	id   string
	node string // the id of its router
}

// find returns an element, and how many there are.
func find(f *model.Form, name string) (e element, count int) {
	found := survey(f)[name]
	if len(found) > 0 {
		e = found[len(found)-1]
	}
	return e, len(found)
}

// surveyed are the latest surveys.
var surveyed [8]struct {
	of       *model.Form
	elements map[string][]element
}

// survey returns the elements of a form by their names.
func survey(f *model.Form) map[string][]element {
	for _, s := range surveyed {
		if s.of == f {
			return s.elements
		}
	}
	found := map[string][]element{}
	add := func(name string, at schema.Path, id, node string) {
		found[name] = append(found[name], element{at, id, node})
	}
	for i, node := range f.Nodes {
		at, column := model.NodePath(i), strconv.Itoa(node.At.X/300)
		switch node.Type {
		case model.StepNode:
			add("step "+column, at, node.ID, "")
		case model.RouterNode:
			add("router", at, node.ID, "")
		case model.FlowNode:
		}
		for j := 0; node.Component(j) != nil; j++ {
			if c := node.Component(j); c.Type == "RICH_TEXT" {
				add("text "+column, model.ComponentPath(i, j), c.ID, "")
			} else {
				add("field "+c.Tree().Text("hint"), model.ComponentPath(i, j), c.ID, "")
			}
		}
		for j := 0; node.Rule(j) != nil; j++ {
			add("rule "+operand(node.Rule(j).Condition, 1)[1:], model.RulePath(i, j), node.Rule(j).ID, node.ID)
		}
	}
	for i, h := range f.Start.Hidden {
		add("hidden", schema.Path{schema.Key("start"), schema.Key("hidden_fields"), schema.Index(i)}, h.Key, "")
	}
	copy(surveyed[1:], surveyed[:])
	surveyed[0].of, surveyed[0].elements = f, found
	return found
}

// operand returns an operand of the comparison in a rule's condition.
func operand(condition any, i int) string {
	of := schema.Path{schema.Key("operands"), schema.Index(0), schema.Key("operands"), schema.Index(i)}
	v, _ := schema.Lookup(condition, of)
	text, _ := v.(string)
	return text
}

var (
	fieldIn = regexp.MustCompile(`fields\.([A-Za-z0-9_]+)`)
	// property is what is typed in an element.
	property = map[string]schema.Path{
		"step": {schema.Key("alias")}, "router": {schema.Key("alias")}, "rule": {schema.Key("alias")}, "field": {schema.Key("label")},
		"text": {schema.Key("config"), schema.Key("content")},
	}
)

// named replaces the ids of the fields in a text by their names, and back.
func named(f *model.Form, text string, back bool) string {
	to := map[string]string{}
	for _, name := range append(numbered("field"), "hidden") {
		e, _ := find(f, name)
		from, word := e.id, strings.ReplaceAll(name, " ", "")
		if back {
			from, word = word, from
		}
		to[from] = word
	}
	return fieldIn.ReplaceAllStringFunc(text, func(s string) string {
		if word, ok := to[strings.TrimPrefix(s, "fields.")]; ok {
			return "fields." + word
		}
		return s + "?"
	})
}

// word returns the first word of a text. In texts, the others are references.
func word(v any) string {
	text, _ := v.(string)
	text, _, _ = strings.Cut(text, " ")
	return text
}

func numbered(kind string) (names []string) {
	for i := range crowd {
		names = append(names, fmt.Sprintf("%s %d", kind, i))
	}
	return names
}

// crowdedBoard has what is typed in the elements.
var crowdedBoard = board{
	cells: append(crowdedNames(), "router"),
	names: append(crowdedNames(), "router", "hidden"),
	id: func(f *model.Form, name string) string {
		e, _ := find(f, name)
		return e.id
	},
	rename: renamed,
	read: func(f *model.Form, cell string) string {
		e, _ := find(f, cell)
		kind, _, _ := strings.Cut(cell, " ")
		v, _ := schema.Lookup(f.Tree(), e.at.Join(property[kind]))
		return word(v)
	},
	write: func(tb testing.TB, f *model.Form, cell, text string) *model.Form {
		tb.Helper()
		e, _ := find(f, cell)
		kind, digit, _ := strings.Cut(cell, " ")
		if kind == "text" { // and refers to fields by the ids that they have here
			text += " {{fields.field" + digit + "}}"
			if len(text)%2 == 0 {
				text += " {{fields.hidden}}"
			}
		}
		return set(tb, f, e.at.Join(property[kind]), named(f, text, true))
	},
	fork: func(f *model.Form, c merge.Conflict) (cell, mine, theirs string) {
		for _, cell := range append(crowdedNames(), "router") {
			kind, _, _ := strings.Cut(cell, " ")
			if e, _ := find(f, cell); e.at.Join(property[kind]).Equal(c.Path) {
				return cell, word(c.Mine.Tree), word(c.Theirs.Tree)
			}
		}
		return c.Path.String(), word(c.Mine.Tree), word(c.Theirs.Tree)
	},
}

func crowdedNames() []string {
	return slices.Concat(numbered("step"), numbered("field"), numbered("rule"), numbered("text"))
}

// renamed gives an element another id.
func renamed(tb testing.TB, f *model.Form, name, id string) *model.Form {
	tb.Helper()
	e, _ := find(f, name)
	kind, _, _ := strings.Cut(name, " ")
	var err error
	switch kind {
	case "step", "router":
		f, err = flow.RenameNode(f, e.id, id)
	case "rule":
		f, err = flow.RenameRule(f, e.node, e.id, id)
	case "hidden":
		f, err = flow.RenameHiddenField(f, e.id, id)
	default:
		f, err = flow.RenameComponent(f, e.id, id)
	}
	if err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return f
}

// whole fails unless a form has each element once, and what refers to an element refers to it still.
func whole(tb testing.TB, who string, f *model.Form) {
	tb.Helper()
	id := map[string]string{}
	for _, name := range append(crowdedNames(), "router", "hidden") {
		e, count := find(f, name)
		if count != 1 {
			tb.Fatalf("%s: there are %d of %s in\n%s", who, count, name, schema.Encode(f.Tree()))
		}
		id[name] = e.id
	}
	if len(f.Nodes) != crowd+1 || len(f.Start.Hidden) != 1 {
		tb.Fatalf("%s: %d nodes in\n%s", who, len(f.Nodes), schema.Encode(f.Tree()))
	}
	wrong := func(what, got, want string) {
		if got != want {
			tb.Fatalf("%s: %s is %q, want %q in\n%s", who, what, got, want, schema.Encode(f.Tree()))
		}
	}
	wrong("the start", string(f.Start.Next), id["step 0"])
	for i := range crowd {
		field, text := fmt.Sprintf("field %d", i), fmt.Sprintf("text %d", i)
		e, _ := find(f, fmt.Sprintf("step %d", i))
		node, _ := f.Node(e.id)
		next := id["router"]
		if i < crowd-1 {
			next = id[fmt.Sprintf("step %d", i+1)]
		}
		wrong("the next node of step "+strconv.Itoa(i), string(node.Config.(*model.Step).Next), next)
		if n := len(node.Config.(*model.Step).Components); n != 2 {
			tb.Fatalf("%s: step %d has %d components", who, i, n)
		}
		block, _, _ := f.Component(id[text])
		if got := named(f, block.Config().Text("content"), false); strings.Contains(got, "?") || !strings.Contains(got, "fields.field"+strconv.Itoa(i)) {
			tb.Fatalf("%s: text %d is %q", who, i, got)
		}
		de := f.Tree().Object("translations").Object("de").Object("components")
		if de.Len() != crowd {
			tb.Fatalf("%s: the translations are %s", who, schema.Encode(de))
		}
		wrong("the translation of "+field, de.Object(id[field]).Text("label"), "l"+strconv.Itoa(i))
		r, _ := find(f, fmt.Sprintf("rule %d", i))
		rule, _ := schema.Lookup(f.Tree(), r.at)
		wrong("the way of a rule", rule.(*schema.Object).Text("next_node"), e.id)
		condition, _ := rule.(*schema.Object).Get("condition")
		wrong("the operand of a rule", operand(condition, 0), "{{fields."+id[field]+"}}")
	}
	router, _ := f.Node(id["router"])
	wrong("the fallback", string(router.Config.(*model.Router).Fallback), id["step 0"])
	if n := len(router.Config.(*model.Router).Rules); n != crowd {
		tb.Fatalf("%s: %d rules", who, n)
	}
}

// TestRenamesTravel lets pages rename nodes, fields, rules and hidden fields while others edit the same and refer to them, in a random interleaving as in
// TestOrders, and compares each page with a naive model after each step that it takes. No element is doubled, and every reference leads to what it led to.
func TestRenamesTravel(t *testing.T) {
	cells, names := crowdedBoard.cells, crowdedBoard.names
	for n := range sizetest.Of(*renamings, 100, 100_000) {
		r := rand.New(rand.NewPCG(*seed+uint64(n), 11))
		f := crowded(t)
		s := newServer(f)
		var pages []*page
		for i := range 2 + r.IntN(2) {
			pages = append(pages, newPage(crowdedBoard, string(rune('A'+i)), f))
		}
		kinds := 1 + r.IntN(len(cells))
		at := r.Perm(len(cells))
		for range 50 {
			p := pages[r.IntN(len(pages))]
			switch r.IntN(12) {
			case 0, 1, 2:
				p.edit(t, cells[at[r.IntN(kinds)]])
				continue
			case 3:
				if len(p.given) == 0 { // more at once leave less to know an element by
					p.rename(t, names[r.IntN(len(names))])
				}
			case 4, 5, 6:
				p.offer(r)
				continue
			case 7:
				p.send(t, s, r)
				continue
			case 8, 9, 10:
				p.take(t, s)
			case 11:
				p.decide(t, r)
			}
			p.check(t, s)
			whole(t, p.name, p.local)
		}
		finish(t, s, pages, r)
		whole(t, "at the end", s.last())
		if t.Failed() {
			t.Fatalf("seed %d", *seed+uint64(n))
		}
	}
}
