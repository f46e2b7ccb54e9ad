package merge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// renamable is a form in which everything refers to something.
const renamable = `{"name":"f","start":{"next_node":"ask","hidden_fields":[{"key":"plan","value":"free"}]},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":1,"y":1},"config":{"components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"Mail","hint":"H","config":{}},
		{"id":"text","category":"BLOCK","type":"RICH_TEXT","config":{"content":"{{fields.mail}} {{fields.plan}}"}}],"next_node":"r"}},
	{"id":"r","type":"ROUTER","coordinates":{"x":2,"y":1},"config":{"rules":[
		{"id":"known","alias":"Known","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mail}}","a"]}]},
			"next_node":"ask"}],"fallback":"ask"}}],
	"translations":{"de":{"components":{"mail":{"label":"Adresse"}}}}}`

// to returns the form with texts replaced.
func to(t *testing.T, pairs ...string) *model.Form {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(renamable, pairs[i]) {
			t.Fatalf("the form has no %s", pairs[i])
		}
	}
	return formOf(t, strings.NewReplacer(pairs...).Replace(renamable))
}

// What one side edits and the other renames is one element, whichever side merges, and what refers to it follows.
func TestRenamedAndEdited(t *testing.T) {
	mail := []string{`"id":"mail"`, `"id":"email"`, `fields.mail`, `fields.email`, `"mail":{`, `"email":{`}
	ask := []string{`"id":"ask"`, `"id":"start"`, `_node":"ask"`, `_node":"start"`, `fallback":"ask"`, `fallback":"start"`}
	known := []string{`"id":"known"`, `"id":"member"`}
	plan := []string{`"key":"plan"`, `"key":"tier"`, `fields.plan`, `fields.tier`}
	for name, tt := range map[string]struct {
		mine, theirs []string
		want         []string // what differs where the pairs of both do not say it
	}{
		"a field, and its label":           {[]string{`"label":"Mail"`, `"label":"E-mail"`}, mail, nil},
		"a field, and its translation":     {[]string{`Adresse`, `E-Mail`}, mail, nil},
		"a field, and a text with it":      {[]string{`"{{fields.mail}} `, `"Hello {{fields.mail}} `}, mail, []string{`"{{fields.mail}} `, `"Hello {{fields.email}} `}},
		"a field, and another rule for it": {[]string{`,"a"]`, `,"b"]`}, mail, nil},
		"a field and its config, and its label": {
			[]string{`"label":"Mail"`, `"label":"E-mail"`}, append([]string{`"hint":"H","config":{}`, `"hint":"H","config":{"placeholder":"p"}`}, mail...), nil,
		},
		"a step, and its name":                      {[]string{`"alias":"Ask"`, `"alias":"Who"`}, ask, nil},
		"a step, and a field in it":                 {[]string{`"hint":"H"`, `"hint":"I"`}, ask, nil},
		"a step that moved, and its name":           {[]string{`"alias":"Ask"`, `"alias":"Who"`}, append([]string{`{"x":1,"y":1}`, `{"x":9,"y":9}`}, ask...), nil},
		"a step, and a way to it":                   {[]string{`"next_node":"r"`, `"next_node":"ask"`}, ask, []string{`"next_node":"r"`, `"next_node":"start"`}},
		"a rule, and its condition":                 {[]string{`,"a"]`, `,"b"]`}, known, nil},
		"a rule, and its name":                      {[]string{`"alias":"Known"`, `"alias":"Members"`}, known, nil},
		"a hidden field, and its value":             {[]string{`"free"`, `"paid"`}, plan, nil},
		"a step by one, its field by the other":     {mail, ask, nil},
		"a router by one, its rule by the other":    {known, []string{`"id":"r"`, `"id":"route"`, `"next_node":"r"`, `"next_node":"route"`}, nil},
		"everything by one, all texts by the other": {[]string{"Adresse", "A", `"Mail"`, `"M"`, "Known", "K", "free", "F"}, slices.Concat(mail, ask, known, plan), nil},
		"the same by both":                          {append([]string{`"hint":"H"`, `"hint":"I"`}, mail...), append([]string{`"label":"Mail"`, `"label":"E-mail"`}, mail...), nil},
	} {
		t.Run(name, func(t *testing.T) {
			base, mine, theirs := to(t), to(t, tt.mine...), to(t, tt.theirs...)
			// The first pair of a text counts.
			want := formOf(t, strings.NewReplacer(slices.Concat(tt.want, tt.theirs)...).Replace(renamable))
			if tt.want == nil {
				want = formOf(t, strings.NewReplacer(tt.mine...).Replace(string(schema.Encode(theirs.Tree()))))
			}
			for _, sides := range [][2]*model.Form{{mine, theirs}, {theirs, mine}} {
				got, conflicts := merge.Forms(base, sides[0], sides[1])
				if len(conflicts) > 0 {
					t.Errorf("conflicts\n%s", report(conflicts))
				}
				sameForm(t, "merged", got, want)
				sameForm(t, "carried", merge.Carry(base, sides[0], sides[1], func(merge.Conflict) bool { return false }), want)
			}
		})
	}
}

// A conflict in an element that mine has renamed is found in forms that have either id.
func TestConflictInARenamedElement(t *testing.T) {
	base := to(t)
	mine := to(t, `"id":"mail"`, `"id":"email"`, `fields.mail`, `fields.email`, `"mail":{`, `"email":{`, `"Mail"`, `"Mine"`)
	theirs := to(t, `"Mail"`, `"Theirs"`)
	got, conflicts := merge.Forms(base, mine, theirs)
	if report(conflicts) != `nodes[0].config.components[0].label changed | Step Ask: component email: label: mine is "Mine", theirs "Theirs"` {
		t.Fatalf("conflicts\n%s", report(conflicts))
	}
	sameForm(t, "theirs", merge.TakeTheirs(got, conflicts), to(t, `"id":"mail"`, `"id":"email"`, `fields.mail`, `fields.email`, `"mail":{`, `"email":{`, `"Mail"`, `"Theirs"`))
	sameForm(t, "base in theirs", merge.TakeBase(theirs, conflicts), base)
	one, err := conflicts[0].TakeTheirs(base)
	if err != nil {
		t.Fatal(err)
	}
	sameForm(t, "theirs in base", one, theirs)
}

// What both sides renamed has the id of theirs, and people are told.
func TestRenamedByBoth(t *testing.T) {
	base := to(t)
	mine := to(t, `"id":"mail"`, `"id":"m1"`, `fields.mail`, `fields.m1`, `"mail":{`, `"m1":{`, `"id":"known"`, `"id":"m2"`,
		`"key":"plan"`, `"key":"m3"`, `fields.plan`, `fields.m3`, `"id":"r"`, `"id":"m4"`, `"next_node":"r"`, `"next_node":"m4"`, `"Mail"`, `"Mine"`)
	theirs := to(t, `"id":"mail"`, `"id":"t1"`, `fields.mail`, `fields.t1`, `"mail":{`, `"t1":{`, `"id":"known"`, `"id":"t2"`,
		`"key":"plan"`, `"key":"t3"`, `fields.plan`, `fields.t3`, `"id":"r"`, `"id":"t4"`, `"next_node":"r"`, `"next_node":"t4"`)
	got, conflicts := merge.Forms(base, mine, theirs)
	want, err := theirs.Set(model.ComponentPath(0, 0).Key("label"), "Mine")
	if err != nil {
		t.Fatal(err)
	}
	sameForm(t, "merged", got, want)
	sameForm(t, "with theirs", merge.TakeTheirs(got, conflicts), want)
	if want := `start.hidden_fields[0].key renamed | t3: mine renamed it to "m3", theirs to "t3"
nodes[0].config.components[0].id renamed | t1: mine renamed it to "m1", theirs to "t1"
nodes[1].id renamed | t4: mine renamed it to "m4", theirs to "t4"
nodes[1].config.rules[0].id renamed | t2: mine renamed it to "m2", theirs to "t2"`; report(conflicts) != want {
		t.Errorf("conflicts\n%s\nwant\n%s", report(conflicts), want)
	}
	for _, c := range conflicts {
		if f, err := c.TakeTheirs(got); err != nil || f != got || c.OfValue() || c.Layout() {
			t.Errorf("%v: %v, of a value %v, of the layout %v", c, err, c.OfValue(), c.Layout())
		}
	}
}

// What one side renames and the other removes, or whose new id another element has, is not followed: nothing is lost.
func TestRenamedIsNotFollowed(t *testing.T) {
	base := to(t)
	theirs := to(t, `"id":"mail"`, `"id":"email"`, `fields.mail`, `fields.email`, `"mail":{`, `"email":{`)
	removed, err := base.Clear(model.ComponentPath(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := merge.Forms(base, removed, theirs)
	if c, _, _ := got.Component("email"); c == nil || len(got.Nodes[0].Config.(*model.Step).Components) != 2 {
		t.Errorf("what they renamed and I removed: %s", schema.Encode(got.Tree()))
	}
	taken := to(t, `"id":"text"`, `"id":"email"`, `"label":"Mail"`, `"label":"Mine"`)
	got, conflicts := merge.Forms(base, taken, theirs)
	ids := map[string]int{}
	for _, c := range got.Nodes[0].Config.(*model.Step).Components {
		ids[c.ID]++
	}
	if len(conflicts) == 0 || ids["email"] != 1 || ids["mail"] != 1 {
		t.Errorf("an id that is taken: %v, %s", conflicts, schema.Encode(got.Tree()))
	}
}
