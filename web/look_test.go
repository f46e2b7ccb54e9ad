package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/web"
)

func TestLook(t *testing.T) {
	s, err := web.New(web.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, fixed := range []bool{false, true} {
		page, err := s.Look(web.Look{
			Name: `<script>alert(1)</script>`, Saved: at, Until: at.AddDate(0, 0, 7), Fixed: fixed, Steps: 1, Nodes: 2, Graph: "<svg></svg>",
			Screens: `/look/x/screens"><script>`,
		})
		if err != nil {
			t.Fatal(err)
		}
		body := string(page)
		for _, want := range []string{
			"<svg></svg>", `datetime="2026-03-01T12:00:00Z"`, "8 March 2026, 12:00 UTC", "1 step, 2 nodes", "Read only.", `sandbox referrerpolicy="no-referrer"`,
			map[bool]string{false: "as it was last saved", true: "always shows this version"}[fixed],
		} {
			if !strings.Contains(body, want) {
				t.Errorf("fixed %v: %s is missing in %s", fixed, want, body)
			}
		}
		if strings.Contains(body, "<script>") {
			t.Errorf("a text became markup: %s", body)
		}
	}
}
