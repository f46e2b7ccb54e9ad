package bff_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/store"
)

// The scenarios of a form name its elements as they are called after a save.
func TestScenariosFollowRenames(t *testing.T) {
	w := newWorld(t)
	files, ctx := w.db.Team("").Scenarios(), t.Context()
	const scenarios = `{"version":1,"scenarios":[{"name":"s","steps":[{"node":"a","answers":{"x":"1"},"press":"go"}],"expect":["a","$ending"]}]}`
	if _, err := files.Create(ctx, store.Document{ID: "ap_1", Created: time.Now(), Body: []byte(scenarios)}); err != nil {
		t.Fatal(err)
	}
	form := func(node, field string) *model.Form {
		return formtest.Parse(t, `{"name":"F","nodes":[{"id":"`+node+`","type":"STEP","coordinates":{"x":1,"y":1},"config":{"components":[
			{"id":"`+field+`","category":"FIELD","type":"TEXT","label":"Name"},{"id":"go","category":"BLOCK","type":"NEXT_BUTTON"}]}}]}`)
	}
	places := bff.Places{Comments: w.db.Team("").Comments(), Scenarios: files, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	places.Follow(ctx, "ap_2", form("a", "x"), form("b", "y")) // there are none of it
	places.Follow(ctx, "ap_1", form("a", "x"), form("b", "y"))
	d, err := files.Get(ctx, "ap_1")
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(string(d.Body)), "")
	if want := `"steps":[{"node":"b","answers":{"y":"1"},"press":"go"}],"expect":["b","$ending"]`; !strings.Contains(got, want) {
		t.Errorf("the scenarios are %s", got)
	}
	places.Follow(ctx, "ap_1", form("b", "y"), form("b", "y"))
	if again, _ := files.Get(ctx, "ap_1"); again.Updated != d.Updated {
		t.Error("they were written although nothing was renamed")
	}
}
