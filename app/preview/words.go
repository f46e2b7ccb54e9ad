package preview

// words are the texts of the page itself, which no form contains.
type words struct {
	required, choose, search, noMatch, show, hide, other, remove              string
	yes, no, country, number                                                  string
	chooseFile, chooseFiles, upTo, each, files                                string
	atLeast, atMost, upperCase, lowerCase, digit, symbol, uncommon            string
	strength, strengths                                                       string
	json, textSchema, characters                                              string
	standIn, payment, testCard, cardKept, subscription                        string
	cardNumber, expiration, securityCode                                      string
	social, continueWith, credential, credentialDone, robot, address, unknown string
	pictureWord, noPictures                                                   string
	done, redirects, resumes, nothing                                         string
}

// english are the words in English. A form brings its own texts in its languages; these few are English in all of them.
var english = words{
	required: "required", choose: "Choose", search: "Search", noMatch: "Nothing found", show: "Show", hide: "Hide", other: "Other",
	remove: "Remove", yes: "Yes", no: "No", country: "Country", number: "Number",
	chooseFile: "Choose a file or drop it here", chooseFiles: "Choose files or drop them here", upTo: "up to ", each: " each", files: " files",
	atLeast: "At least ", atMost: "At most ", upperCase: "An upper-case letter", lowerCase: "A lower-case letter", digit: "A digit",
	symbol: "A symbol", uncommon: "Not a common password",
	strength: "Strength", strengths: "Too short, Weak, Fair, Good, Strong",
	json: "A custom field, answered as JSON that matches its schema", textSchema: "A custom field, answered as text",
	characters: " characters",
	standIn:    "Stand-in", payment: "Nothing is charged. Any valid card number works.", testCard: "Use a test card",
	cardKept: "Card entered", subscription: "Subscription",
	cardNumber: "Card number", expiration: "Expiration date", securityCode: "Security code",
	continueWith: "Continue with ",
	social:       "Pretend to continue with an account. Nobody is signed in.",
	credential:   "Pretend to present a credential. No wallet is asked.", credentialDone: "Credential presented",
	robot: "I’m not a robot", address: "Any address works. No map service is asked.", unknown: "This kind of component is unknown here",
	pictureWord: "Picture", noPictures: "Pictures of other sites are not loaded",
	done: "That’s all", redirects: "The respondent is sent to", resumes: "The sign-in continues.", nothing: "The form ends here.",
}
