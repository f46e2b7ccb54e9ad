package template_test

import (
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/run/template/hash"
	"github.com/formgraph/formgraph/model/schema"
)

const undefined = "undefined"

// values are what the expressions of the tests read.
const values = `{
"fields":{"name":"Ann","age":17,"empty":"","phone":{"number":"+41"},"list":["a","b",3],"zero":0,"yes":true,"nothing":null,"deep":{"list":[{"k":1}]},
 "big":"` + bigMark + `","obj":{"a":1,"b":2}},
"vars":{"id":"7","fields":{"x":"inner"}},
"remaining_seconds":9}`

const bigMark = "BIG"

// testEnv returns an environment with the values, a clock that stands still, and no randomness.
func testEnv(tb testing.TB) *template.Env {
	tb.Helper()
	text := strings.Replace(values, bigMark, strings.Repeat("a", 2000), 1)
	tree, problems := schema.Decode([]byte(text))
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	return &template.Env{
		Lookup: func(namespace string, path schema.Path) (any, bool) {
			v, ok := tree.(*schema.Object).Get(namespace)
			if !ok {
				return nil, false
			}
			return template.At(v, path)
		},
		Translate: func(key string) (string, bool) { return "message " + key, key != "gone" },
		Now:       func() time.Time { return time.Date(2021, 4, 30, 12, 31, 28, 576_900_000, time.FixedZone("", 2*3600)) },
		Random:    func() float64 { return 0.6 },
		UUID:      func() string { return "36b8f84d-df4e-4d49-b662-bcde71a87640" },
		Hash:      hash.Hex,
	}
}

// evaluated returns the value of an expression as JSON, or undefined. The expression must not have a mistake.
func evaluated(t *testing.T, env *template.Env, expression string) string {
	t.Helper()
	parsed, errs := template.Parse("{{" + expression + "}}")
	if len(errs) > 0 {
		t.Fatalf("{{%s}}: %v", expression, errs)
	}
	v, ok := parsed.Value(env)
	if !ok {
		return undefined
	}
	return string(schema.Encode(v))
}

// The rows marked with an asterisk are the examples of the public documentation.
var functionTests = []struct{ expression, want string }{
	{"functions.toArray('abc')", `["abc"]`}, // *
	{"functions.toArray(fields.list)", `["a","b",3]`},
	{"functions.toArray(fields.obj)", `[{"a":1,"b":2}]`},
	{"functions.toArray(null)", `[null]`},
	{"functions.toArray(fields.gone)", `[]`},

	{"functions.toBoolean(1)", "true"},  // *
	{"functions.toBoolean(0)", "false"}, // *
	{"functions.toBoolean(-0.0)", "false"},
	{"functions.toBoolean('')", "false"},
	{"functions.toBoolean('0')", "false"},
	{"functions.toBoolean('false')", "false"},
	{"functions.toBoolean('False')", "true"},
	{"functions.toBoolean(' ')", "true"},
	{"functions.toBoolean(null)", "false"},
	{"functions.toBoolean(fields.gone)", "false"},
	{"functions.toBoolean(true)", "true"},
	{"functions.toBoolean([])", "true"},
	{"functions.toBoolean(fields.obj)", "true"},

	{"functions.length('auth0')", "5"}, // *
	{"functions.length('')", "0"},
	{"functions.length('aé😀')", "3"},
	{"functions.length(fields.list)", "3"},
	{"functions.length(fields.obj)", "2"},
	{"functions.length(12)", undefined},
	{"functions.length(true)", undefined},
	{"functions.length(null)", undefined},
	{"functions.length(fields.gone)", undefined},

	{"functions.mask('my_awesome_secret')", `"███"`}, // *
	{"functions.mask(null)", `"███"`},
	{"functions.mask(fields.gone)", undefined},

	{"functions.toNumber('123')", "123"}, // *
	{"functions.toNumber(' 1.50 ')", "1.50"},
	{"functions.toNumber('+1')", "1"},
	{"functions.toNumber('.5')", "0.5"},
	{"functions.toNumber('007')", "7"},
	{"functions.toNumber('0x1F')", "31"},
	{"functions.toNumber('1e400')", "1e400"},
	{"functions.toNumber('+1e400')", undefined},
	{"functions.toNumber('')", "0"},
	{"functions.toNumber(null)", "0"},
	{"functions.toNumber(true)", "1"},
	{"functions.toNumber(false)", "0"},
	{"functions.toNumber(2.0)", "2.0"},
	{"functions.toNumber('abc')", undefined},
	{"functions.toNumber('1_000')", undefined},
	{"functions.toNumber('Infinity')", undefined},
	{"functions.toNumber('e')", undefined},
	{"functions.toNumber(['1'])", undefined},
	{"functions.toNumber(fields.obj)", undefined},
	{"functions.toNumber(fields.gone)", undefined},

	{"functions.random(0, 6)", "4"}, // *
	{"functions.random(6, 0)", "4"},
	{"functions.random(3, 3)", "3"},
	{"functions.random('0', '6', false)", "4"},
	{"functions.random(0.5, 2.5)", "2"},
	{"functions.random(0.1, 0.2)", undefined},
	{"functions.random(0, 6, true)", "3.5999999999999996"}, // *
	{"functions.random(0, 'x')", undefined},
	{"functions.random(fields.gone, 1)", undefined},
	{"functions.random(0, 1e400)", undefined},

	{"functions.slice( 'example', 3, 5)", `"mp"`}, // *
	{"functions.slice('example', -3)", `"ple"`},
	{"functions.slice('example', -3, -1)", `"pl"`},
	{"functions.slice('example', 5, 3)", `""`},
	{"functions.slice('example', -99, 99)", `"example"`},
	{"functions.slice('aé😀b', 1, 3)", `"é😀"`},
	{"functions.slice(fields.list, 1)", `["b",3]`},
	{"functions.slice(fields.list, 1, 2)", `["b"]`},
	{"functions.slice(12345, 1, 3.9)", `"23"`},
	{"functions.slice('abc', 'x')", undefined},
	{"functions.slice('abc', 1e99)", `""`},
	{"functions.slice(fields.obj, 1)", undefined},
	{"functions.slice(null, 1)", undefined},
	{"functions.slice(fields.gone, 0, 1)", undefined},
	{"functions.slice('abc', fields.gone, 1)", `"a"`},

	{"functions.toString(123)", `"123"`}, // *
	{"functions.toString(1.50)", `"1.50"`},
	{"functions.toString(true)", `"true"`},
	{"functions.toString(fields.list)", `"a,b,3"`},
	{"functions.toString(fields.obj)", `"{\"a\":1,\"b\":2}"`},
	{"functions.toString(null)", `""`},
	{"functions.toString(fields.gone)", `""`},

	{"functions.substring( 'example', 3, 5)", `"mp"`}, // *
	{"functions.substring('example', 5, 3)", `"mp"`},
	{"functions.substring('example', -2, 2)", `"ex"`},
	{"functions.substring('example', 3)", `"mple"`},
	{"functions.substring('aé😀b', 1, 3)", `"é😀"`},
	{"functions.substring(fields.list, 1)", undefined},
	{"functions.substring('a', fields.obj)", undefined},
	{"functions.substring(fields.gone, 1)", undefined},

	{"functions.toTimestamp()", "1619778688"},
	{"functions.toTimestamp('2021-04-30T10:02:50.876Z')", "1619776970"}, // *
	{"functions.toTimestamp('2021-04-30T12:02:50.876+02:00')", "1619776970"},
	{"functions.toTimestamp('2021-04-30T10:02:50')", "1619776970"},
	{"functions.toTimestamp('2021-04-30')", "1619740800"},
	{"functions.toTimestamp('1969-12-31T23:59:59.5Z')", "-1"},
	{"functions.toTimestamp(1619776970876)", "1619776970"},
	{"functions.toTimestamp('30.4.2021')", undefined},
	{"functions.toTimestamp('2021-02-30')", undefined},
	{"functions.toTimestamp(true)", undefined},
	{"functions.toTimestamp(fields.gone)", undefined},

	{"functions.toLowerCase('AbÉ')", `"abé"`},
	{"functions.toLowerCase(true)", `"true"`},
	{"functions.toLowerCase(fields.list)", undefined},
	{"functions.toLowerCase(fields.gone)", undefined},
	{"functions.toUpperCase('Abé')", `"ABÉ"`},
	{"functions.toUpperCase(12)", `"12"`},
	{"functions.toUpperCase(null)", undefined},

	{"functions.replaceAll('2021-04-30', '-', '/')", `"2021/04/30"`}, // *
	{"functions.replaceAll('aaa', 'aa', 'b')", `"ba"`},
	{"functions.replaceAll('ab', '', '-')", `"-a-b-"`},
	{"functions.replaceAll('a.b', '.', '$&')", `"a$&b"`},
	{"functions.replaceAll('a1', 1, 2)", `"a2"`},
	{"functions.replaceAll(fields.big, 'a', fields.big)", undefined},
	{"functions.replaceAll('a', fields.list, 'b')", undefined},
	{"functions.replaceAll('a', 'a', fields.gone)", undefined},

	{"functions.replace('2021-04-30', '-', '/')", `"2021/04-30"`}, // *
	{"functions.replace('abc', '', '-')", `"-abc"`},
	{"functions.replace('abc', 'x', '-')", `"abc"`},
	{"functions.replace(null, 'x', '-')", undefined},
	{"functions.replace('a', fields.gone, '-')", undefined},

	{"functions.split('2021-04-30', '-')", `["2021","04","30"]`}, // *
	{"functions.split('2021-04-30', '-', 2)", `["2021","04"]`},
	{"functions.split('2021-04-30', '-', 0)", `[]`},
	{"functions.split('aé😀', '')", `["a","é","😀"]`},
	{"functions.split('', '')", `[]`},
	{"functions.split('', '-')", `[""]`},
	{"functions.split(121, 2)", `["1","1"]`},
	{"functions.split('a', '-', -1)", undefined},
	{"functions.split(fields.list, '-')", undefined},
	{"functions.split('a', fields.gone)", undefined},

	{"functions.now()", `"2021-04-30T10:31:28.576Z"`}, // *

	{"functions.includes(['auth0', 'identity', 'authentication'], 'identity')", "true"}, // *
	{"functions.includes(fields.list, 'b', 1)", "true"},
	{"functions.includes(fields.list, 'b', 2)", "false"},
	{"functions.includes(fields.list, 'b', -1)", "false"},
	{"functions.includes(fields.list, 3.0)", "true"},
	{"functions.includes(fields.list, '3')", "false"},
	{"functions.includes(fields.list, 'A')", "false"},
	{"functions.includes(fields.list, fields.gone)", "false"},
	{"functions.includes('abc', 'bc')", "true"},
	{"functions.includes('abc', '')", "true"},
	{"functions.includes(fields.obj, 1)", undefined},
	{"functions.includes(fields.gone, 1)", undefined},

	{"functions.indexOf(['auth0', 'identity', 'authentication'], 'identity')", "1"}, // *
	{"functions.indexOf(['a', 'b', 'a'], 'a', 1)", "2"},
	{"functions.indexOf(['a', 'b', 'a'], 'a', -1)", "2"},
	{"functions.indexOf(['a'], 'a', -9)", "0"},
	{"functions.indexOf(['a'], 'a', 1)", "-1"},
	{"functions.indexOf([['a']], ['a'])", "0"},
	{"functions.indexOf('é😀x', 'x')", "2"},
	{"functions.indexOf('xx', 'x', 1)", "1"},
	{"functions.indexOf('xx', 'x', 9)", "-1"},
	{"functions.indexOf('xx', 'x', -9)", "0"},
	{"functions.indexOf('xx', 'x', 'y')", undefined},
	{"functions.indexOf(['a'], 'a', 'y')", undefined},
	{"functions.indexOf(null, 'x')", undefined},
	{"functions.indexOf(fields.gone, 'x')", undefined},

	{"functions.merge(['auth0', 'identity'], ['authentication'])", `["auth0","identity","authentication"]`}, // *
	{"functions.merge(['a'], 'b')", `["a","b"]`},
	{"functions.merge(['a'], fields.gone)", `["a"]`},
	{"functions.merge(fields.obj, fields.deep.list[0])", `{"a":1,"b":2,"k":1}`},
	{"functions.merge(fields.obj, fields.obj)", `{"a":1,"b":2}`},
	{"functions.merge('a', 1)", `"a1"`},
	{"functions.merge('a', ['b','c'])", `"ab,c"`},
	{"functions.merge(fields.obj, 'a')", undefined},
	{"functions.merge(1, 2)", undefined},
	{"functions.merge(null, 'a')", undefined},
	{"functions.merge(fields.gone, ['a'])", undefined},

	// The beginnings are those of the public documentation.
	{"functions.slice(functions.md5('auth0'), 0, 7)", `"7bbb597"`},        // *
	{"functions.slice(functions.sha1('auth0'), 0, 8)", `"b4ec5339"`},      // *
	{"functions.slice(functions.sha256('auth0'), 0, 8)", `"d9082bdc"`},    // *
	{"functions.slice(functions.sha512('auth0'), 0, 10)", `"c0d588069d"`}, // *
	{"functions.length(functions.md5(''))", "32"},
	{"functions.length(functions.sha1(1))", "40"},
	{"functions.length(functions.sha256(true))", "64"},
	{"functions.length(functions.sha512('é'))", "128"},
	{"functions.md5(null)", undefined},
	{"functions.sha1(fields.gone)", undefined},
	{"functions.sha256(fields.list)", undefined},
	{"functions.sha512(fields.obj)", undefined},

	{"functions.uuid()", `"36b8f84d-df4e-4d49-b662-bcde71a87640"`},
}

func TestFunctions(t *testing.T) {
	env := testEnv(t)
	for _, tt := range functionTests {
		if got := evaluated(t, env, tt.expression); got != tt.want {
			t.Errorf("{{%s}}: got %s, want %s", tt.expression, got, tt.want)
		}
	}
}

// Every function has a complete row, and a test.
func TestFunctionTable(t *testing.T) {
	const want = "toArray toBoolean length mask toNumber random slice toString substring toTimestamp toLowerCase toUpperCase " +
		"replaceAll replace split now includes indexOf merge md5 sha1 sha256 sha512 uuid"
	var names []string
	for _, f := range template.Functions {
		names = append(names, f.Name)
		if !strings.HasSuffix(f.Doc, ".") || len(f.Parameters) > 3 {
			t.Errorf("bad row %s", f.Signature())
		}
		tested := false
		for _, tt := range functionTests {
			tested = tested || strings.Contains(tt.expression, "functions."+f.Name+"(")
		}
		if !tested {
			t.Errorf("%s has no test", f.Name)
		}
		if got, ok := template.FunctionOf(f.Name); !ok || got.Name != f.Name {
			t.Errorf("FunctionOf(%q) = %v, %v", f.Name, got.Name, ok)
		}
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if f, _ := template.FunctionOf("slice"); f.Signature() != "slice(value, start, end?)" {
		t.Errorf("got %s", f.Signature())
	}
}

// Without a clock, a source of randomness and so on, what needs one is undefined.
func TestFunctionsWithoutEnvironment(t *testing.T) {
	for _, expression := range []string{
		"functions.now()", "functions.toTimestamp()", "functions.random(0,1)", "functions.uuid()", "t('x')", "fields.x", "remaining_seconds",
	} {
		if got := evaluated(t, &template.Env{}, expression); got != undefined {
			t.Errorf("{{%s}}: got %s", expression, got)
		}
	}
}

// Both bounds of random are included.
func TestRandomBounds(t *testing.T) {
	env := testEnv(t)
	for r, want := range map[float64]string{0: "1 1", 0.49: "1 1.49", 0.5: "2 1.5", 0.999_999_999: "2 1.999999999"} {
		env.Random = func() float64 { return r }
		parsed, _ := template.Parse("{{functions.random(1,2)}} {{functions.random(1,2,true)}}")
		if got := parsed.Text(env); got != want {
			t.Errorf("%v: got %s, want %s", r, got, want)
		}
	}
}
