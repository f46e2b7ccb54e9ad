package model

import "github.com/formgraph/formgraph/model/schema"

// privacy is the section of the inspector about what happens to an answer.
const privacy = "Privacy"

// IsStyle reports whether a property of a component or of its config is a part of how the component looks and behaves, and can be copied to
// another one. These are switches, choices, numbers and colors, and lists and groups of them. All else is content: texts, options, values of
// answers, addresses, code, credentials, pointers, and whether the answer is kept.
func IsStyle(r schema.Row) bool { return !IsAnswer(r.Name) && r.Section != privacy && styles(r.Spec) }

func styles(s schema.Spec) bool {
	switch s := s.(type) {
	case schema.Bool, schema.True, schema.Enum, schema.Numeric:
		return true
	case schema.String:
		return s.Role == schema.Color || s.Format == fileExtension
	case schema.List:
		return styles(s.Item)
	case schema.Table:
		for i := range s {
			if !IsStyle(s[i]) {
				return false
			}
		}
		return len(s) > 0
	default: // anything may be in it
	}
	return false
}

// StyleRows returns the rows of style of a kind's component and of its config; see IsStyle.
func (k *Kind) StyleRows() (own, config schema.Table) {
	for _, r := range k.Table() {
		if r.Name != "category" && r.Name != "type" && r.Name != "config" && IsStyle(r) {
			own = append(own, r)
		}
	}
	for _, r := range k.Config {
		if IsStyle(r) {
			config = append(config, r)
		}
	}
	return own, config
}
