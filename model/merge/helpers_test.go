package merge_test

import (
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func parse(t *testing.T, src string) *schema.Object {
	t.Helper()
	v, ps := schema.Decode([]byte(src))
	if len(ps) > 0 {
		t.Fatalf("%s: %v", src, ps)
	}
	return v.(*schema.Object)
}

func formOf(t *testing.T, src string) *model.Form {
	t.Helper()
	return model.FromTree(parse(t, src))
}

func decodeObject(src []byte) (*schema.Object, bool) {
	v, ps := schema.Decode(src)
	if len(ps) > 0 {
		return nil, false
	}
	o, ok := v.(*schema.Object)
	return o, ok
}

func pay(charge string) string {
	return `{"id":"c","category":"FIELD","type":"PAYMENT","config":` +
		`{"charge":` + charge + `,"credentials":{"public_key":"a","private_key":"b"}}}`
}
