package translate

import (
	"strings"

	"github.com/formgraph/formgraph/model/run/answer"
)

// refusals are the names of the texts that refuse answers.
var refusals = map[answer.Key]string{
	answer.InvalidInput:       "Answer that cannot be used",
	answer.Required:           "No answer",
	answer.TooShort:           "Answer too short",
	answer.TooLong:            "Answer too long",
	answer.TooSmall:           "Number too small",
	answer.TooBig:             "Number too big",
	answer.NoOptionChosen:     "No option chosen",
	answer.ZeroOptionsChosen:  "None of several options chosen",
	answer.AcceptanceRequired: "Not accepted",
	answer.EmailExpected:      "Not an e-mail address",
	answer.URLExpected:        "Not a web address",
	answer.DateExpected:       "Not a date",
	answer.TimeExpected:       "Not a time",
	answer.BooleanExpected:    "Neither yes nor no",
	answer.NumberExpected:     "Not a number",
	answer.IntegerExpected:    "Not a whole number",
	answer.DecimalExpected:    "Not a decimal number",
	answer.CurrencyExpected:   "Not an amount of money",
	answer.MissingCardInfo:    "Card details incomplete",
	answer.InvalidCard:        "Card details wrong",
	answer.ChargeDeclined:     "Payment declined",
	answer.ExpiredCard:        "Card expired",
	answer.WrongSecurityCode:  "Wrong security code",
	answer.WrongFormConfig:    "Payment not set up",
	answer.PhoneExpected:      "Not a telephone number",
	answer.InvalidOption:      "Not one of the options",
	answer.TooManyOptions:     "More than one option chosen",
	answer.TooManyFiles:       "Too many files",
	answer.TooBigFile:         "File too big",
	answer.FileTypeRefused:    "File of another type",
	answer.TooWeak:            "Password too weak",
	answer.TooGuessable:       "Password easy to guess",
	answer.InvalidCustom:      "Answer of a custom field that does not fit",
}

// RefusalName returns the name of the text that refuses an answer with a key: for a key that is unknown here, its words.
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
