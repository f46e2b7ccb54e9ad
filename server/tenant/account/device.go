package account

import (
	"unicode"
	"unicode/utf8"

	"github.com/mileusna/useragent"

	"github.com/formgraph/formgraph/server/store"
)

// device is from where a sign-in came. The first two members are those of the vendor's sessions, the other two
// what people call it: "Chrome", "Linux". All are the program's own words but for the address, so they help to tell
// sign-ins apart and prove nothing. What is not known is absent.
type device struct {
	Agent string `json:"initial_user_agent,omitempty"`
	IP    string `json:"initial_ip,omitempty"`
	Name  string `json:"name,omitempty"`
	On    string `json:"platform,omitempty"`
}

// nameRunes bounds the name of a program that no table knows.
const nameRunes = 40

// readDevice returns nil when nothing is known.
func readDevice(d store.Device) *device {
	if d == (store.Device{}) {
		return nil
	}
	out := &device{Agent: d.UserAgent, IP: d.IP}
	seen := useragent.Parse(d.UserAgent)
	// A word without a letter in front, or a whole sentence, is not a name that a person would know.
	if first, _ := utf8.DecodeRuneInString(seen.Name); unicode.IsLetter(first) && utf8.RuneCountInString(seen.Name) <= nameRunes {
		out.Name = seen.Name
	}
	out.On = seen.OS
	if seen.Device == "iPhone" || seen.Device == "iPad" {
		out.On = seen.Device
	}
	return out
}
