package condition

import (
	"strings"

	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// maxShown bounds an operand in an explanation, in code points.
const maxShown = 80

// Fact is a judged comparison with the values that its operands had.
type Fact struct {
	Operator flow.Operator // only with a name if it is unknown
	Operands []Operand     // nil if the operator is unknown or a template has a mistake
	Verdict  Verdict
	Reason   string // why the verdict is Unknown, else ""
}

// Operand is an operand and its value. The first operand is the one on the left.
type Operand struct {
	Text     string // as the author wrote it, without braces, shortened
	Value    any    // a tree, which must not be changed
	Defined  bool   // whether it has a value, which may be null
	Template bool   // whether there is a template in it
}

// String returns the fact as a clause, as in "fields.age, 17, is less than 18" or "fields.age, 21, is not less than 18".
func (f Fact) String() string {
	if f.Verdict == Unknown {
		return f.Reason
	}
	words := f.Operator.Words
	if f.Verdict == False {
		words = f.Operator.Otherwise()
	}
	var b strings.Builder
	for i, o := range f.Operands {
		switch {
		case i > 1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteByte(' ')
		}
		b.WriteString(o.String())
		if i == 0 {
			if o.Template {
				b.WriteByte(',')
			}
			b.WriteByte(' ')
			b.WriteString(words)
		}
	}
	return b.String()
}

// String returns the operand, as in `fields.name, "Ann"`, `fields.age, undefined` or 18.
func (o Operand) String() string {
	value := "undefined"
	if o.Defined {
		value = schema.Shorten(string(schema.Encode(o.Value)), maxShown)
	}
	if o.Template {
		return o.Text + ", " + value
	}
	return value
}

// String returns the explanation in words, as in "fields.age, 17, is less than 18 and fields.country, "CH", is one of ["CH"]".
func (j Judgement) String() string {
	if len(j.Facts) == 0 {
		return j.Reason
	}
	clauses := make([]string, len(j.Facts))
	for i, f := range j.Facts {
		clauses[i] = f.String()
	}
	return strings.Join(clauses, " and ")
}
