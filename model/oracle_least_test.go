package model_test

import (
	"fmt"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// samples has valid and invalid strings for each format, by its name.
// A new format without samples panics, since the oracle would not try it.
var samples = map[string]struct{ good, bad []string }{
	"forms-custom-identifier": {
		[]string{"a", "A_1-b", "-", "0", strings.Repeat("x", 300)},
		[]string{"", "a b", "$x", "$ending", "é", "a\n", "a.b", "\u0000"},
	},
	"node-pointer": {
		[]string{"$ending", "a", "A_1-b", "ending"},
		[]string{"", "$start", "$endin", "$endings", "x$ending", "$ENDING", "a b", "$ending\n"},
	},
	"forms-hex-color": {
		[]string{"#abc", "#A0b1C2", "#000"},
		[]string{"", "abc", "#ab", "#abcd", "#abcde", "#abcdef0", "#ggg", "#abcdeg", "#é00"},
	},
	"forms-url-https": {
		[]string{
			"https://a", "HTTPS://a", "hTtPs://a/b c", "https://a:80/é?q=%#%41", "https://u:p@a", "https://u@b@a", "https://[::1]:1/",
			"https://[fe80::1%25en0]",
			"https://é.example/", "https://a?", "https://a#", "https://a:", "https://a?\"b|c", "https://a#\x01",
		},
		[]string{
			"", "http://a", "https:a", "https:/a", "https://", "https:///a", "https://:80", "https://?a", "https://#a", "https://u@",
			"https://a b", "https://a:b", "https://a:1:2",
			" https://a", "https://a\n", "https://a/\x7f", "xhttps://a", "https://[::1", "https://a[b]", "https://[]", "https://a]",
			"https://a|b", "https://a\\b",
		},
	},
	"forms-file-extension": {
		[]string{".pdf", "PDF", "7z", ".0"},
		[]string{"", ".", "a.b", "..a", "a b", "é", ".pdf\n"},
	},
}

// looseURLs are the URLs that the format refuses and no pattern does.
var looseURLs = []string{
	"https://a/%zz",
	"https://%41",
	"https://u|@a",
	"https://%25",
	"https://a:65536",
	"https://a\u202e",
	"https://[x]",
	"https://[1.2.3.4]",
	"https://a#%",
}

// oracleTable is the table of the PATCH body: the content of a form, where everything
// except the name may be null.
func oracleTable() schema.Table {
	t := append(schema.Table(nil), model.ContentTable()...)
	for i := range t {
		if t[i].Name != "name" {
			t[i].Spec = schema.Nullable{Spec: t[i].Spec}
		}
	}
	return t
}

// least returns the smallest valid value of a spec: required rows, first arms.
func least(s schema.Spec) any {
	switch s := s.(type) {
	case schema.Table:
		return leastObject(s)
	case schema.Open:
		return leastObject(s.Rows)
	case schema.Map:
		return schema.NewObject()
	case schema.String:
		if s.Format != nil {
			return samplesOf(s.Format).good[0]
		}
		return strings.Repeat("é", s.Min)
	case schema.Numeric:
		if s.Min != "" {
			return s.Min
		}
		return schema.Number("0")
	case schema.Enum:
		return s[0]
	case schema.Bool:
		return false
	case schema.True:
		return true
	case schema.Any:
		return nil
	case schema.List:
		list := make([]any, s.Min)
		for i := range list {
			list[i] = least(s.Item)
		}
		return list
	case schema.Nullable:
		return least(s.Spec)
	case schema.Either:
		return least(s.Of[0])
	case schema.Union:
		return least(s.Arms[0].Spec)
	case schema.Choice:
		return leastChoice(s, 0)
	}
	panic(fmt.Sprintf("%T", s))
}

func leastObject(t schema.Table) *schema.Object {
	o := schema.NewObject()
	for _, r := range t {
		if r.Required {
			o = o.With(r.Name, least(r.Spec))
		}
	}
	return o
}

func leastChoice(s schema.Choice, i int) *schema.Object {
	own := s.Options[i]
	return schema.NewObject(schema.Member{Key: s.Tag, Value: own.Tag}, schema.Member{Key: own.Row.Name, Value: least(own.Row.Spec)})
}

func samplesOf(f *schema.Format) struct{ good, bad []string } {
	s, ok := samples[f.Name]
	if !ok {
		panic("no samples of the format " + f.Name)
	}
	return s
}
