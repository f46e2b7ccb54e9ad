package answer

// Choice is a behavior that the public documentation of forms leaves open, and what we chose.
type Choice struct{ Subject, Choice string }

// Choices lists what we chose, for the reference.
var Choices = []Choice{
	{"Unanswered", "An absent value, null, and a text of nothing but white space are no answer, nor are a list without an entry and an " +
		"object without members, except for a custom field. An unanswered field is absent. false and 0 are answers."},
	{"White space", "Space around a typed answer is dropped, also around a password, as the vendor's public kit does."},
	{"Order of the checks", "The form of the answer, then whether one is required, then the bounds in the order of the tables. Only the " +
		"first reason is shown."},
	{"Scalars", "A number or a boolean that is given for a text or an option counts as its spelling."},
	{"Lengths", "Count Unicode code points. With a country picker they count the national number."},
	{"Number", "A comma may stand before the decimals, so there are no separators of thousands. Numbers are exact and have no limit of size."},
	{"Boolean", "Typed as true or false. A required boolean accepts false."},
	{"Legal", "A required one wants true. An optional one accepts false, and is absent without an answer."},
	{"Date and time", "Dates are typed as 2026-01-31, times as 23:15, without seconds. Without a format the field is a date."},
	{"Email", "ASCII only, and the domain has at least two labels."},
	{"URL", "Only http and https; a text without a scheme gets http://. The host is an IP address or has at least two labels."},
	{"Telephone number", "Digits, spaces and + ( ) - . / # * , ; x. Without a country picker the answer is the text as typed."},
	{"Telephone number with a country", "Typed with + or 00 in front, the country is found by its calling code, and the largest country " +
		"stands for a shared code. A number without a country has only national members. The formats are not grouped. The member number " +
		"is the international number or, without a country, the national one."},
	{"Options", "Several options are in the order of the form, each once. One other text may be among them if the field allows it, as the " +
		"last one. A value that is no option is refused."},
	{"Password: hash", "A run keeps the password as it is typed, whatever the hash, since it is judged again when its step is left again."},
	{"Password: NIST", "Refuses less than 8 characters, sequences, repetitions, and a short list of common words. Corpora of breaches and " +
		"the context are not searched."},
	{"File", "The answer is a list of objects with name, size and type, also for one file. A file name alone is accepted; its size is then " +
		"unknown and not judged. Without multiple, one file is accepted."},
	{"File: extensions and categories", "A file needs one of the extensions or one of the categories. Its extension decides on the category, " +
		"and its media type only if no category has the extension."},
	{"Custom field", "The answer is judged by the field's JSON Schema, except for pattern, patternProperties, format, dependent and " +
		"unevaluated members and references to other documents, which accept everything. Text is read as JSON if the schema's type is not " +
		"string. The code never runs."},
	{"Payment", "The answer is the id of a payment method, or an object with payment_method_id. A card is checked and not kept: the answer is " +
		PaymentMethod + ". Nothing is charged, and the date of expiry is not compared with today. An amount to charge that is a text without a " +
		"template must be a number of at least 0.01."},
	{"Social", "The answer is an object with provider; the name of a provider alone is accepted."},
	{"Address", "The answer is a GeoJSON feature. A text becomes properties.geocoding.label, and an object without properties becomes " +
		"properties.geocoding."},
	{"reCAPTCHA", "The answer is an object with success; true and false alone are accepted. A required one wants success."},
	{"Verifiable credentials", "The answer is an object with state; a state alone is accepted. Any state is an answer."},
	{"Unknown kinds", "A field or widget that our tables lack takes any value and is judged only by required."},
	{"Keys of messages", "There are no public keys for telephone numbers, values that are no option, several options for one, files, rules of " +
		"passwords and custom fields. Ours begin with ERR_ too; a form can replace their texts in messages.errors."},
	{"Built-in texts", "Are in English whatever the language of the run. A translation, then the form's messages.errors replace them."},
	{"Language", "A requested language matches the same tag, a shorter one, then a longer one. Otherwise the default language counts, then the " +
		"primary one, in which the form is written. Without either it is en."},
	{"Translations", "A translation replaces texts only. Options are matched by value, or by place if the translation gives no value."},
}
