package store

import "context"

// Teams has what the editor's backend keeps beside the forms of all tenants.
type Teams interface {
	// Team returns what is kept beside the forms of a tenant. tenant is the address of the management API of a remote tenant, without a trailing
	// slash, and "" for the embedded one.
	Team(tenant string) Team
	// Adopt gives a remote tenant the versions, rooms, scenarios, sources and settings that older versions of the program stored for it: by the ID
	// of the form alone, which reads as those of the embedded tenant. They are those of forms that the embedded tenant does not have. What the
	// tenant already has of a form stays, and then what is older of that kind does too, unused. Adopt changes nothing if it is called again.
	Adopt(ctx context.Context, tenant string) error
}

// Team is what the editor's backend keeps for the people who edit the forms of one tenant together. The IDs of forms are those of that tenant;
// nothing of another tenant is read or changed, except where a method says so.
type Team interface {
	// Scenarios returns the files of scenarios.
	Scenarios() Files
	// Sources returns the files that name of which source each translation was made.
	Sources() Files
	// Settings returns the settings of forms, which hold for the whole team.
	Settings() Files
	// Notes returns the files of notes on the canvas.
	Notes() Files
	// Versions returns the saved versions of forms.
	Versions() Versions
	// Rooms returns the shared forms of people who edit a form together.
	Rooms() Rooms
	// Presences returns who has which form open.
	Presences() Presences
	// Comments returns the comments on forms.
	Comments() Comments
	// Links returns the links to look at forms.
	Links() Links
	// Kept returns the IDs of up to limit forms, after an ID in their order, of which anything is kept. Presences do not count: they end by
	// themselves.
	Kept(ctx context.Context, after string, limit int) ([]string, error)
	// Forget deletes everything that is kept of a form, all or nothing; there may be nothing.
	Forget(ctx context.Context, form string) error
}
