package account

// scopeNames are the scopes of OpenID Connect with their names.
var scopeNames = [][2]string{
	{"openid", "Know who you are"},
	{"profile", "See your name"},
	{"email", "See your e-mail address"},
	{"offline_access", "Stay signed in while you are away"},
}

// verbs are the verbs of other scopes.
var verbs = [][2]string{{"read", "see"}, {"create", "make"}, {"update", "change"}, {"delete", "delete"}}

// things are what the verbs of scopes are about.
var things = [][2]string{
	{"forms", "Forms"},
	{"flows", "Flows"},
	{"clients", "Applications of the tenant"},
	{"client_keys", "Secrets of applications"},
	{"client_grants", "What applications may ask for"},
	{"resource_servers", "APIs"},
	{"users", "People"},
	{"user_tickets", "One-time links"},
	{"roles", "Roles"},
	{"logs", "Sign-in log"},
	{"authentication_methods", "People's ways to sign in"},
	{"me:factors", "Kinds of ways to sign in"},
	{"me:authentication_methods", "Your ways to sign in"},
	{"me:consents", "Your applications"},
	{"me:sessions", "Where you are signed in"},
}
