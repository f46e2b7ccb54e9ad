package model

import "github.com/formgraph/formgraph/model/schema"

// Public returns the form without what only its authors may see: of each component, the properties of its config that may hold a secret, and
// those that the tables do not know. The config of a component of an unknown kind is left out.
func (f *Form) Public() *Form {
	list := f.tree.List("nodes")
	nodes := make([]any, len(list))
	for i, v := range list {
		nodes[i] = v
		node, _ := v.(*schema.Object)
		config := node.Object("config")
		value, _ := config.Get("components")
		parts, ok := value.([]any)
		if node == nil || config == nil || !ok {
			continue
		}
		public := make([]any, len(parts))
		for j, v := range parts {
			public[j] = v
			if c, ok := v.(*schema.Object); ok && c.Has("config") {
				public[j] = c.With("config", publicConfig(KindOf(c.Text("type")), c.Object("config")))
			}
		}
		nodes[i] = node.With("config", config.With("components", public))
	}
	if list == nil {
		return f
	}
	return FromTree(f.tree.With("nodes", nodes))
}

// publicConfig returns the properties of a config that are known and hold no secret.
func publicConfig(k *Kind, config *schema.Object) *schema.Object {
	var members []schema.Member
	if k != nil {
		for _, m := range config.Members() {
			for _, row := range k.Config {
				if row.Name == m.Key && !schema.HoldsSecret(row.Spec) {
					members = append(members, m)
				}
			}
		}
	}
	return schema.NewObject(members...)
}
