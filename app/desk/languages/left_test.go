package languages_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/desk/message"
)

const leftovers = `{"name":"f","languages":{"primary":"en"},"nodes":[{"id":"s","type":"STEP","config":{"components":[
	{"id":"y","category":"FIELD","type":"TEXT","label":"Year"}]}}],"translations":{"de":{"components":{
	"gone":{"label":"<b>Weg</b>"},"y":{"label":2026}}},"EN":{"components":{"y":{"label":"Anno"}}}}}`

// What translates nothing has no cell. It is listed apart, and removed one by one or at once; each is one step to undo.
func TestLeftOverTranslations(t *testing.T) {
	d := open(t, form)
	if strings.Contains(d.HTML(), "Left over") {
		t.Error("a form without them offers to remove them")
	}
	d = open(t, leftovers)
	has(t, d, "Left over 3")
	d.Press("open", "left")
	has(t, d, "components.gone", ">&lt;b&gt;Weg&lt;/b&gt;<", "components.y.label", "2026", "in another place",
		`data-arg="translations.de.components.y.label"`)
	d.Press("drop", "translations.de.components.y.label")
	has(t, d, "Left over 2", "Left-over translations", "components.gone")
	if strings.Contains(d.HTML(), "2026") {
		t.Error("what was removed is listed")
	}
	d.Press("drop", "")
	if strings.Contains(strings.ToLower(d.HTML()), "left over") || strings.Contains(d.HTML(), "Left-over") {
		t.Error("they are offered though none is left")
	}
	if got := d.Form().Object("translations"); got.Len() != 1 || got.Object("de") == nil || got.Object("de").Len() != 0 {
		t.Errorf("translations %v", got)
	}
	if got := d.Editor().UndoLabel(); got != "Remove left-over translations" {
		t.Errorf("the last step is %q", got)
	}
	d.Editor().Undo()
	d.Editor().Undo()
	if got := d.Form().Object("translations").Object("de").Object("components"); got.Len() != 2 {
		t.Errorf("undone, there is %v", got)
	}
}

func TestGoToALeftOverTranslation(t *testing.T) {
	d := open(t, leftovers)
	d.Order(message.Order{Go: "translations.de.components.gone"})
	has(t, d, "Left-over translations")
}
