package account

import (
	"fmt"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// box draws a dialog with its title, its parts, and a confirming button labelled does.
func (p drawing) box(title, does, class string, parts ...app.UI) app.UI {
	later := "Cancel"
	if p.open == dialogName {
		later = "Not now"
	}
	body := append([]app.UI{kit.El("h2 id=dialog-title").Text(title)}, parts...)
	// Screen readers do not announce messages of the page below a modal dialog.
	body = append(body, p.failure(true), kit.El("p.unseen role=status").Text(p.toast.Text()), kit.El("div.buttons").Body(
		// A disabled button would lose the focus, and the dialog would no longer receive keys.
		kit.TextButton("cancel", later, "secondary").Attr("aria-disabled", kit.Yes(p.busy)),
		kit.El("button type=submit class=% aria-disabled=%", class, kit.Yes(p.busy)).Text(does),
	))
	return kit.El("dialog aria-labelledby=dialog-title aria-describedby=dialog-text").Body(kit.El("form novalidate=true").Body(body...))
}

// paragraph draws the introduction of a dialog.
func paragraph(text string) app.UI {
	return kit.El("p id=dialog-text hidden=%", kit.Yes(text == "")).Text(text)
}

// dialog draws the open dialog, if there is one.
func (p drawing) dialog() app.UI {
	switch p.open {
	case dialogPassword:
		return p.passwordBox()
	case dialogRename, dialogName:
		return p.nameBox()
	case dialogApp:
		return p.appBox()
	case dialogRecovery:
		return p.box("Your recovery code", "I have saved it", "primary",
			paragraph("Write it down or keep it in a password manager. It is shown only once."),
			kit.El("output.secret id=secret").Text(p.begun.Text("recovery_code")),
			kit.El("button.link type=button data-act=copy data-arg=recovery_code").Text("Copy the code"),
		)
	case dialogReplaceRecovery:
		return p.box("Create a new recovery code?", "Create a new one", "danger", paragraph("Your current code stops working at once."))
	case dialogDelete:
		m, _ := p.shown.method(p.of)
		return p.box(fmt.Sprintf("Delete %s?", kit.Quote(m.Title())), "Delete", "danger",
			paragraph("You will no longer be able to sign in with it. This cannot be undone."))
	case dialogEnd:
		return p.endBox()
	case dialogEverywhere:
		return p.box("Sign out everywhere"+"?", "Sign out everywhere", "danger",
			paragraph("You will be signed out of every browser and application, including this one. Unsaved forms stay open."))
	case dialogTakeBack:
		c, _ := p.shown.consent(p.of)
		return p.box(fmt.Sprintf("Revoke the access of %s", kit.Quote(c.name))+"?", "Revoke", "danger",
			paragraph(fmt.Sprintf("%s can no longer act on your behalf and has to ask again. If it is the one that shows this page, you will be "+
				"signed out of it in a few minutes.", c.name)))
	case dialogFresh:
		return kit.El("dialog aria-labelledby=dialog-title aria-describedby=dialog-text").Body(
			kit.El("h2 id=dialog-title").Text("Confirm your identity"),
			paragraph("You signed in more than five minutes ago. Sign in again; you will return here."),
			kit.El("div.buttons").Body(kit.TextButton("cancel", "Cancel", "secondary"), kit.TextButton("confirm", "Sign in again", "primary")),
		)
	case noDialog:
	}
	return kit.El("div hidden=true")
}

func (p drawing) passwordBox() app.UI {
	title := "Set a password"
	if p.has(password) {
		title = "Change password"
	}
	kind := password
	if p.visible {
		kind = "text"
	}
	rule, note, problem := "", "password-rule", kit.El("div")
	if least := p.leastPassword(); least > 0 {
		rule = fmt.Sprintf("At least %d characters.", least)
	}
	if p.wrong != "" {
		note, problem = "password-problem", problem.Body(kit.Warned("p.problem-text role=alert id=password-problem", p.wrong))
	}
	return p.box(title, title, "primary",
		// Tells a password manager whose password this is.
		kit.El("input type=text autocomplete=username readonly=true hidden=true value=% aria-hidden=true", p.shown.user.Email),
		kit.El("label.stack for=new-password").Body(
			kit.El("span").Text("New password"),
			kit.El("input id=new-password autofocus=true autocomplete=new-password maxlength=256 type=% aria-describedby=% aria-invalid=%",
				kind, note, kit.Yes(p.wrong != "")),
		),
		problem,
		kit.El("p.hint id=password-rule hidden=%", kit.Yes(p.wrong != "")).Text(rule),
		kit.El("button.link type=button data-act=show-password aria-pressed=%", kit.Yes(p.visible)).Text("Show the password"),
		kit.El("label.choice").Body(kit.El("input type=checkbox id=end-others checked=true"), kit.El("span").Text("Sign out everywhere else")),
	)
}

func (p drawing) nameBox() app.UI {
	m, _ := p.shown.method(p.of)
	title, text := "Rename "+strings.ToLower(m.KindName()), ""
	if p.open == dialogName {
		title, text = "Name your passkey", "Your passkey was added. Give it a name so that you recognize it."
	}
	return p.box(title, "Save", "primary",
		paragraph(text),
		kit.El("label.stack for=method-name").Body(
			kit.El("span").Text("Name"),
			kit.El("input id=method-name type=text autofocus=true maxlength=100 autocomplete=off"),
		),
	)
}

// qrSide is the maximum size of a QR code, in CSS pixels. A phone can read it at arm's length.
const qrSide = 220

// picture draws an address for authenticator apps as a QR code. The code is a single path, because
// an image would have to be fetched. It is dark on white in both themes: not every app reads
// inverted codes.
func picture(address string) app.UI {
	path, width, err := qrPath(address)
	if err != nil {
		return kit.El("div hidden=true") // the person can type the key instead
	}
	// Modules have whole pixels: fractions would blur them or make them differ in width.
	side := width * max(1, qrSide/width)
	box := fmt.Sprint("0 0 ", width, " ", width)
	return kit.El("svg").XMLNS(kit.SVG).Attr("class", "qr").Attr("role", "img").Attr("aria-label",
		"QR code of the key for your authenticator app").Attr("viewBox", box).Attr("width", side).Attr("height", side).Body(
		kit.El("path").XMLNS(kit.SVG).Attr("d", path),
	)
}

func (p drawing) appBox() app.UI {
	return p.box("Set up an app", "Turn on", "primary",
		paragraph("Scan this with your authenticator app, or type the key into it:"),
		picture(p.begun.Text("barcode_uri")),
		kit.El("output.secret id=secret aria-label=%", "Key").Text(inFours(p.begun.Text("manual_input_code"))),
		kit.El("div.links").Body(
			kit.El("button.link type=button data-act=copy data-arg=manual_input_code").Text("Copy the key"),
			kit.El("a href=%", p.begun.Text("barcode_uri")).Text("Open it in an app on this device"),
		),
		kit.El("label.stack for=otp").Body(
			kit.El("span").Text("Then enter the code from the app."),
			kit.El("input id=otp type=text autofocus=true inputmode=numeric autocomplete=one-time-code maxlength=20 aria-label=%", "Code"),
		),
	)
}

func (p drawing) endBox() app.UI {
	s, _ := p.shown.place(p.of)
	if s.current {
		return p.box("Sign out of this browser?", "Sign out", "danger",
			paragraph("Unsaved work in other windows of this browser cannot be saved until you sign in again."))
	}
	return p.box(fmt.Sprintf("Sign out %s?", s.title()), "Sign out", "danger",
		paragraph(fmt.Sprintf("%s. %s. It has to sign in again.", s.came(time.Now()), p.shown.where(s))))
}

// copied announces that the code or key of a dialog was copied.
func (p ways) copied(ctx app.Context, member string) {
	word := "the code"
	if member == "manual_input_code" {
		word = "the key"
	}
	p.toast.Say(ctx, fmt.Sprintf("Copied %s.", word))
}
