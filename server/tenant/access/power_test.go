package access_test

import (
	"slices"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
)

func TestMissing(t *testing.T) {
	for _, tt := range []struct {
		name    string
		held    []string
		reached [][]string
		want    []string
	}{
		{"nothing reached", nil, nil, nil},
		{"nobody reaches nobody", nil, [][]string{nil, {}}, nil},
		{"an equal", []string{"a", "b"}, [][]string{{"b", "a"}}, nil},
		{"somebody with less", []string{"a", "b"}, [][]string{{"a"}}, nil},
		{"somebody with more", []string{"a"}, [][]string{{"a", "b"}}, []string{"b"}},
		{"somebody who holds other things", []string{"a"}, [][]string{{"b"}}, []string{"b"}},
		{"a caller with nothing reaches something", nil, [][]string{{"a"}}, []string{"a"}},
		{"whole words only", []string{"read:users_all", "read"}, [][]string{{"read:users"}}, []string{"read:users"}},
		{"letters matter", []string{"A"}, [][]string{{"a"}}, []string{"a"}},
		{"sorted, each once, of all that is reached", []string{"a"}, [][]string{{"d", "a"}, {"b", "d"}}, []string{"b", "d"}},
	} {
		if got := access.Missing(tt.held, tt.reached...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: missing %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestPower(t *testing.T) {
	got := access.Power([]store.Permission{
		{APIID: access.ManagementAPI, Scope: "a"},
		{APIID: "shop", Scope: "b"},
		{APIID: access.SelfServiceAPI, Scope: "c"},
	})
	if !slices.Equal(got, []string{"a"}) {
		t.Errorf("permissions count for %v, want those of the management API", got)
	}
}

func TestGrantPower(t *testing.T) {
	all := []string{"a", "b", "c"}
	grant := func(api string, scopes ...string) store.ClientGrant {
		return store.ClientGrant{APIID: api, Scopes: scopes}
	}
	for _, tt := range []struct {
		name   string
		grants []store.ClientGrant
		want   []string
	}{
		{"none", nil, nil},
		{"another API", []store.ClientGrant{grant("shop", "a")}, nil},
		{
			"the management API, for people and for itself",
			[]store.ClientGrant{grant(access.ManagementAPI, "a"), grant(access.ManagementAPI, "b")},
			[]string{"a", "b"},
		},
		{"a grant without scopes", []store.ClientGrant{grant(access.SelfServiceAPI), grant(access.ManagementAPI)}, nil},
		{"the accounts of people", []store.ClientGrant{grant(access.SelfServiceAPI, "read:me:factors")}, all},
	} {
		if got := access.GrantPower(all, tt.grants...); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestChanged(t *testing.T) {
	for _, tt := range []struct{ before, after, want []string }{
		{nil, nil, nil},
		{[]string{"a", "b"}, []string{"b", "a"}, nil},
		{[]string{"a"}, []string{"a", "b"}, []string{"b"}},
		{[]string{"a", "b"}, nil, []string{"a", "b"}},
		{[]string{"a"}, []string{"b"}, []string{"b", "a"}},
	} {
		if got := access.Changed(tt.before, tt.after); !slices.Equal(got, tt.want) {
			t.Errorf("from %v to %v: %v, want %v", tt.before, tt.after, got, tt.want)
		}
	}
}
