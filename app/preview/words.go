package preview

// words are the texts of the page itself, which no form contains.
type words struct {
	required, choose, search, noMatch, show, hide, other, remove, yes, no, country string

	// Files.
	chooseFile, chooseFiles, upTo, each, files string

	// Passwords. strengths has the words from none to strong, separated by commas.
	atLeast, atMost, characters, upperCase, lowerCase, digit, symbol, uncommon, strength, strengths string

	// Custom fields and stand-ins.
	json, textSchema, standIn, social, continueWith, wallet, walletDone, robot, address, unknown string

	// Payments.
	payment, testCard, cardKept, subscription, cardNumber, expiration, securityCode string

	pictureWord, noPictures string

	// Endings.
	done, redirects, resumes, nothing string
}

// english are the words in English. A form brings its own texts in its languages; these few are English in all of them.
var english = words{
	required: "required", choose: "Choose", search: "Search", noMatch: "Nothing found", show: "Show", hide: "Hide", other: "Other",
	remove: "Remove", yes: "Yes", no: "No", country: "Country",

	chooseFile: "Choose a file or drop it here", chooseFiles: "Choose files or drop them here", upTo: "up to ", each: " each", files: " files",

	atLeast: "At least ", atMost: "At most ", characters: " characters", upperCase: "An upper-case letter", lowerCase: "A lower-case letter",
	digit: "A digit", symbol: "A symbol", uncommon: "Not a common password", strength: "Strength",
	strengths: "Too short, Weak, Fair, Good, Strong",

	json: "A custom field, answered as JSON that matches its schema", textSchema: "A custom field, answered as text", standIn: "Stand-in",
	social: "Pretend to continue with an account. Nobody is signed in.", continueWith: "Continue with ",
	wallet: "Pretend to present a credential. No wallet is asked.", walletDone: "Credential presented", robot: "I’m not a robot",
	address: "Any address works. No map service is asked.", unknown: "This kind of component is unknown here",

	payment: "Nothing is charged. Any valid card number works.", testCard: "Use a test card", cardKept: "Card entered",
	subscription: "Subscription", cardNumber: "Card number", expiration: "Expiration date", securityCode: "Security code",

	pictureWord: "Picture", noPictures: "Pictures of other sites are not loaded",

	done: "That’s all", redirects: "The respondent is sent to", resumes: "The sign-in continues.", nothing: "The form ends here.",
}
