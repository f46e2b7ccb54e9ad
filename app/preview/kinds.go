package preview

// draw says how components of a kind are drawn: as a block, or as a field.
type draw struct {
	block func(f *field) *element
	field func(f *field) control
}

// draws has a row for each kind, in the order of the spec's tables.
var draws = map[string]draw{
	"DIVIDER":         {block: drawDivider},
	"HTML":            {block: drawHTML},
	"IMAGE":           {block: drawImage},
	"JUMP_BUTTON":     {block: drawJump},
	"RESEND_BUTTON":   {block: drawResend},
	"NEXT_BUTTON":     {block: drawNext},
	"PREVIOUS_BUTTON": {block: drawPrevious},
	"RICH_TEXT":       {block: drawRichText},

	"SERVICE_VERIFIABLE_CREDENTIALS": {field: drawCredential},
	"MAPS_ADDRESS":                   {field: drawAddress},
	"RECAPTCHA":                      {field: drawChallenge},

	"BOOLEAN":  {field: drawBoolean},
	"CARDS":    {field: drawCards},
	"CHOICE":   {field: drawChoice},
	"CUSTOM":   {field: drawCustom},
	"DATE":     {field: drawDate},
	"DROPDOWN": {field: drawDropdown},
	"EMAIL":    {field: drawEmail},
	"FILE":     {field: drawFile},
	"LEGAL":    {field: drawLegal},
	"NUMBER":   {field: drawNumber},
	"PASSWORD": {field: drawPassword},
	"PAYMENT":  {field: drawPayment},
	"SOCIAL":   {field: drawSocial},
	"TEL":      {field: drawTel},
	"TEXT":     {field: drawText},
	"URL":      {field: drawURL},
}
