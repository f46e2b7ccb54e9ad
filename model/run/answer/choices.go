package answer

import "github.com/formgraph/formgraph/model/run/answertype"

// Choice is a question that the public documentation of forms leaves open, and our answer.
type Choice struct{ Subject, Choice string }

// Choices lists our choices for the reference.
var Choices = []Choice{
	{"Unanswered", "Absent values, null, blank text, empty lists and empty objects are not answers. A custom field accepts empty lists and " +
		"objects. An unanswered field is absent. false and 0 are answers."},
	{"White space", "Leading and trailing spaces are removed, even from passwords, as the vendor's public kit does."},
	{"Order of the checks", "The format, then whether an answer is required, then the bounds in the order of the tables. Only the first " +
		"problem is shown."},
	{"Scalars", "A number or boolean given for text or an option is converted to text."},
	{"Lengths", "Lengths count Unicode code points. With a country picker they count the national number."},
	{"Number", "A decimal comma is accepted, so thousands separators are not. Numbers are exact and can have any size."},
	{"Boolean", "Typed as true or false. A required boolean accepts false."},
	{"Legal", "A required field must be true. An optional one accepts false, and is absent without an answer."},
	{"Date and time", "Dates are typed as 2026-01-31 and times as 23:15, without seconds. Without a format, the field is a date."},
	{"Email", "The address must be ASCII, and its domain must have at least two labels."},
	{"URL", "Only http and https are accepted, and http:// is added if there is no scheme. The host must be an IP address or have at least " +
		"two labels."},
	{"Telephone number", "Digits, spaces and + ( ) - . / # * , ; x are accepted. Without a country picker, the answer is the text as typed."},
	{"Telephone number with a country", "A number that starts with + or 00 gets its country from the calling code; the largest country " +
		"is chosen if several share the code. A number without a country has only national members. Numbers are not grouped. The member " +
		"number is the international number or, without a country, the national one."},
	{"Options", "Selected options are in the order of the form, without repetitions. If the field allows other values, one can follow the " +
		"options. Any other value is refused."},
	{"Password: hash", "A run keeps the password as typed, without hashing it, since it is checked again whenever its step is left."},
	{"Password: NIST", "Passwords shorter than 8 characters, sequences, repetitions and some common words are refused. Lists of leaked " +
		"passwords are not searched."},
	{"File", "The answer is a list of objects with name, size and type, even for a single file. A file name alone is accepted; its size is " +
		"unknown and not checked. Unless multiple is set, only one file is accepted."},
	{"File: extensions and categories", "A file must have one of the extensions or belong to one of the categories. Its extension determines " +
		"the category, or its media type if no category contains the extension."},
	{"Custom field", "The answer is validated against the field's JSON Schema, except for pattern, patternProperties, format, dependent and " +
		"unevaluated members and references to other documents, which accept everything. Text is parsed as JSON unless the schema's type " +
		"is string. The field's code never runs."},
	{"Payment", "The answer is the ID of a payment method, or an object with payment_method_id. A card is validated but not kept: the answer " +
		"is " + answertype.PaymentMethod + ". Nothing is charged, and the expiry date is not compared with today. An amount that is text without a " +
		"template must be a number of at least 0.01."},
	{"Social", "The answer is an object with provider; the name of a provider alone is accepted."},
	{"Address", "The answer is a GeoJSON feature. Text becomes properties.geocoding.label, and an object without properties becomes " +
		"properties.geocoding."},
	{"reCAPTCHA", "The answer is an object with success; true and false alone are accepted. A required field must have succeeded."},
	{"Verifiable credentials", "The answer is an object with state; a state alone is accepted. Any state is an answer."},
	{"Unknown kinds", "A field or widget of an unknown kind accepts any value; only required is checked."},
	{"Keys of messages", "There are no public keys for telephone numbers, values that are not options, multiple options for a single choice, " +
		"files, password rules and custom fields. Our keys also start with ERR_, and a form can replace their texts in messages.errors."},
	{"Built-in texts", "Built-in texts are in English, whatever the language of the run. A form can replace them in a translation, or in " +
		"messages.errors for all languages."},
	{"Language", "A requested language matches the same tag, then a shorter one, then a longer one. Otherwise the default language is used, " +
		"then the primary one, in which the form is written. If there is neither, it is en."},
	{"Translations", "A translation replaces only texts. Options are matched by value, or by position if the translation has no value."},
}
