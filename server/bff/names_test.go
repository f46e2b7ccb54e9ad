package bff

import "testing"

func TestUpperName(t *testing.T) {
	for text, want := range map[string]bool{
		`{"name":"Name"}`:             false,
		`{"name":{"next_node":"N:"}}`: false,
		`["NAME","\"A\":"]`:           false,
		`{"a":"\"","b":"\\"}`:         false,
		`{"A":1}`:                     true,
		`{"name":1,"neXt":2}`:         true,
		`{"Z" : 1}`:                   true,
		"{\"nodeS\"\t\r\n:1}":         true,
		`{"n\u0041me":1}`:             true,
		`{"a":"\"","B":1}`:            true,
		`[{"a":"\\"},{"B":1}]`:        true,
	} {
		if got := upperName([]byte(text)); got != want {
			t.Errorf("upperName(%s) = %v, want %v", text, got, want)
		}
	}
}
