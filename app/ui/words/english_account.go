package words

// englishAccount is the page of one's own account in English.
var englishAccount = Account{ //nolint:gosec // it speaks of passwords and holds none
	Profile: "Profile", NoName: "No name", EMail: "E-mail", Ways: "Ways to sign in",
	Places: "Where you are signed in", PlacesText: "Sign out wherever you do not know a sign-in, then change your password.",
	Applications: "Applications", ApplicationsText: "These act in your name.",

	Password: "Password", PasswordText: "Used with your e-mail address.", NoPassword: "You have none: you sign in with a passkey.",
	ChangePassword: "Change password", SetPassword: "Set a password", NewPassword: "New password", ShowPassword: "Show the password",
	PasswordRule: "At least %d characters.", PasswordDone: "Your password is changed.",
	EndOthers: "Sign out everywhere else", PasswordDoneOthers: "Your password is changed, and you are signed out everywhere else.",

	Passkeys: "Passkeys", PasskeysText: "Sign in by fingerprint, face or the PIN of a device, without a password.", Passkey: "Passkey",
	AddPasskey: "Add a passkey", NoPasskeys: "You have no passkey yet.", CannotPasskey: "This browser cannot make passkeys.",
	PasskeyDone: "Your passkey is added.", PasskeyFailed: "No passkey was made. You can try again, or use another device.",
	Synced: "on all your devices", OneDevice: "on one device",

	Apps: "Authenticator app", AppsText: "An app on your phone shows a code that you type after your password.", App: "Authenticator app",
	AddApp: "Set up an app", AppScan: "Scan this with your authenticator app, or type the key into it:", AppPicture: "QR code of the key for your authenticator app", AppOpen: "Open it in an app on this device",
	AppSecret: "Key", AppCode: "Code", AppCodeText: "Then type the code that the app shows.", AppCheck: "Turn on", AppDone: "Your authenticator app is set up.",

	Recovery: "Recovery code", RecoveryText: "Lets you in once when your phone is lost.", MakeRecovery: "Make a recovery code", RenewRecovery: "Make a new one",
	RecoveryCode: "Your recovery code", RecoveryShown: "Write it down or keep it in a password manager. It is shown only now.",
	RecoveryKept: "I have put it away", RecoveryDone: "Your recovery code is ready.", RecoveryReplace: "Make a new recovery code?",
	RecoveryReplaceText: "The code that you have stops working at once.", RecoveryReplaced: "The old recovery code is gone, and the new one is not kept: make another.",

	Added: "Added %s", LastUsed: "last used %s", NeverUsed: "never used", Rename: "Rename", RenameOf: "Rename %s", NameIt: "Name it",
	NameItText: "Your passkey is added. A name tells it from others.", MethodName: "Name", Renamed: "It is called %s now.", NotNow: "Not now", Deleted: "%s is deleted.",
	DeleteMethod: "Delete %s?", DeleteMethodText: "You can no longer sign in with it. This cannot be undone.",
	CopyCode: "Copy the code", CodeWord: "the code", CopyKey: "Copy the key", KeyWord: "the key",

	SomeDevice: "A browser or application", DeviceOn: "%s on %s", SignedIn: "Signed in %s", SignedInFrom: "Signed in %s from %s",
	ThisBrowser: "This browser", OnlyApplications: "Only in %s", BrowserAlone: "In a browser, in no application", InApplications: "In %s",
	EndOne: "Sign out", EndOneOf: "Sign out %s, signed in %s", EndOneAsk: "Sign out %s?", EndOneText: "%s. %s. It has to sign in again.",
	EndHere: "Sign out of this browser?", EndHereText: "What is not saved in other windows of this browser cannot be saved until you sign in again.",
	EndedOne: "It is signed out.", Everywhere: "Sign out everywhere", EverywhereText: "You are signed out in every browser and application, here too. Forms that are not saved stay open where they are.",
	EverywhereDone: "You are signed out everywhere.",

	NoApplications: "No application acts in your name.", Since: "Since %s", TakeBack: "Take back", TakeBackOf: "Take back what %s may do",
	TakeBackText: "%s can no longer act in your name and has to ask again. If it is the one that shows this page, you are signed out of it in some minutes.",
	TookBack:     "%s has no access any more.", WhatItMay: "What it may do", MayList: "%s: %s",

	Loading: "Loading your account…", SignedOutText: "Sign in to see and change your account.", Denied: "Your account cannot be changed here",
	ConfirmYou: "Confirm that it is you", ConfirmYouText: "Your sign-in is older than five minutes. Sign in again, then you come back here.",
	Confirm: "Sign in again", Confirmed: "Thank you. Go on with what you wanted to do.",

	Scopes: [][2]string{
		{"openid", "Know who you are"}, {"profile", "See your name"}, {"email", "See your e-mail address"}, {"offline_access", "Stay signed in while you are away"},
	},
	Verbs: [][2]string{{"read", "see"}, {"create", "make"}, {"update", "change"}, {"delete", "delete"}},
	Things: [][2]string{
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
	},
}
