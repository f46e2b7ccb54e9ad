package account

import (
	"unicode"
	"unicode/utf8"

	"github.com/mileusna/useragent"

	"github.com/formgraph/formgraph/server/store"
)

// device is where a sign-in came from. The first two members are those of the vendor's sessions; the other two are for people: "Chrome",
// "Linux". All except the address are claims of the program, so they help to distinguish sign-ins but prove nothing. Unknown members are
// absent.
type device struct {
	Agent string `json:"initial_user_agent,omitempty"`
	IP    string `json:"initial_ip,omitempty"`
	Name  string `json:"name,omitempty"`
	On    string `json:"platform,omitempty"`
}

// nameRunes bounds the name of a program that no table lists.
const nameRunes = 40

// readDevice returns nil when nothing is known.
func readDevice(d store.Device) *device {
	if d == (store.Device{}) {
		return nil
	}
	out := &device{Agent: d.UserAgent, IP: d.IP}
	seen := useragent.Parse(d.UserAgent)
	// A word that does not begin with a letter, or a whole sentence, is not a name that a person would recognize.
	if first, _ := utf8.DecodeRuneInString(seen.Name); unicode.IsLetter(first) && utf8.RuneCountInString(seen.Name) <= nameRunes {
		out.Name = seen.Name
	}
	out.On = seen.OS
	if seen.Device == "iPhone" || seen.Device == "iPad" {
		out.On = seen.Device
	}
	return out
}
