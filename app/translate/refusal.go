package translate

import (
	"strings"

	"github.com/formgraph/formgraph/model/run/answer"
)

// refusals are the names of the texts that refuse answers, for authors of forms. Each name says what was wrong with the answer.
var refusals = map[answer.Key]string{
	answer.InvalidInput:       "Invalid answer",
	answer.Required:           "No answer",
	answer.TooShort:           "Answer too short",
	answer.TooLong:            "Answer too long",
	answer.TooSmall:           "Number too small",
	answer.TooBig:             "Number too large",
	answer.NoOptionChosen:     "No option chosen",
	answer.ZeroOptionsChosen:  "No options chosen",
	answer.AcceptanceRequired: "Not accepted",
	answer.EmailExpected:      "Not an e-mail address",
	answer.URLExpected:        "Not a web address",
	answer.DateExpected:       "Not a date",
	answer.TimeExpected:       "Not a time",
	answer.BooleanExpected:    "Not yes or no",
	answer.NumberExpected:     "Not a number",
	answer.IntegerExpected:    "Not a whole number",
	answer.DecimalExpected:    "Not a decimal number",
	answer.CurrencyExpected:   "Not an amount of money",
	answer.MissingCardInfo:    "Card details incomplete",
	answer.InvalidCard:        "Invalid card details",
	answer.ChargeDeclined:     "Payment declined",
	answer.ExpiredCard:        "Card expired",
	answer.WrongSecurityCode:  "Wrong security code",
	answer.WrongFormConfig:    "Payment not set up",
	answer.PhoneExpected:      "Not a telephone number",
	answer.InvalidOption:      "Not one of the options",
	answer.TooManyOptions:     "More than one option chosen",
	answer.TooManyFiles:       "Too many files",
	answer.TooBigFile:         "File too large",
	answer.FileTypeRefused:    "File type not allowed",
	answer.TooWeak:            "Password too weak",
	answer.TooGuessable:       "Password too easy to guess",
	answer.InvalidCustom:      "Invalid answer to a custom field",
}

// RefusalName returns the name of the text that refuses an answer with a key. For an unknown key it is made from the words of the key.
func RefusalName(key string) string {
	if name := refusals[answer.Key(key)]; name != "" {
		return name
	}
	name := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(key, "ERR_"), "_", " "))
	if name == "" {
		return key
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
