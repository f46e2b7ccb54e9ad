package words

// Admin holds the texts of the tenant's administration.
type Admin struct {
	Sections, Filter, AllTypes, Loading, More, Refresh, Unsaved, Discard, DiscardText, Throw, NoMatch          string
	NotAdmin, NotAdminText, MayNotChange, SignedOutText, SessionEnded, SaveFailed, Made, SavedOf               string
	Create, CopyName, CopiedOf, ShowOnce, Kept, CloseEntry, NotFound, NotFoundText, Retry, Add, RemoveRow, Set string
	FilterOptions, NoOptions, MoreOptions, FixFields, NotThere, RetryIn, Yes, No, NotSent, Danger              string
	LogLoaded, Person, Application, Value, Description, Address                                                string

	APIs, Applications, Grants, People, Roles, Log SectionWords

	// Columns and badges.
	Name, Identifier, Scopes, ForPeople, ForApplications, Type, ClientID, Since, API, For, Email, When, From string
	NotActive, Own, ThirdParty, Global, Blocked, Invited, Preset, Event, Unproven                            string

	// Advanced is the last part of an application's form.
	Advanced string

	// Fields.
	APIName, APIIdentifier, APIActive, APIScopes, UserPolicy, ClientPolicy                       Explained
	ClientName, ClientDescription, ClientType, Callbacks, Logouts, GrantTypes, AuthMethod        Explained
	FirstParty, IsGlobal, GrantClient, GrantAPI, GrantSubject, GrantScopes                       Explained
	BackChannel, RequirePushed, RequireProof, Origins, WebOrigins                                Explained
	UserEmail, UserName, UserRoles, UserPermissions, RoleName, RoleText, RolePermissions, InRole Explained

	LogDate, LogPerson, LogPersonID, LogClient, LogClientID, LogAddress Explained
	LogAPI, LogScopes, LogText, LogType                                 Explained

	// Options.
	RequireGrant, AllowAll, DenyAll                     Explained
	RegularWeb, SPA, Native, Machine                    Explained
	AuthCode, Refreshing, Credentials, Password         Explained
	Passkey, Implicit, AuthPost, AuthBasic, AuthNone    Explained
	SubjectClient, SubjectUser                          Explained
	RotateSecret, DeleteAPI, DeleteClient, DeleteGrant  Asked
	DeletePerson, DeleteRole, ResetLink, Block, Unblock Asked
	Activate, Vouch                                     Asked

	// Passkeys and second factors of a person.
	Factors                 Explained
	NoFactors               string
	TakeFactor, TakeFactors Asked

	// Reasons why something cannot be changed.
	ManagementLocked, OwnLocked, SelfClientLocked, IdentifierLocked, ReservedLocked, ReservedGrant string
	PublicSecret, GrantLocked, NotYourself, BlockedLink, OwnDelete, AccountOff, OneMore            string

	// What is shown once.
	Secret, SecretText, Link, LinkText string

	// LogTypes are the kinds of lines in the sign-in log, by their codes.
	LogTypes [][2]string

	ScopeCount, MoreRows Plural
}

// SectionWords are the texts of one list of the administration.
type SectionWords struct{ Title, One, New, Search, About, Empty, EmptyText string }

// Explained is a name with a sentence of what it means.
type Explained struct{ Name, Text string }

// Asked is an act: its button, the question before it and what is said when it is done. Title and Text
// have a place for the name of what it is done to.
type Asked struct{ Name, Title, Text, Done string }
