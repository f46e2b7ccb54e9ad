package rows

// TeamTable is a table of what is kept beside the forms of a tenant. Its rows have the column tenant.
type TeamTable struct {
	Name string
	Form string // the column with the ID of the form
	// Adopted means that the tenant was not stored once, see store.Teams.
	Adopted bool
}

// TeamTables returns the tables of what store.Team keeps. Presences are not among them, and entries go with their rooms.
func TeamTables() []TeamTable {
	return []TeamTable{
		{"versions", "form", true},
		{"rooms", "form", true},
		{"scenarios", "id", true},
		{"sources", "id", true},
		{"settings", "id", true},
		{"notes", "id", false},
		{"comments", "form", false},
		{"links", "form", false},
	}
}
