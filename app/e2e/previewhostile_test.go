//go:build e2e && !js

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	pagecdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/app/preview/previewtest"
	"github.com/formgraph/formgraph/model"
)

// catcher is an address at which nothing must arrive.
type catcher struct {
	url     string
	arrived atomic.Int32
}

func newCatcher(t *testing.T) *catcher {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	c := &catcher{url: "http://" + l.Addr().String() + "/caught"}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c.arrived.Add(1)
			_ = conn.Close()
		}
	}()
	return c
}

// payloads are HTML that runs a script, navigates, or requests U, if it can. RUN is a script that says so.
const payloads = `
<script>RUN</script>
<script src="U"></script>
<script type=module>RUN</script>
<script type=importmap>{"imports":{"a":"U"}}</script><script type=module>import "a"</script>
<script type=speculationrules>{"prefetch":[{"source":"list","urls":["U"]}],"prerender":[{"source":"list","urls":["U"]}]}</script>
<svg><script>RUN</script></svg>
<svg><script href="U"/></svg>
<svg onload="RUN"></svg>
<svg><image href="U"/><image xlink:href="U"/></svg>
<svg><use href="U#a"/></svg>
<svg><filter id=f><feImage href="U"/></filter><rect width=9 height=9 filter="url(#f)"/></svg>
<svg><rect width=9 height=9 fill="url(U#g)"/></svg>
<svg><animate onbegin="RUN" attributeName=x dur=1s></svg>
<svg><set attributeName=onclick to="RUN"/></svg>
<svg><a href="javascript:RUN"><text y=20>x</text></a></svg>
<svg><a><animate attributeName=href values="javascript:RUN"/><text y=20>x</text></a></svg>
<svg><foreignObject><iframe src="U"></iframe></foreignObject></svg>
<math><mi href="U">x</mi></math>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=RUN&gt;">
<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=RUN>
<noscript><p title="</noscript><img src=x onerror=RUN>">
<img src=x onerror="RUN">
<img src="U">
<img srcset="U 1x, U 2x">
<img src="U" loading=lazy>
<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='RUN'><image href='U'/></svg>">
<picture><source srcset="U"><img></picture>
<video src="U" autoplay poster="U"></video>
<video><source src=x onerror="RUN"></video>
<audio src="U" autoplay></audio>
<video><track default src="U"></video>
<input type=image src="U">
<input autofocus onfocus="RUN">
<body onload="RUN" background="U">
<table background="U"><td background="U">x</table>
<details open ontoggle="RUN"><summary>x</summary></details>
<marquee onstart="RUN">x</marquee>
<iframe src="U"></iframe>
<iframe srcdoc="<script>RUN</script><img src='U'>"></iframe>
<iframe src="javascript:RUN"></iframe>
<iframe src="/bff/login"></iframe>
<frameset><frame src="U"></frameset>
<object data="U"></object>
<object data="data:text/html,<script>RUN</script>"></object>
<embed src="U">
<link rel=stylesheet href="U">
<link rel=preload as=image href="U">
<link rel=prefetch href="U">
<link rel=preconnect href="U">
<link rel=modulepreload href="U">
<link rel=icon href="U">
<link rel=manifest href="U">
<meta http-equiv=refresh content="0;url=U">
<meta http-equiv=refresh content="0;url=javascript:RUN">
<meta http-equiv=refresh content="0;url=/bff/login">
<meta http-equiv=Content-Security-Policy content="default-src *">
<base href="U/"><img src=y>
<form action="U"><input name=a><button>x</button><input type=submit><button formaction="javascript:RUN">y</button></form>
<form action="javascript:RUN"><button>x</button></form>
<form id=late></form><button form=late formaction="U">x</button>
<a href="U">x</a>
<a href="U" target=_top>x</a>
<a href="U" target=_blank rel=opener>x</a>
<a href="javascript:RUN">x</a>
<a href="data:text/html,<script>RUN</script>">x</a>
<a href="#x" ping="U">x</a>
<a href="/forms" target=_parent>x</a>
<a href="U" download>x</a>
<map name=m><area href="U" shape=default></map><img usemap="#m" width=9 height=9 src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<template><script>RUN</script></template>
<template shadowrootmode=open><img src="U"><script>RUN</script></template>
<style>@import "U"; * { background: url(U); cursor: url(U), auto; list-style: url(U); border-image: url(U) 9; }</style>
<style>@font-face { font-family: f; src: url(U) } * { font-family: f }</style>
<style>input[value^=a] { background: image-set("U" 1x) } @media screen { body::after { content: url(U) } }</style>
<style>@namespace svg url(U); @keyframes k { to { background: url(U) } } * { animation: k 1ms }</style>
<p style="background: url(U); content: url(U)" onanimationstart="RUN">x</p>
<p style="animation: k 1ms" onanimationstart="RUN">x</p><style>@keyframes k { to { opacity: .9 } }</style>
<p onpointerenter="RUN" onclick="RUN" style="position: fixed; inset: 0">x</p>
<img name=getElementById><img name=title><img name=activeElement><form name=body><input name=firstChild></form>
<div data-field=x data-type=text><input name=x value=stolen></div><button data-button=x data-submit>x</button>
<button type=button data-act=fill data-fill="{">x</button><details open><summary>x</summary><input data-filter></details>
<x-element onclick="RUN" tabindex=0 autofocus onfocus="RUN">x</x-element>
</div></main></div><script>RUN</script><img src="U">
</textarea></title></style></select></template><img src=x onerror="RUN">
<plaintext><img src=x onerror="RUN">
<!--><img src=x onerror="RUN">-->
<![CDATA[><img src=x onerror="RUN">]]>
<portal src="U"></portal><fencedframe></fencedframe><applet code="U"></applet>
`

const marker = `window.hit=1;window.told&&told.push('hit');parent.postMessage('hit','*')`

// payloadsFor returns the payloads for an address.
func payloadsFor(u string) []string {
	var list []string
	for line := range strings.Lines(strings.TrimSpace(payloads)) {
		list = append(list, strings.NewReplacer("RUN", marker, "U", u).Replace(strings.TrimSpace(line)))
	}
	return list
}

// hostileCSS returns a style sheet that contains a payload and requests an address, if it can.
func hostileCSS(text, u string) string {
	return `</style>` + text + `@import "` + u + `"; body { background: url(` + u + `); } body::after { content: url("` + u + `") }`
}

// hostileScreens returns screens with each payload in every text of every kind.
func hostileScreens(u string) []preview.Show {
	var shows []preview.Show
	for _, text := range payloadsFor(u) {
		var items []preview.Item
		for _, s := range previewtest.Samples() {
			if s.Name == "telephone with a country" {
				continue // the names of 240 countries are not the author's
			}
			it := preview.Item{Component: previewtest.WithTexts(s.Item.Component, text), Problem: text}
			if s.Item.Component.Category != model.Block {
				it.Answer = text
			}
			items = append(items, it)
		}
		for _, address := range []string{u, "javascript:" + marker, "data:text/html,<script>" + marker + "</script>"} {
			items = append(items, preview.Item{Component: previewtest.Component(`{"id":"i","category":"BLOCK","type":"IMAGE","config":{"src":` + js(address) + `}}`)})
		}
		show := step(items...)
		show.HTML = preview.Screen{Node: "step", Language: text, Title: text, Problem: text, Items: append(items, next), Images: true}.Render()
		show.CSS = hostileCSS(text, u)
		shows = append(shows, show)
	}
	return shows
}

// traffic collects the requests of a page that no policy blocked.
type traffic struct {
	mu   sync.Mutex
	sent map[network.RequestID]string
}

func watchTraffic(p *page) *traffic {
	p.t.Helper()
	w := &traffic{sent: map[network.RequestID]string{}}
	if err := chromedp.Listen(p.ctx, func(ev any) {
		w.mu.Lock()
		defer w.mu.Unlock()
		switch ev := ev.(type) {
		case *network.EventRequestWillBeSent:
			if strings.HasPrefix(ev.Request.URL, "http") || strings.HasPrefix(ev.Request.URL, "ws") {
				w.sent[ev.RequestID], _, _ = strings.Cut(ev.Request.URL, "?")
			}
		case *network.EventLoadingFailed:
			if ev.BlockedReason != "" { // by a policy: it was not sent
				delete(w.sent, ev.RequestID)
			}
		}
	}); err != nil {
		p.t.Fatal(err)
	}
	return w
}

// nothingLeft reports requests beside those for the server's own pages and files, which the test must have seen.
func (w *traffic) nothingLeft(t *testing.T, c *catcher, own ...string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	left := map[string]bool{}
	for _, address := range w.sent {
		if !strings.HasSuffix(address, "/favicon.ico") && !strings.HasSuffix(address, "/favicon.svg") { // a browser without windows requests no icons
			left[address] = true
		}
	}
	for _, o := range own {
		if !left[o] {
			t.Errorf("the test does not see the request for %s", o)
		}
		delete(left, o)
	}
	if len(left) > 0 || c.arrived.Load() > 0 {
		t.Errorf("%d connections, and requests for %v", c.arrived.Load(), slices.Collect(maps.Keys(left)))
	}
}

// inFrame evaluates an expression for a text, or a promise of one, in the frame with an address.
func (p *page) inFrame(address, expression string) string {
	p.t.Helper()
	text, err := p.frame(address, expression)
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// frame is inFrame that returns an error while there is no such frame.
func (p *page) frame(address, expression string) (text string, err error) {
	got, err := p.evaluateInFrame(address, expression, true)
	if err != nil {
		return "", err
	}
	return text, json.Unmarshal(got.Value, &text)
}

// evaluateInFrame evaluates an expression in a frame, and returns its value or a reference to it.
func (p *page) evaluateInFrame(address, expression string, byValue bool) (*runtime.RemoteObject, error) {
	return chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) (got *runtime.RemoteObject, err error) {
		tree, err := cdp.Call(ctx, t, pagecdp.GetFrameTree, cdp.Empty{})
		if err != nil {
			return got, err
		}
		for _, f := range tree.FrameTree.ChildFrames {
			if f.Frame.URL != address {
				continue
			}
			world, err := cdp.Call(ctx, t, pagecdp.CreateIsolatedWorld, pagecdp.CreateIsolatedWorldParams{FrameID: f.Frame.ID})
			if err != nil {
				return got, err
			}
			yes := true
			res, err := cdp.Call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{
				Expression: expression, ContextID: world.ExecutionContextID, AwaitPromise: &yes, ReturnByValue: &byValue,
			})
			if err != nil {
				return got, err
			}
			if res.ExceptionDetails != nil {
				return got, fmt.Errorf("%s: %s", expression, res.ExceptionDetails.Text)
			}
			return res.Result, nil
		}
		return got, fmt.Errorf("no frame has the address %s", address)
	})
}

// TestPreviewHostile shows payloads as a page of its own, where navigation and windows are not those of a frame, and presses what they
// draw: nothing runs, nothing is requested, and the page stays.
func TestPreviewHostile(t *testing.T) {
	t.Parallel()
	c := newCatcher(t)
	p := openPreview(t)
	traffic := watchTraffic(p)
	p.open(eval[string](p, `location.href`))
	p.wait(`told.some(m => m.includes("ready"))`)
	at := eval[string](p, `location.href`)
	eval[any](p, `window.stays = true`)
	for i, show := range sample(5, hostileScreens(c.url)) {
		p.show(show)
		eval[any](p, `document.querySelectorAll("[data-html] :is(a, area, button, input, summary, p, x-element, mi, [href])").forEach(e => {
			for (const type of ["pointerenter", "pointerdown", "pointerup", "focus"]) e.dispatchEvent(new Event(type, { bubbles: true }));
			if (e.click) e.click(); else e.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
			e.focus?.();
		}); 0`)
		p.fence()
		if got := eval[string](p, `[window.hit, window.stays, location.href, document.querySelectorAll("[data-html] :is(script, iframe, object, embed, link, meta, base)").length].join()`); got != ",true,"+at+",0" {
			t.Fatalf("payload %d: %s: %s", i, got, show.CSS[8:200])
		}
		if got := eval[string](p, `told.filter(m => m === "hit" || /"id":"x"|stolen/.test(m)).join()`); got != "" {
			t.Fatalf("payload %d: the frame says %s", i, got)
		}
	}
	traffic.nothingLeft(t, c, at)
}

// TestPreviewFrameHostile shows payloads in the frame of a page of ours. Nothing runs, nothing is requested, and the frame answers to its
// parent alone.
func TestPreviewFrameHostile(t *testing.T) {
	t.Parallel()
	c := newCatcher(t)
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	traffic := watchTraffic(p)
	p.open(s.Ready.Editor + "/nowhere")
	eval[any](p, `window.told = []; window.frame = document.createElement("iframe");
		addEventListener("message", e => told.push(e.source === frame.contentWindow && e.origin === "null" ? e.data : "foreign " + e.data));
		frame.setAttribute("sandbox", "allow-scripts"); frame.src = "/preview"; document.body.append(frame); 0`)
	p.wait(`told.some(m => m.includes("ready"))`)
	show := func(s preview.Show) { eval[any](p, `frame.contentWindow.postMessage(`+js(s.Message())+`, "*")`) }
	// sized waits for a screen of another height, which shows that the frame has handled what came before.
	short := preview.Show{HTML: preview.Screen{Node: "short"}.Render(), Fresh: true}
	sized := func() {
		eval[any](p, `told.length = 0`)
		show(short)
		p.wait(`told.some(m => m.includes('"size"'))`)
	}
	for i, hostile := range sample(5, hostileScreens(c.url)) {
		eval[any](p, `told.length = 0`)
		hostile.CSS = "main { min-height: 2000px }" + hostile.CSS
		show(hostile)
		p.wait(`told.length > 0`)
		if got := eval[string](p, `told.filter(m => !m.includes('"size"')).join()`); got != "" {
			t.Fatalf("payload %d: the frame says %s", i, got)
		}
		sized()
	}
	// The frame hears its parent only, not another window of the same page.
	eval[any](p, `window.other = document.createElement("iframe"); document.body.append(other); told.length = 0`)
	p.inFrame("about:blank", `parent.frames[0].postMessage(`+js(step(next).Message())+`, "*"); ""`)
	const shown = `new Promise(done => { const c = new MessageChannel(); c.port1.onmessage = () => requestAnimationFrame(() =>
		done(document.querySelector("[data-step]").dataset.step)); setTimeout(() => c.port2.postMessage(0), 100); })`
	if got := p.inFrame(s.Ready.Editor+"/preview", shown); got != "short" {
		t.Errorf("the frame hears another window and shows %s", got)
	}
	if got := eval[string](p, `(() => { try { return String(frame.contentDocument); } catch (e) { return e.name; } })() + ("hit" in window)`); got != "nullfalse" {
		t.Errorf("the frame is not isolated: %s", got)
	}
	editor := s.Ready.Editor
	traffic.nothingLeft(t, c, editor+"/nowhere", editor+"/preview", editor+"/web/theme.js", editor+"/web/tokens.css",
		editor+"/web/shell.css")
}
