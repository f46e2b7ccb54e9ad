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
	leaves draft // the tenant's values after the request
	whole  bool  // the answer is the whole entry
}

// plan returns the requests that bring an entry from one draft to another, in order: the entry's own members first,
// then its sets. id is "" for an entry that is being created. Only differences are sent: changes by others in the
// meantime, and read-only values, stay untouched.
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

// tree returns a field's value in the form it has in a body.
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
				// Empty texts after the first are omitted: a scope needs no description.
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

// put sets the member at a dotted path, creating objects where needed.
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
	held := was // updated after each request, so that a failed one keeps the results of those before it
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

// body returns a body that lists items of a set.
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

// placed returns the problems of a refused request by the name of the control that each concerns (see control).
// Problems that concern no control are under "". Blank rows were not sent, so the server's indexes do not count
// them. If a control has several problems, the first is returned.
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
	// A set is a single control, and its requests concern nothing else. A problem of a member that the page does
	// not have concerns the whole entry.
	for name := range r.leaves {
		if f := s.field(name); f.set != nil {
			return name
		}
	}
	return ""
}
