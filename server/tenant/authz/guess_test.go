package authz_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// tooLong is a wrong password that is refused without the time for hashing. It counts as a guess.
var tooLong = strings.Repeat("x", 1025)

// guess sends a wrong password for Ana from an address, in a new browser.
func (f *fixture) guess(from string) int {
	f.t.Helper()
	f.peer = from
	b := f.browser()
	return b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", tooLong).StatusCode
}

// attack sends twenty wrong passwords from four networks, as many as an account allows strangers within an hour.
func (f *fixture) attack() {
	f.t.Helper()
	for i := range 20 {
		if got := f.guess(fmt.Sprintf("198.51.100.%d", i/5)); got != http.StatusBadRequest {
			f.t.Fatalf("guess %d = %d, want 400", i, got)
		}
	}
}

func TestGuessesFromManyNetworksAreSlowed(t *testing.T) {
	f := newFixture(t)
	f.attack()
	for i, from := range []string{"203.0.113.1", "203.0.113.2", "2001:db8:0:1::1"} {
		f.wait(time.Second << i)
		if got := f.guess(from); got != http.StatusBadRequest {
			t.Errorf("the first guess of %s = %d, want 400", from, got)
		}
	}
	for _, from := range []string{"203.0.113.1", "2001:db8:0:1:ffff::2"} { // the second is of the same /64
		if got := f.guess(from); got != http.StatusTooManyRequests {
			t.Errorf("the second guess of %s within an hour = %d, want 429", from, got)
		}
	}
	f.wait(time.Hour)
	if got := f.guess("203.0.113.1"); got != http.StatusBadRequest {
		t.Errorf("after an hour = %d, want 400", got)
	}
}

// However many networks guess at one account, whether it exists or not, each guess makes the next one wait, twice as long each time. What is
// refused for that costs a network nothing.
func TestGuessesFromAnyNumberOfNetworksAreFew(t *testing.T) {
	for _, email := range []string{"ana@example.com", "nobody@example.com"} {
		f := newFixture(t)
		network := 0
		next := func() answer {
			network++
			f.peer = fmt.Sprintf("10.%d.%d.1", network>>8, network&255)
			b := f.browser()
			return b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), email, tooLong)
		}
		for i := range 20 {
			if a := next(); a.StatusCode != http.StatusBadRequest {
				t.Fatalf("%s: guess %d = %d, want 400", email, i+1, a.StatusCode)
			}
		}
		var pauses []string
		passed := 20
		for end := f.clock().Add(time.Hour - time.Minute); f.clock().Before(end); {
			if a := next(); a.StatusCode != http.StatusBadRequest {
				t.Fatalf("%s: after the pause = %d, want 400", email, a.StatusCode)
			}
			passed++
			a := next()
			if a.StatusCode != http.StatusTooManyRequests {
				t.Fatalf("%s: the next guess = %d, want 429", email, a.StatusCode)
			}
			network-- // it has its guess later
			if len(pauses) < 11 {
				pauses = append(pauses, a.Header.Get("Retry-After"))
			}
			seconds, _ := strconv.Atoi(a.Header.Get("Retry-After"))
			f.wait(time.Duration(seconds) * time.Second)
		}
		if got := strings.Join(pauses, " "); got != "1 2 4 8 16 32 64 128 256 256 256" || passed < 40 || passed > 45 {
			t.Errorf("%s: %d guesses in an hour, with pauses of %s s", email, passed, got)
		}
	}
}

// The owner's own sign-ins during an attack give the attackers no more guesses, and are never slowed where the owner has signed in before.
func TestOwnerIsNotSlowedAndHelpsNoAttacker(t *testing.T) {
	f := newFixture(t)
	enter := func(b *browser) int {
		t.Helper()
		return b.submit(b.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""), "ana@example.com", password).StatusCode
	}
	f.peer = "192.0.2.10"
	home := f.browser()
	if got := enter(home); got != http.StatusSeeOther {
		t.Fatalf("sign-in before the attack = %d", got)
	}
	f.attack()
	for i := range 10 { // until the pause is the longest
		f.wait(time.Second << min(i, 8))
		if got := f.guess(fmt.Sprintf("203.0.113.%d", i)); got != http.StatusBadRequest {
			t.Fatalf("guess %d of a new network = %d, want 400", i+1, got)
		}
	}
	f.peer = "192.0.2.10"
	for range 12 {
		if a, b := enter(home), enter(f.browser()); a != http.StatusSeeOther || b != http.StatusSeeOther {
			t.Fatalf("the owner at home = %d, and in a new browser there = %d, want 303", a, b)
		}
	}
	if got := f.guess("203.0.113.100"); got != http.StatusTooManyRequests {
		t.Errorf("after the owner's sign-ins, a guess = %d, want 429", got)
	}
	f.wait(255 * time.Second)
	if got := f.guess("203.0.113.100"); got != http.StatusTooManyRequests {
		t.Errorf("before the pause ends, a guess = %d, want 429", got)
	}
	f.wait(time.Second)
	// With the right password, a new device in a new network has waited as well, and makes nobody pause.
	f.peer = "192.0.2.77"
	if got := enter(f.browser()); got != http.StatusSeeOther {
		t.Errorf("the owner at a new place after the pause = %d, want 303", got)
	}
	if got := f.guess("203.0.113.101"); got != http.StatusBadRequest {
		t.Errorf("the guess after it = %d, want 400", got)
	}
}

// Passwords that applications send are guesses like those on the page.
func TestPasswordGrantIsSlowedByAccount(t *testing.T) {
	f := newFlows(t)
	ask := func(from, pass string) int {
		f.peer = from
		return f.post("/oauth/token", []string{
			"grant_type", "password", "client_id", "native", "username", "ana@example.com", "password", pass,
		}).StatusCode
	}
	f.attack()
	if got := ask("203.0.113.1", tooLong); got != http.StatusBadRequest {
		t.Errorf("the first guess after an attack on the page = %d, want 400", got)
	}
	if got := ask("203.0.113.2", tooLong); got != http.StatusTooManyRequests {
		t.Errorf("the next one of another network = %d, want 429", got)
	}
}

func TestOwnerSignsInWhileOthersGuess(t *testing.T) {
	f := newFixture(t)
	enter := func(b *browser, pass string) int {
		t.Helper()
		return b.submit(b.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""), "ana@example.com", pass).StatusCode
	}
	f.peer = "192.0.2.10"
	home := f.browser()
	if got := enter(home, password); got != http.StatusSeeOther {
		t.Fatalf("sign-in before the attack = %d", got)
	}
	f.attack()
	f.peer = "192.0.2.99"
	if got := enter(f.browser(), password); got != http.StatusSeeOther {
		t.Errorf("with the right password from a new address = %d, want 303", got)
	}
	// People can still mistype from a network where they signed in before.
	f.peer = "192.0.2.10"
	fresh := f.browser()
	for i, want := range []int{400, 400, 400, http.StatusSeeOther} {
		pass := tooLong
		if want == http.StatusSeeOther {
			pass = password
		}
		if got := enter(fresh, pass); got != want {
			t.Errorf("attempt %d from a known network = %d, want %d", i, got, want)
		}
	}
	// A stranger in the same network uses up its guesses. A known browser has its own.
	for range 6 {
		f.guess("192.0.2.10")
	}
	if got := f.guess("192.0.2.10"); got != http.StatusTooManyRequests {
		t.Errorf("the stranger = %d, want 429", got)
	}
	f.peer = "192.0.2.10"
	if got := enter(f.browser(), password); got != http.StatusTooManyRequests {
		t.Errorf("an unknown browser in that network = %d, want 429", got)
	}
	if got := enter(home, password); got != http.StatusSeeOther {
		t.Errorf("the known browser = %d, want 303", got)
	}
	for range 5 {
		enter(home, tooLong)
	}
	if got := enter(home, password); got != http.StatusTooManyRequests {
		t.Errorf("the known browser after five wrong passwords = %d, want 429", got)
	}
}

func TestKnownBrowserCookieIsBoundToAccountAndTime(t *testing.T) {
	f := newFixture(t)
	b := f.browser()
	b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", password)
	known := b.cookies["fg-tenant-known"]
	if known == nil || !known.HttpOnly || known.SameSite != http.SameSiteLaxMode || known.MaxAge != 90*24*3600 {
		t.Fatalf("the cookie is %v", known)
	}
	spend := func(email string) {
		for range 5 {
			b := f.browser()
			b.submit(b.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""), email, tooLong)
		}
	}
	status := func(value, email string) int {
		x := f.browser()
		c := *known
		c.Value = value
		x.cookies[c.Name] = &c
		return x.submit(x.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""), email, tooLong).StatusCode
	}
	spend("ana@example.com")
	spend("bob@example.com")
	for _, tt := range []struct {
		name, value, email string
		want               int
	}{
		{"as it was set", known.Value, "ana@example.com", http.StatusBadRequest},
		{"for another account", known.Value, "bob@example.com", http.StatusTooManyRequests},
		{"changed", changed(known.Value), "ana@example.com", http.StatusTooManyRequests},
		{"longer lived", strings.Replace(known.Value, ".1", ".2", 1), "ana@example.com", http.StatusTooManyRequests},
		{"garbage", "..", "ana@example.com", http.StatusTooManyRequests},
	} {
		if got := status(tt.value, tt.email); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	f.wait(90 * 24 * time.Hour)
	spend("ana@example.com")
	if got := status(known.Value, "ana@example.com"); got != http.StatusTooManyRequests {
		t.Errorf("after 90 days: %d, want 429", got)
	}
}

// A person with an earlier password can be known in any number of browsers. They get no more guesses at the next password
// than strangers in one network.
func TestManyKnownBrowsersHaveFewGuesses(t *testing.T) {
	f := newFixture(t)
	enter := func(b *browser, pass string) int {
		t.Helper()
		return b.submit(b.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""), "ana@example.com", pass).StatusCode
	}
	var known []*browser
	for range 6 {
		b := f.browser()
		if got := enter(b, password); got != http.StatusSeeOther {
			t.Fatalf("sign-in = %d", got)
		}
		known = append(known, b)
	}
	passed := 0
	for _, b := range known {
		for range 5 {
			if enter(b, tooLong) == http.StatusBadRequest {
				passed++
			}
		}
	}
	if passed != 25 { // 20 of known browsers, then 5 of their network
		t.Errorf("%d wrong passwords were tried, want 25", passed)
	}
	f.peer = "192.0.2.50"
	if got := enter(f.browser(), password); got != http.StatusSeeOther {
		t.Errorf("the right password from another network = %d, want 303", got)
	}
}

// Neither the right password nor a refused attempt counts as a guess.
func TestOnlyWrongPasswordsCount(t *testing.T) {
	f := newFixture(t)
	enter := func(b *browser, email, pass string) answer {
		t.Helper()
		return b.submit(b.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""), email, pass)
	}
	f.peer = "192.0.2.10"
	home := f.browser()
	for range 22 {
		enter(home, "ana@example.com", password)
		enter(f.browser(), "ana@example.com", password)
	}
	for i := range 2 {
		if got := f.guess("203.0.113.1"); got != http.StatusBadRequest {
			t.Errorf("guess %d from a new network after many right passwords = %d, want 400", i, got)
		}
	}
	for range 6 {
		f.guess("192.0.2.10")
	}
	f.peer = "192.0.2.10"
	if a := enter(home, "ana@example.com", tooLong); a.StatusCode != http.StatusBadRequest {
		t.Errorf("a wrong password in a known browser after many right ones = %d, want 400", a.StatusCode)
	}

	f.wait(time.Hour)
	f.attack()
	f.guess("203.0.113.2") // the only one for an hour
	for range 100 {
		f.guess("203.0.113.2")
	}
	b := f.browser()
	if a := enter(b, "ana@example.com", tooLong); a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") != "3600" {
		t.Errorf("after refused attempts = %d, Retry-After %s, want 429 and an hour", a.StatusCode, a.Header.Get("Retry-After"))
	}
	if a := enter(b, "bob@example.com", tooLong); a.StatusCode != http.StatusBadRequest {
		t.Errorf("another account after refused attempts = %d, want 400", a.StatusCode)
	}
}
