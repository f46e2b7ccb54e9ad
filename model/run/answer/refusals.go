package answer

import (
	"strings"

	"github.com/formgraph/formgraph/model"
)

// Refusal says why an answer is not accepted. It never contains the answer.
type Refusal struct {
	Component string // its id
	Key       Key
	// Text is the message in the language of the run, with the parameters in place. It may contain templates of the author, and contains
	// nothing that the respondent gave.
	Text   string
	Params map[string]string // by the name that a text uses, such as minLength
}

// Key identifies the text of a refusal. A form replaces the text under it in messages.errors.
type Key string

// The keys of refusals; Messages has their texts.
const (
	InvalidInput       Key = "ERR_INVALID_INPUT"
	Required           Key = "ERR_REQUIRED_PROPERTY"
	TooShort           Key = "ERR_TOO_SHORT_STRING"
	TooLong            Key = "ERR_TOO_LONG_STRING"
	TooSmall           Key = "ERR_TOO_SMALL_NUMBER"
	TooBig             Key = "ERR_TOO_BIG_NUMBER"
	NoOptionChosen     Key = "ERR_NO_OPTION_CHOSEN"
	ZeroOptionsChosen  Key = "ERR_ZERO_OPTIONS_CHOSEN"
	AcceptanceRequired Key = "ERR_ACCEPTANCE_REQUIRED"
	EmailExpected      Key = "ERR_EMAIL_EXPECTED"
	URLExpected        Key = "ERR_URL_EXPECTED"
	DateExpected       Key = "ERR_DATE_EXPECTED"
	TimeExpected       Key = "ERR_TIME_EXPECTED"
	BooleanExpected    Key = "ERR_BOOLEAN_EXPECTED"
	NumberExpected     Key = "ERR_NUMBER_EXPECTED"
	IntegerExpected    Key = "ERR_INTEGER_EXPECTED"
	DecimalExpected    Key = "ERR_DECIMAL_EXPECTED"
	CurrencyExpected   Key = "ERR_CURRENCY_EXPECTED"
	MissingCardInfo    Key = "ERR_MISSING_CARD_INFO"
	InvalidCard        Key = "ERR_INVALID_CARD"
	ChargeDeclined     Key = "ERR_CHARGE_DECLINED"
	ExpiredCard        Key = "ERR_EXPIRED_CARD"
	WrongSecurityCode  Key = "ERR_WRONG_SEC_CODE"
	WrongFormConfig    Key = "ERR_WRONG_FORM_CONFIG"

	// No public page names keys for these; see Choices.
	PhoneExpected   Key = "ERR_PHONE_EXPECTED"
	InvalidOption   Key = "ERR_INVALID_OPTION"
	TooManyOptions  Key = "ERR_TOO_MANY_OPTIONS"
	TooManyFiles    Key = "ERR_TOO_MANY_FILES"
	TooBigFile      Key = "ERR_TOO_BIG_FILE"
	FileTypeRefused Key = "ERR_FILE_TYPE_NOT_ALLOWED"
	TooWeak         Key = "ERR_WEAK_PASSWORD"
	TooGuessable    Key = "ERR_GUESSABLE_PASSWORD"
	InvalidCustom   Key = "ERR_INVALID_CUSTOM_VALUE"
)

// Message is a key with its text in English.
type Message struct {
	Key    Key
	Text   string
	Params []string // the parameters that the text may contain
	Ours   bool     // no public page names the key
	Unused string   // why Judge never refuses with it, "" if it does
}

// Messages lists every key of a refusal. The names of the keys that are not ours, and of their parameters, are those of the vendor's
// public kit, https://github.com/arengu/forms-js-sdk, src/error/ErrorCodes.ts and src/lib/Messages.ts.
var Messages = []Message{
	{Key: InvalidInput, Text: "This answer cannot be used here. Please check it."},
	{Key: Required, Text: "Please answer this question."},
	{Key: TooShort, Text: "Please enter {{minLength}} or more characters.", Params: []string{"minLength"}},
	{Key: TooLong, Text: "Please enter no more than {{maxLength}} characters.", Params: []string{"maxLength"}},
	{Key: TooSmall, Text: "Please enter a number that is at least {{minValue}}.", Params: []string{"minValue"}},
	{Key: TooBig, Text: "Please enter a number that is at most {{maxValue}}.", Params: []string{"maxValue"}},
	{Key: NoOptionChosen, Text: "Please choose an option."},
	{Key: ZeroOptionsChosen, Text: "Please choose one or more options."},
	{Key: AcceptanceRequired, Text: "Please accept this to continue."},
	{Key: EmailExpected, Text: "Please enter an email address such as name@example.com."},
	{Key: URLExpected, Text: "Please enter a web address such as https://example.com."},
	{Key: DateExpected, Text: "Please enter a date such as 2026-01-31."},
	{Key: TimeExpected, Text: "Please enter a time such as 23:15."},
	{Key: BooleanExpected, Text: "Please answer yes or no."},
	{Key: NumberExpected, Text: "Please enter a number."},
	{Key: IntegerExpected, Text: "Please enter a whole number.", Unused: "no kind asks for whole numbers"},
	{Key: DecimalExpected, Text: "Please enter a decimal number.", Unused: "no kind asks for decimal numbers only"},
	{Key: CurrencyExpected, Text: "Please enter an amount of at least 0.01."},
	{Key: MissingCardInfo, Text: "Please complete the details of your card."},
	{Key: InvalidCard, Text: "Please check the details of your card."},
	{Key: ChargeDeclined, Text: "Your bank declined the payment.", Unused: paymentProvider},
	{Key: ExpiredCard, Text: "This card has expired.", Unused: paymentProvider},
	{Key: WrongSecurityCode, Text: "The security code does not match the card.", Unused: paymentProvider},
	{Key: WrongFormConfig, Text: "This payment is not set up correctly."},

	{Key: PhoneExpected, Text: "Please enter a telephone number.", Ours: true},
	{Key: InvalidOption, Text: "Please choose one of the options shown.", Ours: true},
	{Key: TooManyOptions, Text: "Please choose only one option.", Ours: true},
	{Key: TooManyFiles, Text: "Number of files allowed: {{maxFiles}}.", Params: []string{"maxFiles"}, Ours: true},
	{Key: TooBigFile, Text: "Each file may have up to {{maxSize}}.", Params: []string{"maxSize"}, Ours: true},
	{Key: FileTypeRefused, Text: "Types of files allowed: {{types}}.", Params: []string{"types"}, Ours: true},
	{Key: TooWeak, Text: "Please use upper-case and lower-case letters, digits and symbols.", Ours: true},
	{Key: TooGuessable, Text: "This password is easy to guess. Please choose another one of at least 8 characters.", Ours: true},
	{Key: InvalidCustom, Text: "This answer does not have the right form. Please check it.", Ours: true},
}

const paymentProvider = "only the payment provider knows"

// english returns the text of a key that no form replaces, or the key if it is unknown.
func english(key Key) string {
	for i := range Messages {
		if Messages[i].Key == key {
			return Messages[i].Text
		}
	}
	return string(key)
}

// refuse returns a refusal with its text. t may be nil.
func (t *Texts) refuse(c *model.Component, key Key, params map[string]string) *Refusal {
	return &Refusal{Component: c.ID, Key: key, Text: fill(t.Error(key), params), Params: params}
}

// fill returns a text with its parameters in place of {{name}}, where spaces around the name do not matter. Other templates stay.
func fill(text string, params map[string]string) string {
	var b strings.Builder
	for len(params) > 0 {
		before, rest, ok := strings.Cut(text, "{{")
		name, after, closed := strings.Cut(rest, "}}")
		if !ok || !closed {
			break
		}
		b.WriteString(before)
		if value, ok := params[strings.TrimSpace(name)]; ok {
			b.WriteString(value)
			text = after
		} else {
			b.WriteString("{{")
			text = rest
		}
	}
	b.WriteString(text)
	return b.String()
}
