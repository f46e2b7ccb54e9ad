package envelope_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/schema"
)

func TestConnectionsOfTheForm(t *testing.T) {
	d, _, _ := envelope.Read([]byte(`{"version":"4.0.0","form":{"name":"F","nodes":[{"id":"a","type":"STEP","config":{"components":[
		{"id":"c","category":"FIELD","type":"CUSTOM","config":{"params":{"connection_id":"#CONN-2#","deep":[{"connection_id":"#CONN-1#"},{"connection_id":"ac_1"}]}}}]}}]},
		"flows":{"#FLOW-1#":{"actions":[{"connection_id":"#CONN-3#"}]}},"connections":{"#CONN-2#":{"name":"Mailer"}}}`))
	var got []string
	for _, m := range envelope.Connections(d) {
		got = append(got, m.Placeholder+" "+m.Name)
	}
	if s := strings.Join(got, ","); s != "#CONN-2# Mailer,#CONN-1# " {
		t.Errorf("the connections are %q", s)
	}
	f := envelope.MapConnections(d.Form, map[string]string{"#CONN-1#": "ac_9"})
	if s := string(schema.Encode(f.Tree())); !strings.Contains(s, `"ac_9"`) || strings.Contains(s, "#CONN-1#") || !strings.Contains(s, "#CONN-2#") || !strings.Contains(s, `"ac_1"`) {
		t.Errorf("mapped, the form is %s", s)
	}
	if envelope.MapConnections(d.Form, nil) != d.Form || envelope.Connections(envelope.Document{}) != nil {
		t.Error("nothing to map makes another form")
	}
}
