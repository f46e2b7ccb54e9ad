package account

import (
	"context"
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/signout"
	"github.com/formgraph/formgraph/model/schema"
)

func (p *Page) onClick(ctx app.Context, e app.Event) {
	if name, arg, ok := p.header.Press(ctx, e, p.shown.user); ok {
		p.do(ctx, name, arg)
	}
}

// do runs the act of a control, unless another one is still running.
func (p *Page) do(ctx app.Context, name, arg string) {
	if p.busy {
		return
	}
	switch name {
	case "sign-out":
		ctx.Async(func() { signout.Run(p.client) })
	case "sign-in":
		kit.Leave("/bff/login?return_to=/account")
	case kit.OtherAccount:
		kit.Leave(kit.SignInAddress("/account", true))
	case "retry":
		p.load(ctx)
	case "cancel":
		p.cancel(ctx)
	case "confirm":
		leaveToConfirm(p.act)
	case "show-password":
		p.visible = !p.visible
	case "copy":
		p.ways.copy(ctx, arg)
	case password:
		p.ways.begin(ctx, password, dialogPassword)
	case passkey:
		p.ways.makePasskey(ctx)
	case totp:
		p.ways.begin(ctx, totp, dialogApp)
	case recovery:
		if p.has(recovery) {
			p.ask(ctx, dialogReplaceRecovery, name, "")
			return
		}
		p.ways.begin(ctx, recovery, dialogRecovery)
	case "rename":
		p.ways.askName(ctx, dialogRename, arg)
	case "delete":
		p.ask(ctx, dialogDelete, name, arg)
	case "end":
		p.ask(ctx, dialogEnd, name, arg)
	case "everywhere":
		p.ask(ctx, dialogEverywhere, name, "")
	case "take-back":
		p.ask(ctx, dialogTakeBack, name, arg)
	}
}

func (p *Page) onKey(ctx app.Context, e app.Event) {
	if !p.header.Key(e, e.Get("key").String()) && p.open != noDialog && e.Get("key").String() == "Escape" {
		e.PreventDefault()
		if !p.busy {
			p.cancel(ctx)
		}
	}
}

// onSubmit confirms the open dialog. Its fields are in a form, so that Enter works and password managers recognize them.
func (p *Page) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	p.confirm(ctx)
}

// confirm carries out the action of the open dialog.
func (p *Page) confirm(ctx app.Context) {
	if p.busy {
		return
	}
	switch p.open {
	case dialogPassword:
		p.ways.setPassword(ctx, typed("new-password"), ticked("end-others"))
	case dialogApp:
		p.ways.setApp(ctx, typed("otp"))
	case dialogRecovery:
		p.ways.prove(ctx, recovery, "Your recovery code is ready.")
	case dialogReplaceRecovery:
		p.ways.replaceRecovery(ctx)
	case dialogRename, dialogName:
		p.ways.rename(ctx)
	case dialogDelete:
		p.ways.remove(ctx)
	case dialogEnd:
		p.places.end(ctx)
	case dialogEverywhere:
		p.places.endAll(ctx)
	case dialogTakeBack:
		p.places.takeBack(ctx)
	case noDialog, dialogFresh:
	}
}

// ask opens a dialog about the thing with the id of. On closing, the focus returns to the control of act and of.
func (p *desk) ask(ctx app.Context, d dialog, act, of string) {
	p.toast.Clear()
	p.open, p.of, p.failed, p.visible = d, of, "", false
	if act != "" {
		p.modal.Back = kit.Control(act, of)
	}
	p.modal.Open(ctx, "")
}

// cancel closes a dialog without carrying out its action. If the dialog shows a new recovery code that replaces another,
// neither code can be used afterwards.
func (p *desk) cancel(ctx app.Context) {
	gone := p.open == dialogRecovery && p.replaced
	p.shut(ctx)
	if gone {
		p.read(ctx, func(app.Context) {
			p.failed = "The old recovery code no longer works, and the new one was not saved. Create another."
		})
	}
}

// shut closes the dialog, returns the focus and forgets the data of the dialog.
func (p *desk) shut(ctx app.Context) {
	p.open, p.of, p.begun, p.act, p.failed, p.replaced = noDialog, "", nil, "", "", false
	p.modal.Close(ctx, "")
}

// done reads the account again, closes the dialog and announces the result. The focus moves to the selector focus, or
// back to where it was if focus is "".
func (p *desk) done(ctx app.Context, said, focus string) {
	p.read(ctx, func(ctx app.Context) {
		if focus != "" {
			p.modal.Back = focus
		}
		p.shut(ctx)
		p.toast.Say(ctx, said)
	})
}

// work makes calls in the background. An error is shown in the dialog, or above the cards. If the sign-in is too old,
// work asks for a fresh one to continue with act.
func (p *desk) work(ctx app.Context, act string, do func() error, then func(app.Context)) {
	p.busy, p.failed, p.wrong = true, "", ""
	p.life.Async(ctx, func(context.Context) func(app.Context) {
		err := do()
		return func(ctx app.Context) {
			p.busy = false
			switch {
			case err == nil:
				then(ctx)
			case client.CodeOf(err) == "fresh_sign_in":
				p.act, p.begun = act, nil
				p.ask(ctx, dialogFresh, "", "")
			case kit.StatusOf(err) == 401:
				kit.CloseDialog()
				p.open, p.signedOut = noDialog, true
				kit.FocusSoon(ctx, "[data-act=sign-in]", 0)
			default:
				p.fail(ctx, err)
			}
		}
	})
}

// fail explains a failure; for a body that breaks a rule, it names the rule.
func (p *desk) fail(ctx app.Context, err error) {
	problems := problemsOf(err)
	if len(problems) == 0 {
		p.failed = kit.Sentence(err)
		return
	}
	said := kit.AsSentence(problems[0].Detail)
	if problems[0].Path == newPassword {
		p.refuse(ctx, said)
		return
	}
	p.failed = said
}

// refuse shows what is wrong with the new password, at its field.
func (p *desk) refuse(ctx app.Context, wrong string) {
	p.failed, p.wrong = "", wrong
	ctx.Defer(func(app.Context) { kit.Focus(`dialog [aria-invalid="true"]`) })
}

func (p ways) rename(ctx app.Context) {
	name, of := strings.TrimSpace(typed("method-name")), p.of
	p.work(ctx, "", func() error {
		_, err := p.client.Send(p.life.Context(), "PATCH", methodPath(of), schema.NewObject(schema.Member{Key: "name", Value: name}))
		return err
	}, func(ctx app.Context) {
		if name == "" {
			m, _ := p.shown.method(of)
			name = m.KindName()
		}
		p.done(ctx, fmt.Sprintf("Renamed to %s.", kit.Quote(name)), "")
	})
}

func (p ways) remove(ctx app.Context) {
	m, _ := p.shown.method(p.of)
	p.work(ctx, m.Kind, func() error { return p.delete(methodPath(m.id)) }, func(ctx app.Context) {
		p.done(ctx, fmt.Sprintf("%s was deleted.", kit.Quote(m.Title())), "#ways")
	})
}

// places ends sign-ins and withdraws consents.
type places struct{ *desk }

func (p places) end(ctx app.Context) {
	s, _ := p.shown.place(p.of)
	p.work(ctx, "", func() error { return p.delete(me + "/sessions/" + s.id) }, func(ctx app.Context) {
		if s.current {
			p.leave(ctx)
			return
		}
		p.done(ctx, "Signed out.", "#places")
	})
}

func (p places) endAll(ctx app.Context) {
	p.work(ctx, "", func() error { return p.delete(me + "/sessions") }, func(ctx app.Context) {
		p.everywhere = true
		p.leave(ctx)
	})
}

// leave shows that the person is signed out, even before the tenant has notified the server.
func (p *desk) leave(ctx app.Context) {
	kit.CloseDialog()
	p.open, p.signedOut, p.shown = noDialog, true, profile{}
	kit.FocusSoon(ctx, "[data-act=sign-in]", 0)
}

func (p places) takeBack(ctx app.Context) {
	c, _ := p.shown.consent(p.of)
	p.work(ctx, "", func() error { return p.delete(me + "/consents/" + c.id) }, func(ctx app.Context) {
		p.done(ctx, fmt.Sprintf("%s no longer has access.", c.name), "#applications")
	})
}

func (p *desk) delete(path string) error {
	_, err := p.client.Send(p.life.Context(), "DELETE", path, nil)
	return err
}

// methodPath is the path of a method. The bar is the only character in its id that needs escaping.
func methodPath(id string) string {
	return me + "/authentication-methods/" + strings.ReplaceAll(id, "|", "%7C")
}
