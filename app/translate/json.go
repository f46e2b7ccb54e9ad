package translate

import (
	"fmt"

	"github.com/formgraph/formgraph/model/schema"
)

// jsonSpec is the rule for a file: an object of keys, each with its texts by language.
var jsonSpec = schema.Map{Value: schema.Map{Value: schema.String{}}}

// JSON returns the table as an object of keys, each an object with its texts by language: the source first, then the translations that
// there are. The error says that the file would be too large to read.
func (t *Table) JSON() ([]byte, error) {
	keys := make([]schema.Member, len(t.Rows))
	for i, r := range t.Rows {
		texts := append(make([]schema.Member, 0, 1+len(r.Cells)), schema.Member{Key: t.Source, Value: r.Text})
		for l, c := range r.Cells {
			if c.State != Missing {
				texts = append(texts, schema.Member{Key: t.Languages[l], Value: c.Text})
			}
		}
		keys[i] = schema.Member{Key: r.Key, Value: schema.NewObject(texts...)}
	}
	return sized(schema.EncodeIndent(schema.NewObject(keys...)), 2*schema.MaxBytes)
}

// ReadJSON reads what JSON wrote. Errors name the line, and the key if it is known.
func ReadJSON(src []byte) (*File, error) {
	tree, problems := schema.DecodeGrown(src)
	if len(problems) == 0 {
		problems = schema.Check(jsonSpec, tree)
		schema.Locate(src, problems)
	}
	if len(problems) > 0 {
		line, _ := schema.NewPositioner(src).Position(max(0, problems[0].Offset))
		return nil, fmt.Errorf("line %d: %w", line, problems[0])
	}
	f := &File{}
	o, _ := tree.(*schema.Object)
	for _, m := range o.Members() {
		item := Item{Key: m.Key, Where: "the key " + m.Key}
		texts, _ := m.Value.(*schema.Object)
		for _, tr := range texts.Members() {
			if text, _ := tr.Value.(string); text != "" {
				item.Translations = append(item.Translations, Translation{tr.Key, text})
			}
		}
		if err := f.add(item); err != nil {
			return nil, err
		}
	}
	return f, nil
}
