package answer

import (
	"slices"

	"github.com/formgraph/formgraph/model/schema"
)

const placeholder = "placeholder" // a property of several configs

var lengths = []rule{
	{property: "min_length", key: TooShort, param: "minLength", broken: tooShort},
	{property: "max_length", key: TooLong, param: "maxLength", broken: tooLong},
}

// unknown is the row of kinds that the tables lack.
var unknown = kind{parse: parseAny, absent: always(Required)}

// kinds has a row for each kind of component that takes an answer, in the order of the spec's tables.
var kinds = []kind{
	{
		name: "SERVICE_VERIFIABLE_CREDENTIALS", parse: parseCredential, faults: []Key{InvalidInput},
		absent:  always(Required),
		ignored: []string{"url", "size", "alternate_text", "access_token", "verification_id", "max_wait"},
	},
	{
		name: "MAPS_ADDRESS", parse: parseAddress, faults: []Key{InvalidInput}, absent: always(Required),
		ignored: []string{"api_key"},
	},
	{
		name: "RECAPTCHA", parse: parseChallenge, faults: []Key{InvalidInput}, absent: always(Required),
		fulfills: succeeded,
		ignored:  []string{"site_key", "secret_key"},
	},
	{
		name: "BOOLEAN", parse: parseBoolean, faults: []Key{BooleanExpected}, absent: always(Required),
		reads: []string{defaultValue}, ignored: []string{options},
	},
	{
		name: "CARDS", parse: parseOptions, faults: []Key{InvalidOption, TooManyOptions}, absent: noOption,
		reads: []string{multiple, options, defaultValue}, ignored: []string{"hide_labels"},
	},
	{
		name: "CHOICE", parse: parseOptions, faults: []Key{InvalidOption, TooManyOptions}, absent: noOption,
		reads: []string{multiple, options, "allow_other", defaultValue},
	},
	{
		name: "CUSTOM", parse: parseCustom, absent: always(Required),
		rules:   []rule{{property: "schema", key: InvalidCustom, broken: unlikeSchema}},
		ignored: []string{"code", "css", "params"},
	},
	{
		name: "DATE", parse: parseDate, faults: []Key{DateExpected, TimeExpected}, absent: always(Required),
		reads: []string{"format", defaultValue},
	},
	{
		name: "DROPDOWN", parse: parseOptions, faults: []Key{InvalidOption, TooManyOptions}, absent: noOption,
		reads: []string{multiple, options, defaultValue}, ignored: []string{placeholder},
	},
	{
		name: "EMAIL", parse: parseEmail, faults: []Key{EmailExpected}, absent: always(Required),
		reads: []string{defaultValue}, ignored: []string{placeholder},
	},
	{
		name: "FILE", parse: parseFiles, faults: []Key{InvalidInput}, absent: always(Required),
		rules: []rule{
			{property: multiple, key: TooManyFiles, param: "maxFiles", broken: severalFiles, say: func(any) string { return "1" }},
			{property: "maxFiles", key: TooManyFiles, param: "maxFiles", broken: tooManyFiles},
			{property: "extensions", key: FileTypeRefused, param: "types", broken: otherExtension, say: list},
			{property: "categories", key: FileTypeRefused, param: "types", broken: otherCategory, say: list},
			{property: "maxSize", key: TooBigFile, param: "maxSize", broken: tooBigFile, say: maxSizeText},
		},
		ignored: []string{"storage"},
	},
	{
		name: "LEGAL", parse: parseBoolean, faults: []Key{BooleanExpected}, absent: always(AcceptanceRequired),
		fulfills: func(answer any) bool { return answer == true },
		ignored:  []string{"text"},
	},
	{
		name: "NUMBER", parse: parseNumber, faults: []Key{NumberExpected}, absent: always(Required),
		rules: []rule{
			{property: "min_value", key: TooSmall, param: "minValue", broken: tooSmall},
			{property: "max_value", key: TooBig, param: "maxValue", broken: tooBig},
		},
		reads: []string{defaultValue}, ignored: []string{placeholder},
	},
	{
		name: "PASSWORD", parse: parseText, faults: []Key{InvalidInput}, absent: always(Required),
		rules: append(slices.Clip(lengths),
			rule{property: "complexity", key: TooWeak, broken: tooSimple},
			rule{property: "nist", key: TooGuessable, broken: guessable},
		),
		ignored: []string{"hash", placeholder, "strength_meter"},
	},
	{
		name: "PAYMENT", parse: parsePayment,
		faults: []Key{InvalidInput, MissingCardInfo, InvalidCard, CurrencyExpected}, absent: always(Required),
		rules:   []rule{{property: "charge", key: WrongFormConfig, broken: unusableCharge}},
		ignored: []string{"provider", "credentials", "customer", "fields"},
	},
	{
		name: "SOCIAL", parse: parseSocial, faults: []Key{InvalidInput}, absent: always(Required),
	},
	{
		name: "TEL", parse: parsePhone, faults: []Key{PhoneExpected}, absent: always(Required), rules: lengths,
		reads: []string{countryPicker, defaultValue}, ignored: []string{placeholder, "strings"},
	},
	{
		name: "TEXT", parse: parseText, faults: []Key{InvalidInput}, absent: always(Required), rules: lengths,
		reads: []string{defaultValue}, ignored: []string{"multiline", placeholder},
	},
	{
		name: "URL", parse: parseURL, faults: []Key{URLExpected}, absent: always(Required),
		reads: []string{defaultValue}, ignored: []string{placeholder},
	},
}

func noOption(config *schema.Object) Key {
	if flag(config, multiple) {
		return ZeroOptionsChosen
	}
	return NoOptionChosen
}
