//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// kindForm has a step for the components, and another for pointers.
const kindForm = `{"name":"Kinds","start":{"next_node":"all"},"nodes":[
	{"id":"all","type":"STEP","alias":"All","coordinates":{"x":200,"y":100},"config":{"components":[],"next_node":"other"}},
	{"id":"other","type":"STEP","alias":"Other","coordinates":{"x":700,"y":100},"config":{"components":[],"next_node":"$ending"}}]}`

// control is what is done with one control of the inspector: how, the path of the property below the component, and what is put in. The texts
// of Bad are put in before, and each must be refused with a message.
type control struct {
	Do    string   `json:"do"` // text, choose, turn, tick, json, list, entry
	Path  string   `json:"path"`
	Value string   `json:"value"`
	Bad   []string `json:"bad"`
}

// plan makes the controls for a table, and the value that they should make.
type plan struct {
	controls []control
	variant  int // of a choice
}

// table sets every property of a table but those to skip.
func (p *plan) table(t schema.Table, at string, skip ...string) map[string]any {
	out := map[string]any{}
	for _, r := range t {
		skipped := false
		for _, s := range skip {
			skipped = skipped || s == r.Name
		}
		if !skipped {
			if v := p.value(r.Spec, at+"."+r.Name, r.Required, out); v != nil {
				out[r.Name] = v
			}
		}
	}
	return out
}

func (p *plan) do(do, at, value string, bad ...string) {
	p.controls = append(p.controls, control{do, at, value, bad})
}

// value sets a property with a rule, beside those that are set already.
func (p *plan) value(s schema.Spec, at string, required bool, beside map[string]any) any {
	switch s := s.(type) {
	case schema.String:
		return p.text(s, at, required)
	case schema.Numeric:
		return p.number(s, at)
	case schema.Either:
		p.do("text", at, "12.5", "0")
		return 12.5
	case schema.Enum:
		p.do("choose", at, s[len(s)-1])
		return s[len(s)-1]
	case schema.Bool, schema.True:
		p.do("turn", at, "true")
		return true
	case schema.Table:
		return p.table(s, at)
	case schema.Open:
		if len(s.Rows) > 0 {
			return p.table(s.Rows, at)
		}
		p.do("json", at, `{"type":"string","any":[1,"two"]}`, `{"type":`)
		return map[string]any{"type": "string", "any": []any{1.0, "two"}}
	case schema.Map:
		p.do("entry", at, "first")
		return map[string]any{"first": p.value(s.Value, at+".first", true, nil)}
	case schema.List:
		return p.list(s, at)
	case schema.Choice:
		of := s.Options[p.variant]
		p.do("choose", at+"."+s.Tag, of.Tag)
		return map[string]any{s.Tag: of.Tag, of.Row.Name: p.value(of.Row.Spec, at+"."+of.Row.Name, true, nil)}
	case schema.Nullable:
		return p.value(s.Spec, at, required, beside)
	case schema.Any:
		// Several options may be chosen, since that property comes first.
		var chosen []any
		for _, o := range beside[s.Options].([]any) {
			v := o.(map[string]any)["value"].(string)
			p.do("tick", at, v)
			chosen = append(chosen, v)
		}
		return chosen
	case schema.Union: // of no property
	}
	panic(fmt.Sprintf("%s has a rule that nobody can set: %T", at, s))
}

var formatTexts = map[string]string{
	"forms-hex-color": "#1f7a4d", "forms-url-https": "https://example.org/a.png", "forms-file-extension": ".pdf",
}

func (p *plan) text(s schema.String, at string, required bool) any {
	var bad []string
	if s.Max > 0 {
		bad = append(bad, strings.Repeat("x", s.Max+1))
	}
	if s.Format != nil && s.Role != schema.NodePointer && s.Role != schema.FlowID {
		bad = append(bad, "not ! allowed")
	}
	if s.Min > 0 && required {
		bad = append(bad, "")
	}
	text := "A " + at[strings.LastIndexAny(at, ".]")+1:] + fmt.Sprint(len(p.controls))
	how := "text"
	switch {
	case s.Role == schema.NodePointer:
		how, text, bad = "choose", "other", nil
	case s.Role == schema.FlowID:
		text = "af_kinds"
	case s.Format != nil && formatTexts[s.Format.Name] != "":
		text = formatTexts[s.Format.Name]
	case s.Format != nil:
		text = strings.ReplaceAll(text, " ", "_")
	case s.Code == schema.RichText, s.Code == schema.HTML:
		text = "<p>Some <b>bold</b> text</p>"
	case s.Code == schema.CSS:
		text = "p { color: red }"
	}
	if s.Role == schema.Color {
		how = "color"
	}
	p.do(how, at, text, bad...)
	return text
}

func (p *plan) number(s schema.Numeric, at string) any {
	bad := []string{"abc"}
	n := 7.0
	if s.Min != "" {
		least, _ := strconv.ParseFloat(string(s.Min), 64)
		n = least + 1
		bad = append(bad, fmt.Sprint(least-1))
	}
	if s.Max != "" {
		most, _ := strconv.ParseFloat(string(s.Max), 64)
		bad = append(bad, fmt.Sprint(most+1))
	}
	if s.Integer {
		bad = append(bad, fmt.Sprint(n+0.5))
	}
	p.do("text", at, fmt.Sprint(n), bad...)
	return n
}

func (p *plan) list(s schema.List, at string) any {
	if values, ok := s.Item.(schema.Enum); ok {
		p.do("tick", at, values[0])
		p.do("tick", at, values[len(values)-1])
		return []any{values[0], values[len(values)-1]}
	}
	p.do("list", at, "2")
	var out []any
	for i := range 2 {
		out = append(out, p.value(s.Item, fmt.Sprintf("%s[%d]", at, i), true, nil))
	}
	return out
}

// driver adds a component and operates its controls, in the page. It returns what went wrong.
const driver = `window.drive = async (kind, was, controls) => {
	const wrong = [];
	const until = async (what, f) => {
		const end = performance.now() + 8000;
		for (;;) {
			const v = f();
			if (v) return v;
			if (performance.now() > end) { wrong.push(kind + ": " + what); return null; }
			await new Promise((done) => setTimeout(done, 2));
		}
	};
	const panel = () => document.querySelector("[data-testid=inspector]");
	const find = (s) => panel().querySelector(s);
	const named = (role, name) => [...document.querySelectorAll(role)].find((e) => e.textContent.trim() === name);
	named("[role=tab]", "Components").click();
	(await until("no palette", () => document.querySelector("[data-act=add-component][data-arg=" + kind + "]"))).click();
	const first = await until("not added", () => { const e = find("[data-path$='.id']"); return e && e.value.startsWith(kind.toLowerCase() + "_") && e.value !== was && e; });
	if (!first) return wrong;
	const prefix = first.dataset.path.slice(0, -".id".length);
	const show = async (e) => {
		const folded = e.closest(".rows[hidden]");
		if (folded) {
			folded.closest("section").querySelector(".fold").click();
			await until("stays folded", () => !e.closest(".rows[hidden]"));
		}
		return e;
	};
	const control = async (c, more = ":not(.swatch):not(.default-mark)") => {
		const e = await until("no control for " + c.path, () => find("[data-path=" + JSON.stringify(prefix + c.path) + "]" + more));
		return e && show(e);
	};
	const held = (e) => e.dataset.held?.slice(1, -1);
	const set = (e, value) => {
		e.focus();
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), "value").set.call(e, value);
		e.dispatchEvent(new InputEvent("input", {bubbles: true}));
		e.dispatchEvent(new Event("change", {bubbles: true}));
		e.blur();
	};
	const alert = (e) => (e.getAttribute("aria-describedby") || "").split(" ").map((id) => document.getElementById(id)).find((m) => m?.getAttribute("role") === "alert");
	let saved = false;
	for (const c of controls) {
		const button = (act, arg) => find("[data-act=" + act + "][data-arg=" + JSON.stringify(arg) + "]");
		const list = prefix + c.path;
		if (c.do === "list" || c.do === "entry") {
			const add = await until("no list " + c.path, () => button("add", list));
			if (!add) continue;
			await show(add);
			const count = () => [...panel().querySelectorAll("[data-act=remove]")].filter((b) => b.dataset.arg.endsWith(" " + list)).length;
			for (let n = count(); n > 0; n--) {
				button("remove", "0 " + list).click();
				await until("not removed from " + c.path, () => count() === n - 1);
			}
			if (c.do === "entry") {
				find("[id='k-" + list + "']").value = c.value;
				button("add", list).click();
				await until("no entry " + c.path, () => find("[data-path='" + list + "." + c.value + "']"));
				continue;
			}
			for (let i = 0; i < Number(c.value); i++) {
				button("add", list).click();
				await until("not added to " + c.path, () => button("remove", i + " " + list));
			}
			continue;
		}
		if (c.do === "tick") {
			const box = await control(c, "[data-value=" + JSON.stringify(c.value) + "]:not(.default-mark)");
			if (box && !box.checked) box.click();
			await until("not ticked " + c.path, () => box.dataset.held === "=true=");
			continue;
		}
		let e = await control(c);
		if (!e) continue;
		if (c.do === "turn") {
			if (!e.checked) e.click();
			await until("not turned " + c.path, () => e.dataset.held === "=true=");
			continue;
		}
		if (e.getAttribute("aria-hidden") === "true") { // rich text: its source is edited
			(await until("no way to the source of " + c.path, () => e.closest(".f").querySelector("fg-rich [data-act=rich][data-arg]"))).click();
			await until("no source of " + c.path, () => find("[data-path=" + JSON.stringify(list) + "]")?.getAttribute("aria-hidden") !== "true");
			e = await control(c);
		}
		for (const bad of c.bad || []) {
			set(e, bad);
			const says = await until("no message for " + JSON.stringify(bad.slice(0, 20)) + " in " + c.path, () => (e = find("[data-path=" + JSON.stringify(list) + "]")) && alert(e)?.textContent);
			if (e.getAttribute("aria-invalid") !== "true") wrong.push(kind + ": " + c.path + " is not marked as invalid");
			if (says && !saved && c.path !== ".id") { // ids that are refused are not in the form
				saved = true;
				named("button", "Save").click();
				await until("Save does not say where " + c.path + " is wrong", () => document.querySelector("[data-testid=problems]")?.textContent.includes(says.trim().slice(1, 40)));
				if (document.querySelector("[data-save-state]").dataset.saveState !== "dirty") wrong.push(kind + ": the state is " + document.querySelector("[data-save-state]").dataset.saveState);
			}
		}
		if (c.do === "color") {
			const swatch = await control(c, ".swatch");
			set(swatch, c.value);
		} else {
			set(e, c.value);
		}
		const same = c.do === "json" ? (e) => { try { return JSON.stringify(JSON.parse(held(e))) === JSON.stringify(JSON.parse(c.value)); } catch { return false; } } : (e) => held(e) === c.value;
		const ok = await until(c.path + " is not " + c.value, () => { const e = find("[data-path=" + JSON.stringify(list) + "]:not(.swatch)"); return e && same(e) && (e.getAttribute("aria-invalid") !== "true") && !alert(e); });
		if (!ok) wrong.push(kind + ": " + c.path + " holds " + held(find("[data-path=" + JSON.stringify(list) + "]:not(.swatch)") || e) + ", " + (alert(e)?.textContent || "no message"));
	}
	return wrong;
}; 0`

// Every property of every kind is set through its control, refuses what its table does not allow, and is saved as it was set.
func TestEveryPropertyOfEveryKind(t *testing.T) {
	nightly(t) // app/inspector tests every row (TestEditEveryRow), app/ui/inspect ticks (panel_test.go); TestOptionsAreMade operates controls
	t.Parallel()
	s := shared(t)
	id := s.create(kindForm)
	p := s.tab()
	p.editor(s, id)
	p.choose("all")
	eval[int](p, driver)
	want := map[string]map[string]any{}
	last := ""
	kinds, controls := 0, 0
	for i := range model.Kinds {
		k := &model.Kinds[i]
		for variant := range variants(k) {
			own := fmt.Sprintf("kind_%d_%d", i, variant)
			pl := plan{variant: variant}
			pl.do("text", ".id", own, "not ! allowed")
			v := pl.table(k.Table(), "", "id", "category", "type", "config")
			v["id"], v["category"], v["type"] = own, string(k.Category), k.Type
			if config := pl.table(k.Config, ".config"); len(config) > 0 {
				v["config"] = config
			}
			want[own] = v
			list, err := json.Marshal(pl.controls)
			if err != nil {
				t.Fatal(err)
			}
			for _, wrong := range evalAsync[[]string](p, fmt.Sprintf("drive(%s, %s, %s)", js(k.Type), js(last), list)) {
				t.Error(wrong)
			}
			last = own
			kinds, controls = kinds+1, controls+len(pl.controls)
		}
	}
	if kinds < len(model.Kinds) || controls < 150 {
		t.Errorf("only %d controls of %d components are operated", controls, kinds)
	}
	p.press("button", "Save")
	p.saveState("saved")
	if n := len(p.patches()); n != 1 {
		t.Errorf("%d forms were sent, want 1: none with problems", n)
	}
	got := map[string]any{}
	for _, c := range at(s.form(id)["nodes"].([]any)[0], "config", "components").([]any) {
		got[c.(map[string]any)["id"].(string)] = c
	}
	for own, v := range want {
		if !reflect.DeepEqual(got[own], any(v)) {
			t.Errorf("%s is saved as\n     %s\nwant %s", own, asJSON(t, got[own]), asJSON(t, v))
		}
	}
}

// variants returns how many components are needed to set every property of a kind: one for each option of its choice.
func variants(k *model.Kind) int {
	n := 1
	for _, r := range k.Config {
		if c, ok := r.Spec.(schema.Choice); ok {
			n = max(n, len(c.Options))
		}
	}
	return n
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
