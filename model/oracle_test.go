package model_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// The oracle is a third-party implementation of JSON Schema. It reads the
// schema that is printed from the tables, while our checker reads the tables: what one refuses,
// the other must refuse. Formats are not asserted, since those of the tables are not
// formats of JSON Schema; the schema has patterns instead.
//
// Not compared, because no schema can express them, are unique ids and pointers that
// lead to a node (CheckGraph), and the limits of a document and duplicate keys
// (Decode). Exponents of numbers are at most a few hundred, since the oracle fails on
// those beyond a million.

// differences lists where the verdicts may differ. In each case our checker refuses a value
// and the schema does not.
var differences = []struct {
	reason string
	covers func(p schema.Problem) bool
	// met has values for which the verdicts must still differ, at a place in the document.
	at  string
	met []string
}{
	{
		reason: "forms-url-https is judged by net/url; the pattern does not look at percent escapes, at what letters a host has, and at " +
			"addresses in brackets",
		covers: func(p schema.Problem) bool {
			return p.Code == schema.CodeFormat && len(p.Path) > 0 && p.Path[len(p.Path)-1].Key == "image_url"
		},
		at:  "nodes.0.config.components.0.config.options.0.image_url",
		met: looseURLs,
	},
}

// oracle is the schema, compiled.
type oracle struct{ compiled *jsonschema.Schema }

func newOracle(tb testing.TB) *oracle {
	tb.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Encode(model.PatchSchema())))
	if err != nil {
		tb.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	// Nothing may be loaded: the schema is self-contained.
	c.UseLoader(jsonschema.SchemeURLLoader{})
	if err := c.AddResource(model.PatchSchemaID, doc); err != nil {
		tb.Fatal(err)
	}
	compiled, err := c.Compile(model.PatchSchemaID)
	if err != nil {
		tb.Fatal(err)
	}
	return &oracle{compiled}
}

// judge returns both verdicts on a document and fails if they differ without being a listed
// difference.
func (o *oracle) judge(t *testing.T, what string, doc any) (ours, theirs bool) {
	t.Helper()
	src, ps := check(t, what, doc)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
	if err != nil {
		t.Fatalf("%s: %v in %.500s", what, err, src)
	}
	err = o.compiled.Validate(v)
	ours, theirs = len(ps) == 0, err == nil
	if ours != theirs && (ours || !covered(ps)) {
		t.Errorf("%s:\n ours   %v\n theirs %v\n of %.2000s", what, ps, err, src)
	}
	return ours, theirs
}

// check returns the text of a document and our problems with it.
func check(t *testing.T, what string, doc any) ([]byte, schema.Problems) {
	t.Helper()
	src := schema.Encode(doc)
	tree, ps := schema.Decode(src)
	if len(ps) > 0 {
		t.Fatalf("%s: %v in %.500s", what, ps, src)
	}
	return src, model.CheckPatch(tree)
}

// places returns where the oracle finds errors, as distinct pointers.
func (o *oracle) places(t *testing.T, doc any) []string {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.Encode(doc)))
	if err != nil {
		t.Fatal(err)
	}
	var fault *jsonschema.ValidationError
	if !errors.As(o.compiled.Validate(v), &fault) {
		t.Fatalf("no error in %s", schema.Encode(doc))
	}
	var places []string
	var leaves func(*jsonschema.ValidationError)
	leaves = func(f *jsonschema.ValidationError) {
		if at := "/" + strings.Join(f.InstanceLocation, "/"); len(f.Causes) == 0 && !slices.Contains(places, at) {
			places = append(places, at)
		}
		for _, c := range f.Causes {
			leaves(c)
		}
	}
	leaves(fault)
	return places
}

// covered reports whether all problems are listed differences.
func covered(ps schema.Problems) bool {
	for _, p := range ps {
		found := false
		for _, d := range differences {
			found = found || d.covers(p)
		}
		if !found {
			return false
		}
	}
	return true
}

// A difference that no longer exists must be removed from the list.
func TestOracleDifferences(t *testing.T) {
	o := newOracle(t)
	for _, d := range differences {
		for _, v := range d.met {
			if ours, theirs := o.judge(t, v, cardsWith(t, d.at, v)); ours || !theirs {
				t.Errorf("%q: ours %v, theirs %v; want a difference: %s", v, ours, theirs, d.reason)
			}
		}
	}
}

// cardsWith returns a document with one component, CARDS, and v at a place.
func cardsWith(t *testing.T, at string, v any) any {
	t.Helper()
	cards := parse(
		t,
		`{"nodes":[{"id":"a","type":"STEP","config":{"components":[{"id":"c","category":"FIELD","type":"CARDS","config":{"options":[
{"value":"v","label":"l","image_url":""}]}}]}}]}`,
	)
	doc, err := schema.Set(cards, path(t, at), v)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// The pattern for URLs is written by hand and must accept all that the
// format accepts. These URLs combine parts that are easy to get wrong.
func TestOracleAddresses(t *testing.T) {
	o := newOracle(t)
	g := generator{rand.New(rand.NewPCG(1, 2))}
	parts := []string{
		"https", "HTTPS", "http", "://", ":", "/", "//", "?", "#", "@", "[", "]", "[::1]", "[fe80::1%25en0]", "%", "%41", "%c3%a9", "%25", "a",
		"a.b", "é", "443", "u:p@", " ", "\n", "\x7f",
		"\\", "|", "\"", "<", "^", "{", "&", "=", "+", ",", ";", "'", "(", "*", "!", "$", "~", "_", "-",
	}
	accepted := 0
	for range 4 * oracleDocuments() / 10 {
		address := ""
		if g.chance(80) {
			address = "https://"
		}
		for range 1 + g.IntN(6) {
			address += pick(g, parts)
		}
		if ours, _ := o.judge(t, address, cardsWith(t, differences[0].at, address)); ours {
			accepted++
		}
	}
	if accepted < oracleDocuments()/20 {
		t.Errorf("got %d addresses that are good, want more for a proof", accepted)
	}
	t.Logf("%d good", accepted)
}

// Values on both sides of every rule of every row: here the checker, the oracle and the walk over
// the table must agree. The oracle takes most of the time: the small form asks it about every tenth value.
func TestOracleEdges(t *testing.T) {
	o := newOracle(t)
	count := map[bool]int{}
	edges(oracleTable(), func(e edge) {
		count[e.valid]++
		if (count[true]+count[false])%sizetest.Of(0, 10, 1) > 0 {
			if src, ps := check(t, e.what, e.value); (len(ps) == 0) != e.valid {
				t.Errorf("%s: problems %v, want valid %v of %.300s", e.what, ps, e.valid, src)
			}
			return
		}
		ours, theirs := o.judge(t, e.what, e.value)
		if ours != e.valid || theirs != e.valid {
			t.Errorf("%s: ours %v, theirs %v, want %v of %.300s", e.what, ours, theirs, e.valid, schema.Encode(e.value))
		}
	})
	// Fewer would mean that the walk no longer reaches every rule.
	if count[true] < 1500 || count[false] < 3000 {
		t.Errorf("got %d valid and %d invalid documents, want at least 1500 and 3000", count[true], count[false])
	}
	t.Logf("%d valid, %d invalid", count[true], count[false])
}

// oracleDocuments is how many random documents the oracle checks.
func oracleDocuments() int { return sizetest.Of(0, 500, 50_000) }

func TestOracle(t *testing.T) {
	o := newOracle(t)
	count := map[bool]int{}
	for seed := range uint64(oracleDocuments()) {
		doc, what, mutated := randomDocument(seed)
		ours, _ := o.judge(t, what, doc)
		if !ours && !mutated {
			t.Errorf("%s: no mutation, and not valid: %.500s", what, schema.Encode(doc))
		}
		count[ours]++
		if t.Failed() {
			t.FailNow()
		}
	}
	// A generator whose documents are nearly all refused, or all accepted, would prove little.
	if n := oracleDocuments(); count[true] < n/4 || count[false] < n/4 {
		t.Errorf("got %d valid and %d invalid documents, want a quarter of each", count[true], count[false])
	}
	t.Logf("%d valid, %d invalid", count[true], count[false])
}

func FuzzOracle(f *testing.F) {
	for _, seed := range []uint64{0, 1, 2, 3, 1 << 63} {
		f.Add(seed)
	}
	o := newOracle(f)
	f.Fuzz(func(t *testing.T, seed uint64) {
		doc, what, _ := randomDocument(seed)
		o.judge(t, what, doc)
	})
}
