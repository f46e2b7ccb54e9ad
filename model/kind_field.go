package model

import "github.com/formgraph/formgraph/model/schema"

// options is the list of CHOICE and DROPDOWN.
var options = schema.List{Item: schema.Table{
	{Name: "value", Spec: schema.String{Min: 1}, Required: true},
	{Name: "label", Spec: schema.String{Min: 1}, Required: true},
}}

var (
	placeholder = schema.Row{Name: "placeholder", Spec: schema.String{Min: 1, Max: 500, Role: schema.Caption}}
	minLength   = schema.Row{Name: "min_length", Spec: schema.Numeric{Min: "1", Integer: true}, Doc: "In characters."}
	maxLength   = schema.Row{Name: "max_length", Spec: schema.Numeric{Min: "1", Integer: true}, Doc: "In characters."}
	// defaultOption is the value of one option, or a list of values if people may choose several.
	defaultOption = schema.Row{Name: "default_value", Spec: schema.Any{Options: "options"}}
	multiple      = schema.Row{Name: "multiple", Label: "Several answers", Spec: schema.Bool{}, Doc: "People may choose more than one."}
)

// allowedFiles is the section of the limits of a FILE.
const allowedFiles = "What people may send"

func twoOptions() []any {
	return []any{obj("value", "option_1", "label", "Option 1"), obj("value", "option_2", "label", "Option 2")}
}

// fields are the kinds of category FIELD.
var fields = []Kind{
	{
		Category: Field, Type: "BOOLEAN", Rank: 8, Label: "Yes/no", Term: "Boolean", Question: Untitled, Icon: "check",
		Keywords: "checkbox switch toggle yes no", ConfigRequired: true, Doc: "Yes or no.",
		Config: schema.Table{
			{Name: "default_value", Spec: schema.Bool{}},
			{Name: "options", Spec: schema.Table{
				{Name: "true", Label: "Text for true", Spec: schema.String{Min: 1, Max: 50}},
				{Name: "false", Label: "Text for false", Spec: schema.String{Min: 1, Max: 50}},
			}},
		},
		Default: obj("options", obj("true", "Yes", "false", "No")),
	},
	{
		Category: Field, Type: "CARDS", Rank: 7, Label: "Cards", Question: Untitled, Icon: "cards",
		Keywords: "tiles pictures select radio", Doc: "A choice between pictures.",
		Config: schema.Table{
			{Name: "hide_labels", Label: "Pictures without labels", Spec: schema.Bool{}},
			multiple,
			{Name: "options", Noun: "option", Spec: schema.List{Item: schema.Table{
				{Name: "value", Spec: schema.String{Min: 1}, Required: true},
				{Name: "label", Spec: schema.String{Min: 1}, Required: true},
				{Name: "image_url", Label: "Image URL", Spec: schema.String{Format: urlHTTPS}, Required: true},
			}}},
			defaultOption,
		},
		Default: obj("options", []any{}),
	},
	{
		Category: Field, Type: "CHOICE", Rank: 5, Label: "Choice", Question: Untitled, Icon: "choice",
		Keywords: "radio checkbox select options multiple", Doc: "One or several of a few options, all visible.",
		Config: schema.Table{
			multiple,
			{Name: "options", Noun: "option", Spec: options},
			{Name: "allow_other", Spec: schema.Table{
				{Name: "enabled", Spec: schema.True{}},
				{Name: "label", Spec: schema.String{Min: 1}},
				{Name: "placeholder", Spec: schema.String{Min: 1}},
			}, Doc: "Lets people enter their own answer."},
			defaultOption,
		},
		Default: obj("options", twoOptions()),
	},
	{
		Category: Field, Type: "CUSTOM", Rank: 16, Label: "Custom field", Question: Untitled, Icon: "code",
		Keywords: "script code", ConfigRequired: true, Exit: OwnExit, Doc: "A field with your own code.",
		Config: schema.Table{
			{Name: "schema", Spec: schema.Open{}, Required: true, Doc: "JSON Schema of the answer."},
			{Name: "code", Spec: schema.String{Min: 1, Multiline: true, Code: schema.JavaScript}, Required: true, Doc: "JavaScript; never run in the editor."},
			{Name: "css", Label: "CSS", Spec: schema.String{Min: 1, Multiline: true, Code: schema.CSS}},
			{Name: "params", Label: "Parameters", Noun: "parameter", Spec: schema.Map{Value: schema.String{}}},
		},
		Default: obj("schema", obj("type", "string"), "code", "function customField() {\n  return {};\n}"),
	},
	{
		Category: Field, Type: "DATE", Rank: 9, Label: "Date", Question: "Date", Icon: "date",
		Keywords: "time calendar birthday", ConfigRequired: true, Doc: "A date or a time.",
		Config: schema.Table{
			{Name: "format", Label: "Asks for", Spec: schema.Enum{"DATE", "TIME"}, Words: []string{"A date", "A time"}},
			{Name: "default_value", Spec: schema.String{}},
		},
		Default: obj("format", "DATE"),
	},
	{
		Category: Field, Type: "DROPDOWN", Rank: 6, Label: "Dropdown", Question: Untitled, Icon: "dropdown",
		Keywords: "select list options menu", Doc: "One or several of many options.",
		Config: schema.Table{
			multiple,
			{Name: "options", Noun: "option", Spec: options},
			defaultOption,
			placeholder,
		},
		Default: obj("options", twoOptions()),
	},
	{
		Category: Field, Type: "EMAIL", Rank: 2, Label: "Email", Question: "Email address", Icon: "mail",
		Keywords: "e-mail mail address", Doc: "An e-mail address.",
		Config: schema.Table{
			{Name: "default_value", Spec: schema.String{Min: 1}},
			placeholder,
		},
	},
	{
		Category: Field, Type: "FILE", Rank: 11, Label: "File", Question: "File to upload", Icon: "file",
		Keywords: "upload attachment document", Doc: "Files to upload.",
		Config: schema.Table{
			{Name: "multiple", Label: "Several files", Spec: schema.Bool{}},
			{Name: "storage", Spec: schema.Open{Rows: schema.Table{
				{
					Name: "type", Label: "Files are", Spec: schema.Enum{"MANAGED", "CUSTOM"}, Required: true,
					Words: []string{"Kept with the answers", "Sent to your own storage"},
				},
			}}},
			{
				Name: "categories", Label: "Kinds of files", Noun: "category", Section: allowedFiles, Doc: "Any kind if none is chosen.",
				Spec:  schema.List{Item: schema.Enum{"AUDIO", "VIDEO", "IMAGE", "DOCUMENT", "ARCHIVE"}},
				Words: []string{"Audio", "Video", "Images", "Documents", "Archives"},
			},
			{
				Name: "extensions", Noun: "extension", Section: allowedFiles, Doc: "Any extension of these kinds if the list is empty.",
				Spec: schema.List{Item: schema.String{Max: 50, Format: fileExtension}},
			},
			{
				Name: "maxSize", Label: "Largest file", Section: allowedFiles, Spec: schema.Numeric{Min: "1024", Integer: true}, Doc: "In bytes.",
			},
			{Name: "maxFiles", Label: "Files at most", Section: allowedFiles, Spec: schema.Numeric{Min: "1", Integer: true}},
		},
		Default: obj("storage", obj("type", "MANAGED")),
	},
	{
		Category: Field, Type: "LEGAL", Rank: 12, Label: "Terms", Term: "Legal", Question: "Terms and conditions", Icon: "legal",
		Keywords: "consent agreement privacy checkbox", Doc: "Terms to accept.",
		Config: schema.Table{
			{Name: "text", Spec: schema.String{Min: 1, Max: 10000, Multiline: true, Code: schema.RichText, Role: schema.Caption}},
		},
		Default: obj("text", "<p>I accept the terms.</p>"),
	},
	{
		Category: Field, Type: "NUMBER", Rank: 4, Label: "Number", Question: Untitled, Icon: "number",
		Keywords: "integer amount quantity", Doc: "A number.",
		Config: schema.Table{
			{Name: "default_value", Spec: schema.Numeric{}},
			placeholder,
			{Name: "min_value", Spec: schema.Numeric{}},
			{Name: "max_value", Spec: schema.Numeric{}},
		},
	},
	{
		Category: Field, Type: "PASSWORD", Rank: 10, Label: "Password", Question: "Password", Icon: "lock",
		Keywords: "secret", ConfigRequired: true, Doc: "A password, with rules.",
		Config: schema.Table{
			{
				Name: "hash", Label: "Passed on as", Spec: schema.Enum{"NONE", "MD5", "SHA1", "SHA256", "SHA512"},
				Words: []string{"Plain text", "MD5 hash", "SHA-1 hash", "SHA-256 hash", "SHA-512 hash"},
			},
			{Name: "placeholder", Spec: schema.String{Max: 500, Role: schema.Caption}},
			minLength,
			maxLength,
			{
				Name: "complexity", Label: "Ask for a mix of characters", Spec: schema.Bool{},
				Doc: "Requires upper- and lower-case letters, digits and symbols.",
			},
			{Name: "nist", Label: "Refuse common passwords", Spec: schema.Bool{}, Doc: "As NIST SP 800-63B requires."},
			{Name: "strength_meter", Label: "Show how strong it is", Spec: schema.Bool{}},
		},
		Default: obj("hash", "NONE", "min_length", schema.Number("8")),
	},
	{
		Category: Field, Type: "PAYMENT", Rank: 15, Label: "Payment", Question: "Payment", Icon: "card",
		Keywords: "card credit checkout stripe", ConfigRequired: true, Doc: "A payment by card.",
		Config: schema.Table{
			{Name: "provider", Spec: schema.Enum{PaymentProvider}, Words: []string{"Stripe"}},
			{Name: "charge", Spec: charge, Required: true},
			{Name: "credentials", Spec: schema.Table{
				{Name: "public_key", Spec: schema.String{Min: 1, Max: 250, Role: schema.Opaque}, Required: true},
				{Name: "private_key", Spec: schema.String{Min: 1, Max: 250, Secret: true}, Required: true},
			}, Required: true},
			{Name: "customer", Spec: schema.Open{}, Section: "Customer"},
			{Name: "fields", Spec: schema.Table{
				{Name: "card_number", Spec: cardField},
				{Name: "expiration_date", Spec: cardField},
				{Name: "security_code", Spec: cardField},
				{Name: "trustmarks", Spec: schema.Bool{}},
			}},
		},
		Default: obj("provider", PaymentProvider,
			"charge", obj("type", "ONE_OFF", "one_off", obj("amount", schema.Number("10"), "currency", "EUR")),
			"credentials", obj("public_key", "", "private_key", "")),
	},
	{
		Category: Field, Type: "SOCIAL", Rank: 14, Label: "Social sign-in", Question: "Sign in", Icon: "people",
		Keywords: "login sign-in account", Doc: "Sign-in with a social account.",
		Config: schema.Table{},
	},
	{
		Category: Field, Type: "TEL", Rank: 3, Label: "Phone", Term: "Tel", Question: "Phone number", Icon: "tel",
		Keywords: "telephone mobile sms", Doc: "A telephone number.",
		Config: schema.Table{
			{Name: "default_value", Spec: schema.String{}},
			{Name: "placeholder", Spec: schema.String{Max: 500, Role: schema.Caption}},
			minLength,
			maxLength,
			{Name: "country_picker", Label: "Let people pick the country", Spec: schema.Bool{}},
			{Name: "strings", Label: "Texts of the country list", Spec: schema.Table{
				{Name: "filter_placeholder", Label: "Placeholder of the search", Spec: schema.String{Min: 1}},
			}},
		},
	},
	{
		Category: Field, Type: "TEXT", Rank: 1, Label: "Text", Question: Untitled, Icon: "text",
		Keywords: "input string textarea multiline", Doc: "A line or a paragraph.",
		Config: schema.Table{
			{Name: "multiline", Spec: schema.Bool{}},
			{Name: "default_value", Spec: schema.String{Min: 1}},
			placeholder,
			minLength,
			maxLength,
		},
	},
	{
		Category: Field, Type: "URL", Rank: 13, Label: "URL", Question: "Web address", Icon: "link",
		Keywords: "link website address", Doc: "A web address.",
		Config: schema.Table{
			{Name: "default_value", Spec: schema.String{Min: 1}},
			placeholder,
		},
	},
}

// PaymentProvider is the one payment provider that a PAYMENT field names.
const PaymentProvider = "STRIPE"

// charge is a ONE_OFF or a SUBSCRIPTION, each with a property of its own.
var charge = schema.Choice{Tag: "type", Options: []schema.Option{
	{Tag: "ONE_OFF", Row: schema.Row{Name: "one_off", Label: "Once", Spec: schema.Open{Rows: schema.Table{
		{Name: "amount", Spec: schema.Either{
			Of:   []schema.Spec{schema.String{Min: 1}, schema.Numeric{Min: "0.01"}},
			Want: "a string or a number",
		}, Required: true},
		{Name: "currency", Spec: schema.Enum{"AUD", "CAD", "CHF", "EUR", "GBP", "INR", "MXN", "SEK", "USD"}, Required: true},
	}}}},
	{Tag: "SUBSCRIPTION", Row: schema.Row{Name: "subscription", Spec: schema.Open{}}},
}}

var cardField = schema.Table{
	{Name: "label", Spec: schema.String{Min: 1, Max: 250}},
	{Name: "placeholder", Spec: schema.String{Min: 1, Max: 250}},
}
