package preview

// draw says how components of a kind are drawn: as a block, or as a field.
type draw struct {
	block func(f *field) *element
	field func(f *field) control
}

// draws has a row for each kind, in the order of the spec's tables.
var draws = map[string]draw{

	"CUSTOM":   {field: drawCustom},
	"DATE":     {field: drawDate},
	"EMAIL":    {field: drawEmail},
	"NUMBER":   {field: drawNumber},
	"PASSWORD": {field: drawPassword},
	"TEXT":     {field: drawText},
	"URL":      {field: drawURL},
}
