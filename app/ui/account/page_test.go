package account

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/uitest"
)

// visit is a person's page with a fake server that answers by method and path.
type visit struct {
	*Page
	t       *testing.T
	mu      sync.Mutex
	answers map[string]string // bodies; one that begins with a digit starts with its status
	changes []string          // requests other than GET
}

func newVisit(t *testing.T) *visit {
	t.Helper()
	v := &visit{Page: New(), t: t, answers: map[string]string{
		"GET /bff/user":               `{"sub":"ana","name":"Ana","email":"ana@x.test"}`,
		"GET /factors":                `{"factors":[{"type":"password"},{"type":"passkey"},{"type":"totp"},{"type":"recovery-code"}]}`,
		"GET /authentication-methods": methodsText,
		"GET /sessions":               `{"sessions":[{"id":"here","current":true,"browser":true},{"id":"there","clients":["c1"]}]}`,
		"GET /consents":               `{"consents":[{"id":"c1","client_name":"Shop","grants":[{"scopes":["openid"]}]}]}`,
		"POST /authentication-methods": `{"auth_session":"s","policy":{"min_length":8},"recovery_code":"AAAA",
			"manual_input_code":"ABCDEFGH","barcode_uri":"otpauth://totp/Ana?secret=ABCDEFGH"}`,
	}}
	v.client, v.life = client.New(uitest.Server(v.answer)), kit.NewLife()
	return v
}

func (v *visit) answer(r client.Request) (client.Response, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	path := strings.TrimPrefix(r.Path, me)
	if r.Method != "GET" {
		v.changes = append(v.changes, strings.TrimSpace(r.Method+" "+path+" "+string(r.Body)))
	}
	body := v.answers[r.Method+" "+path]
	switch {
	case body == "" && r.Method != "GET":
		return uitest.Answer(204, ""), nil
	case strings.HasPrefix(body, "4"):
		return uitest.Answer(map[string]int{"400": 400, "401": 401, "403": 403}[body[:3]], body[3:]), nil
	case body == "":
		return uitest.Answer(502, `{"code":"x","detail":"the tenant is down"}`), nil
	}
	return uitest.Answer(200, body), nil
}

// play opens the page and runs the steps.
func (v *visit) play(steps ...func(ctx app.Context)) {
	v.t.Helper()
	uitest.Play(v.t, append([]func(app.Context){v.load}, steps...)...)
}

func (v *visit) press(act, arg string) func(app.Context) {
	return func(ctx app.Context) { v.do(ctx, act, arg) }
}

// shows is a step that looks for texts in the drawn page; a text that begins with "!" must be absent.
func (v *visit) shows(texts ...string) func(app.Context) {
	return func(app.Context) {
		html := app.HTMLString(v.drawing.body()) + app.HTMLString(v.drawing.dialog())
		for _, text := range texts {
			want, absent := strings.CutPrefix(text, "!")
			if strings.Contains(html, want) == absent {
				v.t.Errorf("the page shows %q: %t", want, absent)
			}
		}
	}
}

// sent is a step that compares the changes since the last one.
func (v *visit) sent(want ...string) func(app.Context) {
	return func(app.Context) {
		if !slices.Equal(v.changes, want) {
			v.t.Errorf("sent %q, want %q", v.changes, want)
		}
		v.changes = nil
	}
}

// set is a step that changes an answer of the server.
func (v *visit) set(request, body string) func(app.Context) {
	return func(app.Context) { v.answers[request] = body }
}

func TestAccountStates(t *testing.T) {
	v := newVisit(t)
	v.play(
		func(ctx app.Context) { v.load(ctx); v.shows("Loading your account…", "!Laptop")(ctx) },
		v.shows("ana@x.test", "Laptop", "Change password", "This browser", "Shop", "Know who you are"),
		v.set("GET /sessions", ""), v.press("retry", ""), v.shows("This could not be loaded", "The tenant is down.", "!Laptop"),
		v.set("GET /sessions", `403{"code":"scope","detail":"this tenant has no account API"}`), v.press("retry", ""),
		v.shows("Your account cannot be changed here", "This tenant has no account API."),
		v.set("GET /bff/user", `401{"code":"session_expired","detail":"x"}`), v.press("retry", ""),
		v.shows("You are signed out", `data-act="sign-in"`),
	)
}

func TestNewAccountOffersWaysToAdd(t *testing.T) {
	v := newVisit(t)
	v.answers["GET /authentication-methods"] = `{"authentication_methods":[]}`
	v.answers["GET /consents"] = `{"consents":[]}`
	v.noPasskeys = true
	v.play(
		v.shows("Set a password", "You have no passkey yet.", "This browser cannot create passkeys.", "Set up an app", "Create a recovery code",
			"No application acts on your behalf."),
		// A first code that was not saved did not replace another.
		v.press(recovery, ""), v.shows("AAAA"), v.press("cancel", ""), v.shows("!no longer works"),
	)
}

// A way to sign in is deleted after confirmation. A refusal is shown in the dialog, which stays open.
func TestWayIsDeletedAfterConfirmation(t *testing.T) {
	v := newVisit(t)
	const request = "DELETE /authentication-methods/passkey%7Ca"
	v.play(
		v.press("delete", "passkey|a"), v.shows("Delete “Laptop”?"), v.press("cancel", ""), v.shows("!Delete “Laptop”?"), v.sent(),
		v.set(request, `400{"code":"x","detail":"it is the last way to sign in"}`),
		v.press("delete", "passkey|a"), v.confirm, v.shows("Delete “Laptop”?", "It is the last way to sign in."), v.sent(request),
		v.set(request, ""), v.set("GET /authentication-methods", `{"authentication_methods":[]}`),
		v.confirm, v.shows("!Laptop"), v.sent(request),
	)
}

// The dialog that renames a way to sign in says what kind it is of.
func TestRenameSaysWhat(t *testing.T) {
	v := newVisit(t)
	const request = "PATCH /authentication-methods/passkey%7Ca"
	v.play(
		v.press("rename", "passkey|a"), v.shows(">Rename passkey<"), v.confirm, v.sent(request+` {"name":""}`), v.shows("!>Rename passkey<"),
	)
}

// A password is changed in two steps. A password that breaks the rules gets a message at its field instead of the rule, and
// the dialog stays open. One that is too short is not sent.
func TestPasswordIsChanged(t *testing.T) {
	v := newVisit(t)
	const verify = "POST /authentication-methods/password%7Cnew/verify"
	choose := func(text string) func(app.Context) {
		return func(ctx app.Context) { v.ways.setPassword(ctx, text, false) }
	}
	proof := func(text string) string {
		return verify + ` {"auth_session":"s","new_password":"` + text + `","end_other_sessions":false}`
	}
	atField := func(text string) func(app.Context) {
		return func(app.Context) {
			_, field, _ := strings.Cut(app.HTMLString(v.drawing.dialog()), "New password")
			field, rest, _ := strings.Cut(field, "Show the password")
			for _, want := range []string{` aria-invalid`, `aria-describedby="password-problem"`, `id="password-problem"`, text} {
				if !strings.Contains(field, want) || strings.Contains(field, `aria-invalid="false"`) {
					t.Errorf("the field of the password lacks %q: %s", want, field)
				}
			}
			if strings.Contains(rest, text) {
				t.Errorf("%q is also shown elsewhere: %s", text, rest)
			}
		}
	}
	v.play(
		v.set(verify, `400{"code":"invalid_body","detail":"x","problems":[{"path":"new_password","detail":"must not be a common password"}]}`),
		v.press(password, ""), v.shows("At least 8 characters.", `type="password"`, `aria-invalid="false"`, `aria-describedby="password-rule"`),
		v.press("show-password", ""), v.shows(`!type="password"`),
		v.confirm, atField("Use at least 8 characters."),
		choose("ééééé"), atField("Use at least 8 characters. This has 5."),
		choose("password"), atField("Must not be a common password."),
		v.set(verify, `400{"code":"x","detail":"the tenant is down"}`), choose("password 2"),
		v.shows("The tenant is down.", `aria-invalid="false"`, "!common"),
		v.set(verify, ""), choose("password 3"), v.shows("!New password"),
		v.sent(`POST /authentication-methods {"type":"password"}`, proof("password"), proof("password 2"), proof("password 3")),
		v.press(password, ""), choose("x"), v.press("cancel", ""), v.press(password, ""), v.shows("!Use at least", "At least 8 characters."),
	)
}

// If the sign-in is too old, the page asks for a fresh one in order to continue with the act.
func TestOldSignInAsksForFreshOne(t *testing.T) {
	v := newVisit(t)
	v.play(
		v.set("POST /authentication-methods", `401{"code":"fresh_sign_in","detail":"x"}`),
		v.press(totp, ""), v.shows("Confirm your identity", "!You are signed out"),
		func(app.Context) {
			if v.act != totp {
				t.Errorf("it is for %q", v.act)
			}
		},
		v.press("cancel", ""), v.shows("!Confirm your identity"),
		v.set("POST /authentication-methods", `401{"code":"session_expired","detail":"x"}`),
		v.press(totp, ""), v.shows("You are signed out"),
	)
}

// A new recovery code replaces the old one at once: if it is not saved, no code works, and the page
// says so.
func TestUnsavedRecoveryCodeIsReported(t *testing.T) {
	v := newVisit(t)
	v.play(
		v.press(recovery, ""), v.shows("Create a new recovery code?"), v.confirm, v.shows("AAAA", "I have saved it"),
		v.sent("DELETE /authentication-methods/recovery-code%7Cd", `POST /authentication-methods {"type":"recovery-code"}`),
		v.press("cancel", ""), v.shows("The old recovery code no longer works, and the new one was not saved.", "!AAAA"),
	)
	v = newVisit(t)
	v.play(
		v.press(recovery, ""), v.confirm, v.confirm, v.shows("!AAAA", "!was not saved"),
		v.sent("DELETE /authentication-methods/recovery-code%7Cd", `POST /authentication-methods {"type":"recovery-code"}`,
			`POST /authentication-methods/recovery-code%7Cnew/verify {"auth_session":"s"}`),
	)
}

// Ending another sign-in keeps the page open; ending this one, or all, leaves the page.
func TestSignInsAreEnded(t *testing.T) {
	v := newVisit(t)
	v.play(
		v.press("end", "there"), v.shows("It has to sign in again."),
		v.set("GET /sessions", `{"sessions":[{"id":"here","current":true}]}`), v.confirm, v.shows("!there", "This browser"),
		v.press("end", "here"), v.shows("Sign out of this browser?"), v.confirm, v.shows("You are signed out", "!Laptop"),
		v.sent("DELETE /sessions/there", "DELETE /sessions/here"),
	)
	v = newVisit(t)
	v.play(v.press("everywhere", ""), v.confirm, v.shows("You are signed out everywhere."), v.sent("DELETE /sessions"))
}

func TestAccessIsRevoked(t *testing.T) {
	v := newVisit(t)
	v.play(
		v.press("take-back", "c1"), v.shows("Revoke the access of “Shop”?"), v.set("GET /consents", `{"consents":[]}`),
		v.confirm, v.shows("No application acts on your behalf."), v.sent("DELETE /consents/c1"),
	)
}

// No act begins while another one is running.
func TestActsRunOneAtATime(t *testing.T) {
	v := newVisit(t)
	v.play(func(ctx app.Context) {
		v.press("delete", "passkey|a")(ctx)
		v.confirm(ctx)
		v.confirm(ctx)
		v.press("everywhere", "")(ctx)
		if v.open != dialogDelete {
			t.Errorf("the dialog %d is open", v.open)
		}
	}, v.sent("DELETE /authentication-methods/passkey%7Ca"))
}

// A new password ends the other sign-ins, unless the person chooses otherwise.
func TestNewPasswordEndsOtherSignIns(t *testing.T) {
	const verify = `POST /authentication-methods/password%7Cnew/verify {"auth_session":"s","new_password":"password 1","end_other_sessions":`
	for _, end := range []bool{true, false} {
		v := newVisit(t)
		v.play(
			v.press(password, ""), v.shows("Sign out everywhere else"),
			func(app.Context) {
				box := regexp.MustCompile(`<input[^>]*id="end-others"[^>]*>`).FindString(app.HTMLString(v.drawing.dialog()))
				if !strings.Contains(box, " checked") || strings.Contains(box, `checked="false"`) {
					t.Errorf("the box is %q", box)
				}
			},
			func(ctx app.Context) { v.ways.setPassword(ctx, "password 1", end) },
			v.sent(`POST /authentication-methods {"type":"password"}`, verify+strconv.FormatBool(end)+"}"),
		)
	}
}

// The dialog offers the key of an authenticator app as text and as a link. A code that the app shows completes the setup, also after a wrong one.
func TestAppIsSetUp(t *testing.T) {
	const verify = "POST /authentication-methods/totp%7Cnew/verify"
	proof := func(code string) string { return verify + ` {"auth_session":"s","otp_code":"` + code + `"}` }
	v := newVisit(t)
	v.play(
		v.press(totp, ""), v.shows("ABCD EFGH", `href="otpauth://totp/Ana?secret=ABCDEFGH"`),
		v.set(verify, `400{"code":"invalid_body","problems":[{"path":"otp_code","code":"value","detail":"must be the code that the app shows now"}]}`),
		func(ctx app.Context) { v.ways.setApp(ctx, "000 000") }, v.shows("ABCD EFGH", "the code that the app shows now"),
		v.set(verify, ""),
		func(ctx app.Context) { v.ways.setApp(ctx, "123 456") }, v.shows("!ABCD EFGH"),
		v.sent(`POST /authentication-methods {"type":"totp"}`, proof("000000"), proof("123456")),
	)
}

// After a fresh sign-in the page says, once, that the person can go on.
func TestFreshSignInIsContinued(t *testing.T) {
	v := newVisit(t)
	v.act = totp
	v.play(func(ctx app.Context) {
		if v.act != "" {
			t.Errorf("the page has loaded and still waits for %q", v.act)
		}
		v.act = totp
		for _, want := range []string{"Thank you. You can continue now.", ""} {
			if v.arrive(ctx); v.toast.Text() != want {
				t.Errorf("says %q, want %q", v.toast.Text(), want)
			}
			v.toast.Clear()
		}
	})
}
