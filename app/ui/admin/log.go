package admin

import "strings"

const logName = "log"

func signIns() section {
	shown := func(path, label, help string) field {
		return field{path: path, kind: shownField, label: label, help: help}
	}
	return section{
		name: logName, path: "logs", id: "log_id", scope: "logs", icon: "rich",
		words: words{
			title: "Sign-in log", one: "entry", many: "the log",
			about: "Who signed in, which sign-ins failed, and which tokens were issued. Kept for 30 days.",
			empty: "Nothing has happened yet", emptyText: "Every sign-in and every token is recorded here.",
		},
		types:  logTypes,
		called: func(x facts) string { return eventName(x.entry.Text("type")) },
		columns: []column{
			{name: "Event", cells: func(x facts) []cell {
				kind, code := plainCell, x.entry.Text("type")
				if failed(code) {
					kind = warnCell
				}
				return []cell{{kind, eventName(code)}}
			}},
			member("Person", "user_name", plainCell),
			member("Application", "client_name", plainCell).wide(),
			member("From", "ip", codeCell).wide(),
			member("When", "date", timeCell),
		},
		fields: []field{
			shown("date", "When", "In the time zone of this browser."),
			shown("user_name", "Person", "The current e-mail address."),
			shown("user_id", "Person's id", "Stays the same when the address changes."),
			shown("client_name", "Application", "The current name."),
			shown("client_id", "Client id", "Stays the same when the name changes."),
			shown("ip", "From", "The network address of the request."),
			shown("audience", "API", "The audience of the tokens."),
			shown("scope", "Scopes", "The scopes of the tokens."),
			shown("description", "Reason", "The tenant's explanation."),
			shown("type", "Code", "The short name of the event."),
		},
	}
}

// eventName returns the name of a type in the log.
func eventName(code string) string {
	for _, row := range logTypes {
		if row[0] == code {
			return row[1]
		}
	}
	return code
}

// failed reports whether a type in the log is a failure or a warning.
func failed(code string) bool {
	return strings.HasPrefix(code, "f") || strings.HasSuffix(code, "_failed") || strings.HasSuffix(code, "_cloned")
}

// logTypes lists the types of entries in the sign-in log, by code.
var logTypes = [][2]string{
	{"s", "Signed in"},
	{"f", "Sign-in failed"},
	{"fp", "Wrong password"},
	{"fu", "Unknown e-mail address"},
	{"gd_auth_failed", "Wrong authenticator code"},
	{"gd_recovery_succeed", "Recovery code used"},
	{"gd_recovery_failed", "Wrong recovery code"},
	{"ss", "Signed up"},
	{"fs", "Sign-up refused"},
	{"scp", "Password changed"},
	{"gd_enrollment_complete", "Passkey or factor added"},
	{"gd_unenroll", "Passkey or factor removed"},
	{"gd_webauthn_enrollment_failed", "New passkey refused"},
	{"gd_enrollment_failed", "New factor refused"},
	{"gd_webauthn_cloned", "Passkey may have been copied"},
	{"seacft", "Code exchanged for tokens"},
	{"feacft", "Code refused"},
	{"sertft", "Tokens renewed"},
	{"fertft", "Renewal refused"},
	{"seccft", "Application got a token"},
	{"feccft", "Application was refused"},
	{"sepft", "Password exchanged for tokens"},
	{"fepft", "Password exchange refused"},
	{"seoft", "Passkey exchanged for tokens"},
	{"feoft", "Passkey refused"},
}
