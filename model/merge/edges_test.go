package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// The edges into t come from the start, a step, a rule and a jump button.
const edgesIntoT = `{"name":"f","start":{"next_node":"t"},"nodes":[
	{"id":"a","type":"STEP","config":{"components":[
{"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"t"}}],"next_node":"t"}},
	{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":1,"next_node":"t"}],"fallback":"t"}},
	{"id":"t","type":"STEP","config":{"next_node":"z"}},
	{"id":"z","type":"STEP","config":{"next_node":"$ending"}}]}`

// targets returns where the edges of edgesIntoT lead.
func targets(f *model.Form) string {
	var out []string
	for _, at := range []struct {
		node string
		port model.Port
	}{{model.StartID, "next"}, {"a", "jump:j"}, {"a", "next"}, {"r", "rule:x"}, {"r", "fallback"}} {
		o, _ := f.OutOf(at.node, at.port)
		out = append(out, string(o.To))
	}
	return strings.Join(out, " ")
}

func TestKeptNodeKeepsItsEdges(t *testing.T) {
	base := formOf(t, edgesIntoT)
	edited := formOf(t, strings.Replace(edgesIntoT, `"id":"t","type"`, `"id":"t","alias":"T","type"`, 1))
	removed := func(to string) *model.Form {
		text := strings.Replace(edgesIntoT, `{"id":"t","type":"STEP","config":{"next_node":"z"}},`, "", 1)
		if to == "" {
			for _, gone := range []string{`,"next_node":"t"`, `"next_node":"t"`, `,"fallback":"t"`} {
				text = strings.ReplaceAll(text, gone, "")
			}
			return formOf(t, text)
		}
		return formOf(t, strings.ReplaceAll(text, `"t"`, `"`+to+`"`))
	}
	for _, tc := range []struct {
		name         string
		mine, theirs *model.Form
		want         string
		asked        int // conflicts other than that of the node
	}{
		{"theirs cleared them", edited, removed(""), "t t t t t", 0},
		{"theirs joined the neighbours", edited, removed("z"), "t t t t t", 0},
		{"theirs led them elsewhere", edited, removed("a"), "t t t t t", 5},
		{"mine cleared them", removed(""), edited, "t t t t t", 0},
		{"mine joined the neighbours", removed("z"), edited, "t t t t t", 0},
		{"mine led them elsewhere", removed("a"), edited, "a a a a a", 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, cs := merge.Forms(base, tc.mine, tc.theirs)
			if n, _ := f.Node("t"); n == nil || n.Alias != "T" {
				t.Fatal("the node is not kept")
			}
			if got := targets(f); got != tc.want {
				t.Errorf("the edges lead to %s, want %s", got, tc.want)
			}
			if len(cs) != 1+tc.asked {
				t.Fatalf("%d conflicts, want %d:\n%s", len(cs), 1+tc.asked, report(cs))
			}
			for _, c := range cs {
				if c.Kind == merge.RemovedAndChanged && tc.asked == 0 && !c.Theirs.Present {
					taken, err := c.TakeTheirs(f)
					if err != nil || targets(taken) != targets(tc.theirs) {
						t.Errorf("after TakeTheirs the edges lead to %s (%v), want %s", targets(taken), err, targets(tc.theirs))
					}
				}
				if c.Kind != merge.BothChanged {
					continue
				}
				var err error
				if f, err = c.TakeTheirs(f); err != nil {
					t.Fatal(err)
				}
			}
			if want := targets(tc.theirs); tc.asked > 0 && targets(f) != want {
				t.Errorf("after TakeTheirs the edges lead to %s, want %s", targets(f), want)
			}
		})
	}
}

// When several nodes are removed at once, no edge leads to any of them, even if theirs has a dangling one.
func TestNoEdgeLeadsToARemovedNode(t *testing.T) {
	base := formOf(t, edgesIntoT)
	mine := formOf(t, strings.NewReplacer(`"id":"t","type"`, `"id":"t","alias":"T","type"`, `"id":"z","type"`, `"id":"z","alias":"Z","type"`).Replace(edgesIntoT))
	text := edgesIntoT[:strings.Index(edgesIntoT, `,
	{"id":"t"`)] + "]}"
	theirs := formOf(t, strings.ReplaceAll(text, `"t"`, `"z"`))
	merged, all := merge.Forms(base, mine, theirs)
	if got := targets(merged); got != "t t t t t" {
		t.Fatalf("the edges lead to %s, want t", got)
	}
	if got := merge.TakeTheirs(merged, all); targets(got) != "    " || len(got.Nodes) != 2 {
		t.Errorf("after TakeTheirs the edges lead to %q, with %d nodes", targets(got), len(got.Nodes))
	}
}

// The work of comparing the edges into a removed node with those out of it grows with the form, not with their product.
func TestWorkOfEdgesGrowsWithTheForm(t *testing.T) {
	// hub returns a router that leads to n steps, which lead to it, or where another step leads.
	hub := func(n int, alias string, removed bool) *model.Form {
		rules, nodes := make([]any, n), make([]any, n, n+1)
		for i := range n {
			to := "hub"
			if removed {
				to = fmt.Sprint("s", (i+1)%n)
			}
			rules[i] = schema.NewObject(schema.Member{Key: "id", Value: fmt.Sprint("r", i)}, schema.Member{Key: "next_node", Value: fmt.Sprint("s", i)})
			nodes[i] = typed(fmt.Sprint("s", i), "STEP", schema.Member{Key: "next_node", Value: to})
		}
		if !removed {
			nodes = append(nodes, typed("hub", "ROUTER", schema.Member{Key: "rules", Value: rules}).With("alias", alias))
		}
		return model.FromTree(schema.NewObject(schema.Member{Key: "name", Value: "f"}, schema.Member{Key: "nodes", Value: nodes}))
	}
	const few, factor = 100, 8
	var did [2]uint64
	for k, n := range []int{few, few * factor} {
		base, mine, theirs := hub(n, "", false), hub(n, "Mine", false), hub(n, "", true)
		did[k] = allocated(func() {
			merged, _ := merge.Forms(base, mine, theirs)
			if out, _ := merged.OutOf("s1", "next"); out.To != "hub" {
				t.Errorf("s1 leads to %q", out.To)
			}
		})
	}
	if did[1] > 2*factor*did[0] {
		t.Errorf("%d bytes, and %d for a form %d times as large", did[0], did[1], factor)
	}
}
