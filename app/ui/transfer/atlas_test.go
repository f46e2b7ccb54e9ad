package transfer

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/model/formtest"
)

// The dialog offers the languages of the form, and the server gets the form as it is under edit.
func TestAtlas(t *testing.T) {
	const translated = `{"id":"ap_test","name":"Trip & more","languages":{"primary":"en"},"translations":{"de":{},"fr":{}},"nodes":[]}`
	onTransfer(t, translated, func(ctx app.Context, p *Transfer, _ *uitest.Canvas) {
		fields := func(download bool) url.Values {
			v, list := url.Values{}, p.atlasFields(download)
			for i := 0; i < len(list); i += 2 {
				v.Set(list[i], list[i+1])
			}
			return v
		}
		draw := func() string { return strings.ReplaceAll(app.HTMLString(p.Draw()), `disabled="false"`, "") }
		p.OpenAtlas(ctx)
		if shown := draw(); strings.Count(shown, `data-act="atlas-language"`) != 3 || strings.Contains(shown, "disabled") {
			t.Errorf("draws %s", shown)
		}
		got := fields(false)
		if !formtest.Parse(t, got.Get("form")).Tree().Has("translations") || got.Has("languages") || got.Has("download") {
			t.Errorf("sends %v", got)
		}
		if _, err := time.Parse(time.DateOnly, got.Get("date")); err != nil {
			t.Error(err)
		}
		p.Act(ctx, "atlas-language", "en")
		if got := fields(true); got.Get("languages") != "de,fr" || got.Get("download") != "trip---more.atlas.html" {
			t.Errorf("sends %v", got)
		}
		p.Act(ctx, "atlas-language", "de")
		p.Act(ctx, "atlas-language", "fr")
		if shown := draw(); strings.Count(shown, "disabled") != 2 || !strings.Contains(shown, "at least one language") {
			t.Errorf("without a language it draws %s", shown)
		}
		p.OpenAtlas(ctx)
		if got := fields(false); got.Has("languages") {
			t.Errorf("opened again, it sends the languages %s", got.Get("languages"))
		}
		if !p.Act(ctx, "atlas-open", "") || p.Dialog.Name() != "" || p.Act(ctx, "other", "") {
			t.Errorf("the dialog %q is open", p.Dialog.Name())
		}
	})
	onTransfer(t, `{"name":"Müll","nodes":[]}`, func(ctx app.Context, p *Transfer, _ *uitest.Canvas) {
		p.OpenAtlas(ctx)
		if shown := app.HTMLString(p.Draw()); strings.Contains(shown, "fieldset") {
			t.Errorf("one language is a choice: %s", shown)
		}
	})
}
