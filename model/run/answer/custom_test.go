package answer

import "testing"

func TestCustomSchema(t *testing.T) {
	for _, c := range []struct {
		schema            string
		matches, mismatch []string
	}{
		{`{}`, []string{`1`, `{}`}, nil},
		{`{"type":"integer"}`, []string{`1`, `1.0`, `10e-1`}, []string{`1.5`, `"a"`, `true`}},
		{`{"type":"number"}`, []string{`1.5`, `1`}, []string{`"a"`}},
		{`{"type":["boolean","array"]}`, []string{`true`, `[]`}, []string{`1`, `{}`}},
		{`{"type":"object"}`, []string{`{}`}, []string{`[]`}},
		{`{"enum":[1,"a",{"b":[2]}]}`, []string{`1.0`, `"a"`, `{"b":[2]}`}, []string{`2`, `"A"`}},
		{`{"const":"a"}`, []string{`"a"`}, []string{`"b"`}},
		{`{"minimum":1,"maximum":2}`, []string{`1`, `2`, `"x"`}, []string{`0.9`, `2.1`}},
		{`{"exclusiveMinimum":1,"exclusiveMaximum":2}`, []string{`1.5`}, []string{`1`, `2`}},
		{`{"multipleOf":0.1}`, []string{`0.3`, `7`, `"x"`}, []string{`0.35`}},
		{`{"multipleOf":0}`, []string{`1`}, nil},
		{`{"minLength":2,"maxLength":3}`, []string{`"éé"`, `"éée"`, `1`}, []string{`"é"`, `"éééé"`}},
		{`{"minItems":1,"maxItems":2}`, []string{`[1]`, `[1,2]`, `{}`}, []string{`[]`, `[1,2,3]`}},
		{`{"uniqueItems":true}`, []string{`[1,2]`}, []string{`[1,1.0]`}},
		{`{"uniqueItems":false}`, []string{`[1,1]`}, nil},
		{`{"minProperties":1,"maxProperties":1}`, []string{`{"a":1}`}, []string{`{}`, `{"a":1,"b":2}`}},
		{`{"required":["a"]}`, []string{`{"a":null}`, `[]`}, []string{`{"b":1}`}},
		{`{"properties":{"a":{"type":"string"}},"additionalProperties":false}`, []string{`{"a":"x"}`, `{}`}, []string{`{"a":1}`, `{"b":1}`}},
		{`{"patternProperties":{"^b":{}},"additionalProperties":false}`, []string{`{"b":1}`}, nil},
		{`{"additionalProperties":{"type":"number"}}`, []string{`{"a":1}`}, []string{`{"a":"1"}`}},
		{`{"propertyNames":{"maxLength":1}}`, []string{`{"a":1}`}, []string{`{"ab":1}`}},
		{`{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}`, []string{`["a",1]`, `[]`}, []string{`[1]`, `["a","b"]`}},
		{`{"items":false}`, []string{`[]`}, []string{`[1]`}},
		{`{"contains":{"const":1}}`, []string{`[2,1]`}, []string{`[]`, `[2]`}},
		{`{"allOf":[{"minimum":1},{"maximum":2}]}`, []string{`1`}, []string{`0`, `3`}},
		{`{"anyOf":[{"const":1},{"const":2}]}`, []string{`1`, `2`}, []string{`3`}},
		{`{"oneOf":[{"minimum":1},{"maximum":2}]}`, []string{`0`, `3`}, []string{`1.5`}},
		{`{"not":{"type":"string"}}`, []string{`1`}, []string{`"a"`}},
		{`{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":2}}`, []string{`"ab"`, `2`}, []string{`"a"`, `1`}},
		{`{"$ref":"#/$defs/a~1b/0","$defs":{"a/b":[{"type":"number"}]}}`, []string{`1`}, []string{`"a"`}},
		{`{"$ref":"#/$defs/none"}`, []string{`1`}, nil},
		{`{"$ref":"https://example.com/schema"}`, []string{`1`}, nil},
		{`{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}`, []string{`{"a":{"a":{}}}`}, []string{`{"a":{"b":{}}}`}},
		{`{"allOf":[{"$ref":"#"}]}`, []string{`1`}, nil},
		{`{"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}`, []string{`1`}, nil},
		{`{"pattern":"^a","format":"email","unknown":1}`, []string{`"b"`}, nil},
	} {
		bound := value(t, c.schema)
		for _, given := range c.matches {
			if unlikeSchema(bound, value(t, given), nil) {
				t.Errorf("%s does not match %s", given, c.schema)
			}
		}
		for _, given := range c.mismatch {
			if !unlikeSchema(bound, value(t, given), nil) {
				t.Errorf("%s matches %s", given, c.schema)
			}
		}
	}
}
