package formapi_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/client/formapi"
	"github.com/formgraph/formgraph/model/schema"
)

// A call about what is kept is made first, and then all of it is read.
func TestKept(t *testing.T) {
	for call, want := range map[string]string{
		`{"number":1}`: "GET /bff/api/forms/a%20b/comments ",
		`{"method":"POST","id":"","body":{"text":"é"}}`:           `POST /bff/api/forms/a%20b/comments {"text":"é"}; GET /bff/api/forms/a%20b/comments `,
		`{"method":"PATCH","id":"../x","body":{"resolved":true}}`: `PATCH /bff/api/forms/a%20b/comments/..%2Fx {"resolved":true}; GET /bff/api/forms/a%20b/comments `,
		`{"method":"DELETE","id":"c"}`:                            "DELETE /bff/api/forms/a%20b/comments/c ; GET /bff/api/forms/a%20b/comments ",
	} {
		v, _ := schema.Decode([]byte(call))
		s := &server{status: 200, body: `{"unread":2}`}
		o, err := formapi.Kept(t.Context(), client.New(s), "a b", "comments", v.(*schema.Object))
		if n, _ := o.Int("unread"); err != nil || n != 2 {
			t.Errorf("%s: %v, %v", call, o, err)
		}
		var sent []string
		for _, r := range s.sent {
			sent = append(sent, r.Method+" "+r.Path+" "+string(r.Body))
		}
		if got := strings.Join(sent, "; "); got != want {
			t.Errorf("%s sends %s, want %s", call, got, want)
		}
	}
	s := &server{status: 403, body: `{"code":"not_author","detail":"No."}`}
	v, _ := schema.Decode([]byte(`{"method":"DELETE","id":"c"}`))
	if _, err := formapi.Kept(t.Context(), client.New(s), "a", "comments", v.(*schema.Object)); client.CodeOf(err) != "not_author" || len(s.sent) != 1 {
		t.Errorf("%v after %d requests", err, len(s.sent))
	}
}
