package model

import "github.com/formgraph/formgraph/model/schema"

// widgets are the kinds of category WIDGET. If the vendor's name of a type contains a brand, the kind has a neutral name and the vendor's
// is an alias.
var widgets = []Kind{
	{
		Category: Widget, Type: "SERVICE_VERIFIABLE_CREDENTIALS", Rank: 3, Alias: "AUTH0_VERIFIABLE_CREDENTIALS", Label: "Verifiable credentials",
		Question: "Digital credential", Icon: "credential",
		Keywords:       "wallet identity",
		ConfigRequired: true, Exit: OwnExit, Doc: "Shows a QR code to request a credential from a wallet.",
		Config: schema.Table{
			{Name: "url", Label: "URL", Spec: schema.String{Max: 2000, Role: schema.Address}, Required: true},
			{Name: "size", Spec: schema.Numeric{Min: "1", Max: "500"}, Doc: "Size of the QR code in pixels."},
			{Name: "alternate_text", Spec: schema.String{Min: 1, Max: 255, Role: schema.Caption}, Required: true},
			{Name: "access_token", Spec: schema.String{Min: 1, Max: 5000, Secret: true}, Required: true},
			{Name: "verification_id", Label: "Verification id", Spec: schema.String{Min: 1, Max: 255, Role: schema.Opaque}, Required: true},
			{Name: "max_wait", Spec: schema.Numeric{Min: "60", Max: "600"}, Doc: "In seconds."},
		},
		Default: obj("url", "https://", "alternate_text", "Scan with your wallet", "access_token", "", "verification_id", ""),
	},
	{
		Category: Widget, Type: "MAPS_ADDRESS", Rank: 1, Alias: "GMAPS_ADDRESS", Label: "Address", Question: "Address", Icon: "pin",
		Keywords:       "map place street location postal",
		ConfigRequired: true, Doc: "An address with autocompletion.",
		Config: schema.Table{
			{Name: "api_key", Label: "API key", Spec: schema.String{Min: 1, Secret: true}, Required: true},
		},
		Default: obj("api_key", ""),
	},
	{
		Category: Widget, Type: "RECAPTCHA", Rank: 2, Label: "reCAPTCHA", Question: "Security check", Icon: "shield", Keywords: "captcha bot robot spam",
		ConfigRequired: true, Doc: "Keeps bots out.",
		Config: schema.Table{
			{Name: "site_key", Spec: schema.String{Min: 1, Role: schema.Opaque}, Required: true},
			{Name: "secret_key", Spec: schema.String{Min: 1, Secret: true}, Required: true},
		},
		Default: obj("site_key", "", "secret_key", ""),
	},
}
