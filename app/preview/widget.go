package preview

import (
	"strconv"

	"github.com/formgraph/formgraph/model/schema"
)

// drawCredential draws a stand-in for the code that a wallet scans.
func drawCredential(f *field) control {
	k := control{collect: CollectObject, label: labelGroup}
	state := ""
	if o, ok := f.it.Answer.(*schema.Object); ok {
		state = o.Text("state")
	}
	size := "160"
	v, _ := f.config.Get("size")
	if n, ok := v.(schema.Number); ok {
		size = string(n)
	}
	code := el("div", "fg-code-picture", span("", f.config.Text("alternate_text"))).set("role", "img")
	code.set("aria-label", or(f.config.Text("alternate_text"), f.name())).set("style", "--fg-size:"+pixels(size))
	box := el("input", "").set("type", "checkbox").set("id", f.key).set("value", or(state, "verified")).when(state != "", "checked")
	f.named(box.set("data-member", "state"), k)
	k.body = []*element{el("div", "fg-standin", code, f.note(f.wallet),
		el("div", "af-legal", box, el("label", "", text(f.walletDone)).set("for", f.key)))}
	return k
}

// pixels returns a number of a config as a length, within the bounds of the tables.
func pixels(n string) string {
	x, err := strconv.ParseFloat(n, 64)
	if err != nil || x < 1 || x > 500 {
		x = 160
	}
	return strconv.FormatFloat(x, 'f', -1, 64) + "px"
}

// drawAddress draws a line of text. An answer with more than a label is kept until the text is changed.
func drawAddress(f *field) control {
	k := control{rules: []*element{f.note(f.address)}}
	e := el("input", "af-stringField-input").set("type", "text").set("autocomplete", "street-address").set("enterkeyhint", "next")
	switch v := f.it.Answer.(type) {
	case *schema.Object:
		k.kept = v
		e.some("value", v.Object("properties").Object("geocoding").Text("label"))
	default:
		e.some("value", answerText(v))
	}
	k.body = []*element{el("div", "fg-lead", icon("pin"), e)}
	return f.only(e, k)
}

// drawChallenge draws a checkbox that stands for the whole challenge.
func drawChallenge(f *field) control {
	k := control{collect: CollectObject, label: labelGroup}
	o, _ := f.it.Answer.(*schema.Object)
	box := el("input", "").set("type", "checkbox").set("id", f.key).when(flag(o, "success"), "checked").set("data-member", "success")
	f.named(box, k)
	label := el("label", "", text(f.robot)).set("for", f.key)
	k.body = []*element{el("div", "fg-standin fg-challenge", el("div", "af-legal", box, label), span("fg-tag", f.standIn))}
	return k
}

// providers are the accounts that the stand-in offers: those of the vendor's public kit, and what most tenants have.
var providers = []struct{ value, label string }{{"google", "Google"}, {"apple", "Apple"}, {"facebook", "Facebook"}}

// drawSocial draws a button for each provider. The one that was pressed is the answer.
func drawSocial(f *field) control {
	k := control{collect: CollectObject, label: labelGroup, role: "radiogroup"}
	chosen := answerText(f.it.Answer)
	if o, ok := f.it.Answer.(*schema.Object); ok {
		chosen = o.Text("provider")
	}
	list := el("div", "af-social")
	known := false
	for _, p := range providers {
		id := f.key + "-" + p.value
		known = known || p.value == chosen
		box := f.box(k, "radio", id, p.value, p.value == chosen).set("data-member", "provider")
		label := el("label", "", icon("person"), span("af-button-text", f.continueWith+p.label)).set("for", id)
		list.add(el("div", "af-social-provider af-social-"+p.value, box, label))
	}
	if !known {
		k.kept = f.it.Answer
	}
	k.body = []*element{list, f.note(f.social)}
	return k
}
