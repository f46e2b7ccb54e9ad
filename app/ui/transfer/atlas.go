package transfer

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/schema"
)

// AtlasDialog is the name of the dialog for the screen atlas.
const AtlasDialog = "atlas"

// atlasAddress is where the server answers a form with its screens.
const atlasAddress = "/bff/atlas"

// OpenAtlas opens the dialog for the screen atlas, with all languages.
func (p *Transfer) OpenAtlas(ctx app.Context) {
	p.without = map[string]bool{}
	p.Dialog.Open(ctx, AtlasDialog)
}

// Act handles a control of the dialogs for a file and for the screen atlas, and reports whether it is one.
func (p *Transfer) Act(ctx app.Context, name, arg string) bool {
	switch name {
	case "import-new", "import-compare", "import-replace":
		p.take(ctx, name)
	case reviewAct:
		p.Toast.Clear()
		p.Review(ctx, p.before)
	case "atlas-language":
		p.without[arg] = !p.without[arg]
	case "atlas-open", "atlas-download":
		kit.Submit(atlasAddress, p.atlasFields(name == "atlas-download"))
		p.Dialog.CloseBack()
	default:
		return false
	}
	return true
}

// shown returns the languages that the atlas shows.
func (p *Transfer) shown() []string {
	return slices.DeleteFunc(p.Editor.State().Form.Languages(), func(l string) bool { return p.without[l] })
}

// atlasFields returns what the server needs to know: the form as it is under edit, and how it is shown. They alternate names and values.
func (p *Transfer) atlasFields(download bool) []string {
	f := p.Editor.State().Form
	fields := []string{"form", string(schema.Encode(f.Tree())), "date", time.Now().Format(time.DateOnly)}
	if list := p.shown(); len(list) < len(f.Languages()) {
		fields = append(fields, "languages", strings.Join(list, ","))
	}
	if download {
		fields = append(fields, "download", cmp.Or(strings.TrimSuffix(FileName(f.Name), ".form.json"), "form")+".atlas.html")
	}
	return fields
}

// atlas draws the dialog.
func (p *Transfer) atlas() []app.UI {
	body := []app.UI{kit.El("p").Text("Every step as respondents see it, with the messages for wrong answers, on one page to read, print and share. " +
		"It includes your unsaved changes.")}
	if all := p.Editor.State().Form.Languages(); len(all) > 1 {
		boxes := []app.UI{kit.El("legend").Text("Languages")}
		for _, l := range all {
			boxes = append(boxes, kit.El("label.choice").Body(
				kit.El("input type=checkbox data-act=atlas-language data-arg=% data-held=%", l, kit.Held(kit.Yes(!p.without[l]))), kit.El("bdi").Text(kit.LanguageName(l))))
		}
		body = append(body, kit.El("fieldset").Body(boxes...))
	}
	none := len(p.shown()) == 0
	if none {
		body = append(body, kit.El("p.dim role=status").Text("Choose at least one language."))
	}
	return append(body, workspace.Buttons(
		kit.TextButton("cancel", "Cancel", "secondary"),
		kit.TextButton("atlas-download", "Download", "secondary").Attr("disabled", none),
		kit.TextButton("atlas-open", "Open", "primary").Attr("disabled", none),
	))
}
