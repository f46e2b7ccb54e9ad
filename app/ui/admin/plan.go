package admin

import (
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

// root is the path of the administration on the server; see server/API.md.
const root = "/bff/api/admin/"

// ownID is a placeholder in a request's path for the id of an entry that the plan's first request creates.
const ownID = "{id}"

// request is one call of a plan.
type request struct {
	method string
	path   string // below /bff/api/admin/
	body   *schema.Object
	leaves draft // what the tenant holds once it is done
	whole  bool  // it answers the whole entry
}

// plan returns the requests that bring an entry from one draft to another, in their order: the entry's own
// members first, then its sets. id is "" for an entry that is being created. Only what differs is sent: what others
// changed meanwhile, and what the tenant does not let change, stays as it is.
func (s *section) plan(id string, was, now draft) []request {
	var out []request
	main := request{method: "PATCH", path: s.path + "/" + id, leaves: draft{}, whole: true}
	if id == "" {
		main.method, main.path = "POST", s.path
	}
	body := schema.NewObject()
	for i := range s.fields {
		f := &s.fields[i]
		v := now[f.path]
		send := f.changed() && !f.same(was[f.path], v)
		if id == "" {
			send = f.made() && (f.must || !f.same("", v))
		}
		if !send || f.set != nil {
			continue
		}
		body = put(body, f.path, f.tree(v))
		main.leaves[f.path] = v
	}
	if id == "" || body.Len() > 0 {
		main.body = body
		out = append(out, main)
	}
	for i := range s.fields {
		if f := &s.fields[i]; f.set != nil {
			out = append(out, s.setPlan(f, id, was[f.path], now[f.path])...)
		}
	}
	return out
}

// tree returns a field's value as a body holds it.
func (f *field) tree(v string) any {
	list := []any{}
	switch f.kind {
	case flagField:
		return v == "true"
	case checksField:
		for _, key := range items(v) {
			list = append(list, key)
		}
		return list
	case rowsField:
		rows, _ := f.written(v)
		for _, row := range rows {
			if len(f.columns) == 0 {
				list = append(list, strings.TrimSpace(row))
				continue
			}
			var members []schema.Member
			for i, text := range parts(row) {
				// Empty texts behind the first are omitted: a scope needs no description.
				if text = strings.TrimSpace(text); text != "" || i == 0 {
					members = append(members, schema.Member{Key: f.columns[i].member, Value: text})
				}
			}
			list = append(list, schema.NewObject(members...))
		}
		return list
	case textField:
		return strings.TrimSpace(v)
	default:
		return v
	}
}

// put sets a member at a path with dots, making the objects on its way.
func put(o *schema.Object, path string, v any) *schema.Object {
	first, rest, deep := strings.Cut(path, ".")
	if !deep {
		return o.With(first, v)
	}
	inner := o.Object(first)
	if inner == nil {
		inner = schema.NewObject()
	}
	return o.With(first, put(inner, rest, v))
}

// setPlan returns the requests that add items to a set and remove items from it.
func (s *section) setPlan(f *field, id, was, now string) []request {
	if id == "" {
		id = ownID
	}
	path := s.path + "/" + id + "/" + f.path
	missing := func(from, in string) []string {
		return slices.DeleteFunc(items(from), func(key string) bool { return slices.Contains(items(in), key) })
	}
	var out []request
	held := was // after each request, so that one that fails leaves what those before it did
	if add := missing(now, was); len(add) > 0 {
		held = listOf(append(items(held), add...))
		out = append(out, request{method: "POST", path: path, body: f.set.body(add), leaves: draft{f.path: held}})
	}
	take := missing(was, now)
	switch {
	case len(take) == 0:
	case f.set.takeFrom == "":
		out = append(out, request{method: "DELETE", path: path, body: f.set.body(take), leaves: draft{f.path: now}})
	default:
		for _, key := range take {
			held = toggled(held, key, false)
			body := schema.NewObject(schema.Member{Key: f.set.takeMember, Value: []any{id}})
			out = append(out, request{
				method: "DELETE", path: f.set.takeFrom + "/" + key + "/" + f.set.takeWord, body: body,
				leaves: draft{f.path: held},
			})
		}
	}
	return out
}

// body names items of a set.
func (t *set) body(keys []string) *schema.Object {
	list := []any{}
	for _, key := range keys {
		if len(t.keys) == 1 {
			list = append(list, key)
			continue
		}
		var members []schema.Member
		for i, text := range parts(key) {
			members = append(members, schema.Member{Key: t.keys[i], Value: text})
		}
		list = append(list, schema.NewObject(members...))
	}
	return schema.NewObject(schema.Member{Key: t.member, Value: list})
}

// placed returns the problems of a refused request by the names of the controls they are about, see control; those
// about none of them are under "". Blank rows were not sent, so the server's indexes do not count them. Of several
// problems of one control the first is shown.
func (s *section) placed(r request, sent draft, problems []client.Problem) map[string]string {
	out := map[string]string{}
	for _, p := range problems {
		name := s.controlFor(r, sent, p.Path)
		if out[name] == "" {
			out[name] = p.Detail
		}
	}
	return out
}

func (s *section) controlFor(r request, sent draft, path string) string {
	for i := range s.fields {
		f := &s.fields[i]
		rest, found := strings.CutPrefix(path, f.path)
		if _, sent := r.leaves[f.path]; !sent || !found || f.set != nil || rest != "" && rest[0] != '[' && rest[0] != '.' {
			continue
		}
		if f.kind != rowsField || rest == "" {
			return f.path
		}
		number, member, _ := strings.Cut(rest[1:], "]")
		n, err := strconv.Atoi(number)
		_, at := f.written(sent[f.path])
		if err != nil || n >= len(at) || n < 0 {
			return f.path
		}
		column := max(0, slices.IndexFunc(f.columns, func(c rowColumn) bool { return "."+c.member == member }))
		return f.control(at[n], column)
	}
	// A set is one control, and its request is about nothing else. A member that the page does not have is
	// about the whole entry.
	for name := range r.leaves {
		if f := s.field(name); f.set != nil {
			return name
		}
	}
	return ""
}
