package account

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// has reports whether the person has a way to sign in of the given kind.
func (p *desk) has(kind string) bool {
	_, ok := find(p.shown.methods, func(m method) bool { return m.Kind == kind })
	return ok
}

// ways adds, renames and deletes ways to sign in.
type ways struct{ *desk }

// start is the first half of an enrolment: the tenant answers with the data for the second half. It must not run
// on the page's goroutine.
func (p ways) start(kind string) (*schema.Object, error) {
	return p.client.Send(p.life.Context(), "POST", me+"/authentication-methods", schema.NewObject(schema.Member{Key: "type", Value: kind}))
}

// finish is the second half of an enrolment: members prove possession of the new method.
func (p ways) finish(kind string, begun *schema.Object, proof ...schema.Member) (*schema.Object, error) {
	body := schema.NewObject(schema.Member{Key: "auth_session", Value: begun.Text("auth_session")})
	for _, m := range proof {
		body = body.With(m.Key, m.Value)
	}
	return p.client.Send(p.life.Context(), "POST", methodPath(kind+"|new")+"/verify", body)
}

// begin runs the first half and opens the dialog for the second. This way a sign-in that is too old is detected
// before the person types anything.
func (p ways) begin(ctx app.Context, kind string, d dialog) {
	p.modal.Back = kit.Control(kind, "")
	var begun *schema.Object
	p.work(ctx, kind, func() (err error) {
		begun, err = p.start(kind)
		return err
	}, func(ctx app.Context) {
		p.begun = begun
		p.ask(ctx, d, kind, "")
	})
}

// prove runs the second half with the person's input and announces the result.
func (p ways) prove(ctx app.Context, kind, said string, proof ...schema.Member) {
	begun := p.begun
	p.work(ctx, kind, func() error {
		_, err := p.finish(kind, begun, proof...)
		return err
	}, func(ctx app.Context) { p.done(ctx, said, "") })
}

// newPassword is the member of a proof that holds the chosen password.
const newPassword = "new_password"

// setPassword sets the password, and ends the other sessions if others is true. A password that is too short is not sent.
func (p ways) setPassword(ctx app.Context, chosen string, others bool) {
	if least, n := p.leastPassword(), utf8.RuneCountInString(chosen); n < least {
		p.refuse(ctx, tooShort(least, n))
		return
	}
	said := "Your password was changed."
	if others {
		said = "Your password was changed, and you are signed out everywhere else."
	}
	p.prove(ctx, password, said, schema.Member{Key: newPassword, Value: chosen}, schema.Member{Key: "end_other_sessions", Value: others})
}

// setApp completes the setup of an authenticator app with the code that it shows. Apps show codes in groups of digits.
func (p ways) setApp(ctx app.Context, code string) {
	p.prove(ctx, totp, "Your authenticator app is set up.", schema.Member{Key: "otp_code", Value: strings.ReplaceAll(code, " ", "")})
}

// leastPassword returns the minimum length of a new password in characters, 0 if the tenant does not state one.
func (p *desk) leastPassword() int {
	n, _ := p.begun.Object("policy").Int("min_length")
	return n
}

// makePasskey runs both halves, with the browser's own dialog between them, and then asks for a name.
func (p ways) makePasskey(ctx app.Context) {
	p.modal.Back = kit.Control(passkey, "")
	var made *schema.Object
	p.work(ctx, passkey, func() error {
		begun, err := p.start(passkey)
		if err != nil {
			return err
		}
		answer, err := createPasskey(begun.Object("authn_params_public_key"))
		if err != nil {
			// Browsers' messages vary and do not help: the person cancelled, or took too long.
			kit.LogError(err.Error())
			return errors.New("no passkey was created: try again, or use another device")
		}
		made, err = p.finish(passkey, begun, schema.Member{Key: "authn_response", Value: answer})
		return err
	}, func(ctx app.Context) {
		p.read(ctx, func(ctx app.Context) {
			p.askName(ctx, dialogName, made.Text("id"))
			p.modal.Back = kit.Control(passkey, "")
			p.toast.Say(ctx, "Your passkey was added.")
		})
	})
}

// askName opens the dialog for a method's name, with the current name filled in.
func (p ways) askName(ctx app.Context, d dialog, id string) {
	m, _ := p.shown.method(id)
	p.ask(ctx, d, "rename", id)
	ctx.Defer(func(app.Context) {
		if el := kit.Element("#method-name"); el.Truthy() {
			el.Set("value", m.Name)
			kit.Focus("#method-name")
		}
	})
}

// replaceRecovery creates a recovery code that replaces the current one: only one can exist.
func (p ways) replaceRecovery(ctx app.Context) {
	old, _ := find(p.shown.methods, func(m method) bool { return m.Kind == recovery })
	var begun *schema.Object
	p.work(ctx, recovery, func() (err error) {
		if err = p.delete(methodPath(old.id)); err != nil && client.CodeOf(err) != "not_found" {
			return err
		}
		begun, err = p.start(recovery)
		return err
	}, func(ctx app.Context) {
		p.begun = begun
		p.ask(ctx, dialogRecovery, recovery, "")
		p.replaced = true
	})
}

// copy copies the code in the dialog to the clipboard.
func (p ways) copy(ctx app.Context, member string) {
	text := p.begun.Text(member)
	p.life.Async(ctx, func(context.Context) func(app.Context) {
		err := kit.Copy(text)
		return func(ctx app.Context) {
			if err != nil {
				p.failed = kit.CopyFailed
				return
			}
			p.copied(ctx, member)
		}
	})
}

func problemsOf(err error) []client.Problem {
	if e, ok := errors.AsType[*client.Error](err); ok {
		return e.Problems
	}
	return nil
}
