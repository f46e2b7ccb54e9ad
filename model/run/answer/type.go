package answer

// Type is the type of a component's answer.
type Type string

// The types of answers.
const (
	None       Type = ""           // the component takes no answer
	Text       Type = "text"       // a string
	Number     Type = "number"     // a schema.Number
	Boolean    Type = "boolean"    // true or false
	Option     Type = "option"     // the value of an option, or a text of one's own
	Options    Type = "options"    // a list of such strings, without duplicates, in the order of the options
	Date       Type = "date"       // a string such as 2026-01-31
	Time       Type = "time"       // a string such as 23:15
	Phone      Type = "phone"      // an object; see phoneTree
	Files      Type = "files"      // a list of objects with name, and possibly size in bytes and type
	Payment    Type = "payment"    // the id of a payment method, or an object with payment_method_id
	Social     Type = "social"     // an object with provider, or a provider
	Address    Type = "address"    // a GeoJSON feature, with the parts of the address in properties.geocoding
	Challenge  Type = "challenge"  // an object with success
	Credential Type = "credential" // an object with state
	Any        Type = "any"        // any JSON value but null
)
