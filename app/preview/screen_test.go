package preview_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/app/preview/previewtest"
	"github.com/formgraph/formgraph/model/schema"
)

func TestLanguagesHaveDirections(t *testing.T) {
	for language, want := range map[string]string{
		"en": "ltr", "": "ltr", "ar": "rtl", "AR-eg": "rtl", "he": "rtl", "fa-IR": "rtl", "ur": "rtl", "az-Arab": "rtl", "uz-arab-AF": "rtl",
		"ar-Latn": "ltr", "zh-Hant-TW": "ltr", "arn": "ltr", "x-ar": "ltr",
	} {
		root := parse(t, preview.Screen{Language: language}.Render()).kids[0]
		if root.attrs["dir"] != want || root.attrs["lang"] != language {
			t.Errorf("%q: got %q %q, want %q", language, root.attrs["lang"], root.attrs["dir"], want)
		}
	}
}

func TestStep(t *testing.T) {
	root := parse(t, preview.Screen{Node: "step_1", Language: "en", Title: "Your address", Problem: "The code could not be sent."}.Render())
	step := root.with("data-step", "step_1")
	if len(step) != 1 || step[0].tag != "main" || step[0].attrs["class"] != "af-step af-step-step_1" || root.words != "Your addressThe code could not be sent." {
		t.Errorf("got %+v %q", step, root.words)
	}
	if alerts := root.with("role", "alert"); len(alerts) != 1 || alerts[0].words != "The code could not be sent." {
		t.Errorf("got %d alerts", len(alerts))
	}
}

func TestEnding(t *testing.T) {
	for _, tt := range []struct {
		ending preview.Ending
		want   string
	}{
		{preview.Ending{Target: "javascript:alert(1)"}, "The respondent is sent tojavascript:alert(1)"},
		{preview.Ending{Resume: true}, "The sign-in continues."},
		{preview.Ending{}, "The form ends here."},
	} {
		root := parse(t, tt.ending.Render())
		if len(root.with("data-step", "$ending")) != 1 || !strings.HasSuffix(root.words, tt.want) || len(root.all(has("href"))) > 0 {
			t.Errorf("%+v: got %q", tt.ending, root.words)
		}
	}
}

func TestShowMessage(t *testing.T) {
	got := preview.Show{HTML: "<b>\"\xff</b>", CSS: "a{}", Theme: preview.DarkTheme, Focus: preview.FocusProblem, Fresh: true}.Message()
	want := `{"type":"show","html":"<b>\"` + "\ufffd" + `</b>","css":"a{}","theme":"dark","focus":"$problem","fresh":true}`
	if !schema.Equal(previewtest.Tree(got), previewtest.Tree(want)) {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEvents(t *testing.T) {
	e, err := preview.ParseEvent(`{"type":"press","id":"go","answers":{"age":"34","news":null,"tel":{"number":"1"}}}`)
	if err != nil || e.Type != preview.Press || e.ID != "go" || len(e.Answers) != 3 || e.Answers["age"] != "34" || e.Answers["news"] != nil {
		t.Errorf("got %+v, %v", e, err)
	}
	if e, err := preview.ParseEvent(`{"type":"size","height":812}`); err != nil || e.Height != 812 {
		t.Errorf("got %+v, %v", e, err)
	}
	for _, bad := range []string{
		``, `null`, `[]`, `{}`, `{"type":"show"}`, `{"type":1}`, `{"type":"press"}`, `{"type":"answer","answers":{}}`, `{"type":"size"}`, `{"type":"size","height":-1}`,
		`{"type":"size","height":1.5}`, `{"type":"size","height":100001}`, `{"type":"ready"} ` + `{}`,
	} {
		if e, err := preview.ParseEvent(bad); err == nil {
			t.Errorf("%s: got %+v, want an error", bad, e)
		}
	}
}
