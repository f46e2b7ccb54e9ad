//go:build e2e && !js

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
)

// operated are the roles of elements that a person operates or chooses.
var operated = strings.Fields("button checkbox combobox DisclosureTriangle grid link listbox menu menuitem menuitemcheckbox menuitemradio " +
	"option radio row searchbox slider spinbutton switch tab tabpanel textbox tree treeitem")

// named returns the names of the elements of a role in the browser's own tree of what assistive technology is told. An element that a person
// operates and that has no name is an error.
func (p *page) named(where, role string) []string {
	p.t.Helper()
	type element struct{ role, name, html string }
	list, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) ([]element, error) {
		tree, err := cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		if err != nil {
			return nil, err
		}
		var list []element
		for _, n := range tree.Nodes {
			if n.Ignored || n.Role == nil {
				continue
			}
			e := element{role: text(n.Role), name: text(n.Name)}
			if strings.TrimSpace(e.name) == "" && slices.Contains(operated, e.role) {
				// An element may be gone meanwhile. A row of headers only names columns.
				html, err := cdp.Call(ctx, t, dom.GetOuterHTML, dom.GetOuterHTMLParams{BackendNodeID: n.BackendDOMNodeID})
				if err == nil && (e.role != "row" || !strings.Contains(html.OuterHTML, ` scope="col"`)) {
					e.html = html.OuterHTML
				}
			}
			list = append(list, e)
		}
		return list, nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		if e.html != "" {
			p.t.Errorf("%s: a %s has no name: %.300s", where, e.role, e.html)
		}
		if e.role == role {
			names = append(names, e.name)
		}
	}
	slices.Sort(names)
	return names
}

// text returns the text of a value of the tree, "" for none.
func text(v *accessibility.Value) (s string) {
	if v != nil {
		_ = json.Unmarshal(v.Value, &s)
	}
	return s
}

// Every card, row and control has a name for assistive technology; a card the same one at every zoom.
func TestEverythingHasAName(t *testing.T) {
	t.Parallel()
	s := shared(t)
	p := s.tab()
	p.editor(s, s.create(threeNodes))
	want := []string{
		"Details, step", "Ending, where the journey ends", "Start, where the journey begins", "Thanks, step, 1 warning", "Which way?, router",
	}
	for _, zoom := range sample(3, []float64{0.39, 0.1, 0.3, 0.44, 0.46, 1, 2}) {
		p.zoomTo(zoom)
		where := fmt.Sprintf("the editor at %v", zoom)
		if got := p.named(where, "option"); zoom < 1 && !slices.Equal(got, want) {
			t.Errorf("%s: the cards are %q, want %q", where, got, want)
		}
	}
	p.fitView()
	for _, id := range []string{"step_a", "router_a"} {
		p.choose(id)
		for _, tab := range []string{"Outline", "Problems", "Components"} {
			p.press("tab", tab)
			p.named("the editor with "+id+" and "+tab, "")
		}
	}
	p.languages()
	p.named("the languages", "")
	p.open(s.Ready.Editor + "/forms")
	p.wait(`document.querySelector("[data-form]")`)
	p.named("the list", "")
	if testing.Short() {
		return // TestAxe looks at the other pages
	}
	p.editor(s, s.create(gridForm(600)))
	p.zoomTo(0.1)
	p.wait(sel(".cv-far:not([hidden])"))
	p.named("the far view", "")
	p.account(s, s.First.Admin.Email, s.First.Admin.Password)
	p.named("the account", "")
	p.admin(s, "")
	p.named("the administration", "")
}
