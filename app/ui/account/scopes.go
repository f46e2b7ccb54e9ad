package account

// scopeNames describes the scopes of OpenID Connect.
var scopeNames = [][2]string{
	{"openid", "Know who you are"},
	{"profile", "See your name"},
	{"email", "See your e-mail address"},
	{"offline_access", "Stay signed in while you are away"},
}

// verbs describes the verbs of all other scopes.
var verbs = [][2]string{{"read", "see"}, {"create", "create"}, {"update", "change"}, {"delete", "delete"}}

// things describes the objects of all other scopes.
var things = [][2]string{
	{"forms", "Forms"},
	{"flows", "Flows"},
	{"clients", "Applications"},
	{"client_keys", "Secrets of applications"},
	{"client_grants", "Grants of applications"},
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
