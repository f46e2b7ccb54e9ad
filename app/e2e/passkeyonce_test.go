//go:build e2e && !js

package e2e

import (
	"path/filepath"
	"testing"
)

// An authenticator's answer is sent once, whichever of the two ways asked for it: submitting a second page would cancel the first
// one's redirect to the application. The test has its own authenticator, because it must control when the authenticator answers.
// Submissions of the page are counted, not sent.
func TestPasskeyAnswerIsSentOnce(t *testing.T) {
	nightly(t) // web/jscheck tests it (passkey.js: an answer is sent once)
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	const authenticator = `(() => {
		window.asked = []; window.sent = [];
		const bytes = new Uint8Array([1, 2, 3]).buffer;
		const answer = { id: "AQID", rawId: bytes, type: "public-key", response: { clientDataJSON: bytes, authenticatorData: bytes, signature: bytes, userHandle: bytes } };
		PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(true);
		navigator.credentials.get = (o) => new Promise((resolve) => asked.push({ way: o.mediation, answer: () => resolve(answer) }));
		HTMLFormElement.prototype.submit = function () { sent.push(new URLSearchParams(new FormData(this)).get("response")); };
	})()`
	for name, answers := range map[string]string{
		// The browser's autofill list is answered; then the button is pressed.
		"autofill, then the button": `asked[0].answer(); await 0; await 0; button.click(); await 0; await 0; asked.slice(1).forEach((a) => a.answer());`,
		// The button is pressed while the list is open, and both are answered.
		"both at once":              `button.click(); await 0; asked[0].answer(); asked[1].answer();`,
		"the button twice":          `button.click(); await 0; button.click(); await 0; asked.forEach((a) => a.answer());`,
		"the button, then autofill": `button.click(); await 0; asked[1].answer(); await 0; await 0; asked[0].answer();`,
	} {
		t.Run(name, func(t *testing.T) {
			p := fresh(t)
			p.before(authenticator)
			p.open(s.Ready.Editor + "/bff/login?return_to=/account")
			p.wait(`window.asked?.length === 1 && asked[0].way === "conditional" && ` + find("button", "Sign in with a passkey"))
			got := evalAsync[[]string](p, `(async () => { const button = `+find("button", "Sign in with a passkey")+`;`+answers+`
				await new Promise((done) => setTimeout(done, 50)); return sent; })()`)
			if len(got) != 1 {
				t.Errorf("%d answers were sent, want 1: %v", len(got), got)
			}
		})
	}
}
