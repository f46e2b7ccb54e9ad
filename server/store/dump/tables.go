package dump

import "slices"

// Schema is the version of Tables. Raise it with each change of them, so that a program that does not know a table refuses a backup that
// has it.
const Schema = 8

// Kind is the type of a column's values.
type Kind int

// The kinds, with the types of their values.
const (
	Text   Kind = iota // string
	Number             // int64; times are milliseconds since 1970
	Switch             // bool
	Bytes              // []byte
	Secret             // []byte, or nil for none
	List               // string: a JSON array of texts
	Map                // string: a JSON object of texts
)

// Column is a column of a Table.
type Column struct {
	Name string
	Kind Kind
	// Default is the value in rows of backups made before the column existed; nil if it existed from the beginning.
	Default any
}

// Table is a table that all engines have. The columns have the same names in each.
type Table struct {
	Name    string
	Columns []Column
	// Key are the columns that identify a row.
	Key []string
	// Counted tables number their rows in the column seq and use no number twice.
	Counted bool
}

// seq is the column of a Counted table with the number of the row.
const seq = "seq"

// Names returns the names of the columns.
func (t Table) Names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return names
}

// Index returns the place of a column, or -1.
func (t Table) Index(column string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == column })
}

// Tables returns all tables, those that others refer to first. What an engine derives from them, such as columns for searches, the
// counters of limits, messages, shared forms and presences are not among them. The caller owns the slice.
func Tables() []Table {
	return slices.Concat(documents(), applications(), people(), authorizations(), rest())
}

func columns(kind Kind, names ...string) []Column {
	out := make([]Column, len(names))
	for i, n := range names {
		out[i] = Column{Name: n, Kind: kind}
	}
	return out
}

func table(name string, key []string, parts ...[]Column) Table {
	t := Table{Name: name, Key: key, Columns: slices.Concat(parts...)}
	t.Counted = t.Index(seq) >= 0
	return t
}

func keys(names ...string) []string { return names }

func documents() []Table {
	document := func(name string, more ...Column) Table {
		return table(name, keys(seq), columns(Number, seq), columns(Text, "id", "name"), columns(Number, "created", "updated"),
			columns(Bytes, "body"), more)
	}
	// Without a tenant, what was kept beside a form is that of the embedded one, until a remote one adopts it.
	tenant := Column{"tenant", Text, ""}
	return []Table{
		document("forms"), document("flows"), document("scenarios", tenant), document("sources", tenant), document("settings", tenant),
		document("notes", tenant),
		table("versions", keys("tenant", "form", "number"), columns(Text, "form"), columns(Number, "number", "saved"),
			columns(Text, "author", "author_id", "summary", "note", "name"), columns(Bytes, "hash"), columns(Number, "base"),
			columns(Bytes, "body"), []Column{{"automatic", Switch, false}, {"changed", Bytes, []byte{}}, tenant}),
		table("comments", keys("tenant", "form", "id"), columns(Text, "tenant", "form", "id", "thread", "node", "component", "body", "author_id",
			"author"), columns(Number, "created", "edited"), columns(Text, "resolver_id", "resolver"), columns(Number, "resolved"), columns(Text, "mentions")),
		table("links", keys("id"), columns(Text, "id", "tenant", "form", "label"), columns(Number, "version"), columns(Text, "author_id", "author"),
			columns(Number, "created", "expires", "opened", "times")),
	}
}

func applications() []Table {
	return []Table{
		table("clients", keys("id"), columns(Text, "id", "name", "description", "app_type", "auth_method"), columns(Secret, "secret_hash"),
			columns(Switch, "public", "first_party", "global"), columns(List, "grant_types", "callbacks", "logout_urls"),
			columns(Number, "created", "secret_since"), columns(Text, "backchannel_uri"), columns(Switch, "require_pushed", "require_dpop"),
			columns(List, "allowed_origins", "web_origins")),
		table("apis", keys("id"), columns(Text, "id", "identifier", "name"), columns(List, "scopes"), columns(Map, "scope_texts"),
			columns(Text, "user_policy", "client_policy"), columns(Switch, "inactive")),
		table("client_grants", keys("id"), columns(Text, "id", "client_id", "api_id", "subject"), columns(List, "scopes")),
	}
}

func people() []Table {
	return []Table{
		table("users", keys("id"), columns(Text, "id", "email", "name", "password_hash"), columns(Number, "created"),
			columns(Switch, "blocked", "unverified")),
		table("permissions", keys("user_id", "api_id", "scope"), columns(Text, "user_id", "api_id", "scope")),
		table("roles", keys("id"), columns(Text, "id", "name", "description"), columns(Switch, "preset"), columns(Number, "created")),
		table("role_permissions", keys("role_id", "api_id", "scope"), columns(Text, "role_id", "api_id", "scope")),
		table("user_roles", keys("user_id", "role_id"), columns(Text, "user_id", "role_id")),
		table("tickets", keys("hash"), columns(Bytes, "hash"), columns(Text, "user_id"), columns(Number, "expires"), columns(Text, "issuer")),
		table("methods", keys(seq), columns(Number, seq), columns(Text, "id", "user_id", "type", "name"), columns(Secret, "key"),
			columns(Bytes, "data"), columns(Number, "count", "created", "used")),
	}
}

func authorizations() []Table {
	device := columns(Text, "issuer", "user_agent", "ip")
	return []Table{
		table("sign_ins", keys("hash"), columns(Bytes, "hash"), columns(Text, "id", "user_id"), columns(Number, "auth_time"),
			columns(List, "amr"), columns(Number, "expires"), device),
		table("families", keys("id"), columns(Text, "id", "client_id", "user_id", "sign_in_id"), columns(Number, "auth_time"),
			columns(Text, "acr"), columns(List, "amr"), columns(Text, "audience"), columns(List, "scope"), columns(Number, "expires"),
			columns(Switch, "revoked"), device),
		table("codes", keys("hash"), columns(Bytes, "hash"), columns(Text, "family_id", "redirect_uri", "challenge", "nonce", "dpop_key"),
			columns(Number, "expires", "uses")),
		table("refresh_tokens", keys("hash"), columns(Bytes, "hash"), columns(Text, "family_id", "dpop_key"), columns(Number, "expires"),
			columns(Switch, "used")),
		table("consents", keys("user_id", "client_id", "audience"), columns(Text, "id", "user_id", "client_id", "audience"),
			columns(List, "scope"), columns(Number, "given")),
		table("pushed_requests", keys("hash"), columns(Bytes, "hash"), columns(Text, "client_id", "query"), columns(Switch, "opened"),
			columns(Number, "expires"), columns(Text, "issuer")),
		table("auth_sessions", keys("hash"), columns(Bytes, "hash"), columns(Text, "purpose", "client_id", "user_id"),
			columns(Bytes, "data"), columns(Number, "expires"), columns(Text, "issuer")),
	}
}

func rest() []Table {
	return []Table{
		table("marks", keys("name"), columns(Text, "name", "value")),
		table("events", keys(seq), columns(Number, seq, "at"), columns(Text, "type", "user_id", "client_id", "address", "audience"),
			columns(List, "scope"), columns(Text, "description")),
		table("proofs", keys("id"), columns(Bytes, "id"), columns(Number, "ends")),
		table("sessions", keys("id"), columns(Bytes, "id", "data"), columns(Number, "version", "created", "seen"),
			columns(Text, "lease_owner"), columns(Number, "lease_until"), columns(Secret, "person", "sign_in")),
		table("audit", keys("at", "id"), columns(Number, "at"), columns(Text, "id", "source", "event", "issuer", "subject", "email", "client_id",
			"object", "object_id", "detail", "before", "after", "outcome"), columns(Number, "status"), columns(Text, "request_id", "address")),
	}
}
