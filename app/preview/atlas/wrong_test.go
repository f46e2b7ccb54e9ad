package atlas

import (
	"testing"

	"github.com/formgraph/formgraph/app/preview/previewtest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
)

// The wrong answer of each kind with bounds or a format is refused for them. Kinds that are not listed have none.
func TestWrongAnswersAreRefused(t *testing.T) {
	want := map[string]answer.Key{
		"custom field":             "ERR_INVALID_CUSTOM_VALUE",
		"date":                     "ERR_DATE_EXPECTED",
		"time":                     "ERR_TIME_EXPECTED",
		"email":                    "ERR_EMAIL_EXPECTED",
		"file":                     "ERR_FILE_TYPE_NOT_ALLOWED",
		"number":                   "ERR_TOO_SMALL_NUMBER",
		"password":                 "ERR_TOO_SHORT_STRING",
		"payment":                  "ERR_INVALID_CARD",
		"telephone":                "ERR_PHONE_EXPECTED",
		"telephone with a country": "ERR_PHONE_EXPECTED",
		"text":                     "ERR_TOO_LONG_STRING",
		"several lines":            "ERR_TOO_LONG_STRING",
		"url":                      "ERR_URL_EXPECTED",
	}
	for _, s := range previewtest.Samples() {
		c := s.Item.Component
		if c.Category == model.Block {
			continue
		}
		var key answer.Key
		if v := wrongAnswer(c); v != nil {
			if _, r := answer.Judge(c, v, nil); r != nil {
				key = r.Key
			}
		}
		if key != want[s.Name] {
			t.Errorf("%s: the wrong answer is refused with %q, want %q", s.Name, key, want[s.Name])
		}
	}
}
