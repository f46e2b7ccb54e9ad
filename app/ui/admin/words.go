package admin

// mayNotChange names the scope that a person lacks.
const mayNotChange = "Your account can see this but not change it: it lacks %s."

// sectionWords are the texts of one list.
type sectionWords struct{ Title, One, New, Search, About, Empty, EmptyText string }

// explained is a name with a sentence of what it means.
type explained struct{ Name, Text string }

// asked is an act: its button, the question before it and what is said when it is done. Title and Text
// have a place for the name of what it is done to.
type asked struct{ Name, Title, Text, Done string }

// logTypes are the kinds of lines in the sign-in log, by their codes.
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
