// Tests of web/static/preview.js: hostile HTML of authors, the patching of screens, and the answers that the frame gives.
"use strict";
const assert = require("node:assert/strict");
const { test } = require("node:test");
const { open, everywhere, table } = require("./page.js");

const esc = (s) => s.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
const authors = (html, id = "html_1") => `<div class="af-html-block" data-html="${esc(html)}" data-block="${id}"></div>`;
const field = (id, type, body, more = "") => `<div class="af-field" data-field="${id}" data-type="${type}" ${more}>${body}</div>`;
const next = '<button type="button" data-button="next" data-submit>Next</button>';
const text = (id, value = "") => field(id, "text", `<input id="c-${id}" name="${id}" value="${value}">`);
const screen = (body, step = "step_1", lang = "en") =>
  `<div class="af-form" lang="${lang}" dir="ltr"><div class="af-custom-style"><main class="af-step" data-step="${step}" tabindex="-1">` +
  `<h1 class="fg-hidden">The title</h1>${body}</main></div></div>`;

// frame opens the page of web/pages/preview.html in a window with a parent, and runs the script.
const frame = (t) => {
  const posted = [];
  const parent = { postMessage: (text, target) => posted.push({ ...JSON.parse(text), target }) };
  const page = open(t, '<!doctype html><html lang="en"><head><title>Preview</title><style id="form-css"></style></head><body><div id="screen"></div></body></html>', (window) =>
    Object.defineProperty(window, "parent", { value: parent }));
  // The clock of the script ticks when a test says so.
  page.window.setInterval = (tick) => (page.tick = tick);
  page.run("preview.js");
  page.root = page.$("#screen");
  page.posted = posted;
  page.tell = (data, source = parent) => {
    const event = new page.window.MessageEvent("message", { data });
    Object.defineProperty(event, "source", { value: source });
    page.window.dispatchEvent(event);
  };
  page.show = (html, more = {}) => page.tell(JSON.stringify({ type: "show", html, css: "", theme: "light", focus: "", fresh: false, ...more }));
  page.press = () => {
    page.fire(page.$("main > button[data-button=next]"), "click");
    return posted.at(-1);
  };
  return page;
};

const banned = ["script", "link", "meta", "base", "iframe", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe"];

// Each HTML is of an author; what follows it is what must be left of its text. Handlers and addresses of scripts stay: the policy of the page
// runs neither, and the test of what leaves the frame is below.
const hostile = {
  "a script": ["a<script>ran()</script>b", "ab"],
  "a script in capitals": ["a<ScRiPt SRC=//evil.example></sCrIpT >b", "ab"],
  "a script that is not closed": ["a<script>ran()", "a"],
  "a script in pieces": ["<scr<script>ipt>ran()</script>b", "ipt>ran()b"],
  "a script with a slash": ["a<script/src=data:,ran()></script>b", "ab"],
  "a script of SVG": ["<svg><script>ran()</script><text>b</text></svg>", "b"],
  "a script of SVG with an address": ['<svg><script xlink:href="data:,ran()"/><text>b</text></svg>', "b"],
  "a script of MathML": ["<math><mtext><script>ran()</script>b</mtext></math>", "b"],
  "a script in a foreign object": ["<svg><foreignObject><p>b<script>ran()</script></p></foreignObject></svg>", "b"],
  "a script in an annotation": ['<math><annotation-xml encoding="text/html"><p>b<script>ran()</script></p></annotation-xml></math>', "b"],
  "a script in a title of SVG": ["<svg><title><script>ran()</script>b</title></svg>", "b"],
  "a script behind a style of SVG": ["<svg><style><!--</style><script>ran()</script>--></style>b</svg>", null],
  "a comment that ends early": ["<!--><script>ran()</script>-->b", "-->b"],
  "a comment with a bang": ["<!--a--!><script>ran()</script>b", "b"],
  "markup in a title": ["<title>a</title><script>ran()</script>b", null],
  "markup in a text area": ["<textarea></textarea><script>ran()</script></textarea>b", null],
  "markup in noscript": ['<noscript><p title="</noscript><iframe src=//evil.example></iframe>">b</noscript>', null],
  "markup in noembed": ["<noembed><iframe></noembed><iframe src=//evil.example></iframe>b", null],
  "a table that moves its content": ["<table><script>ran()</script><tr><iframe src=//evil.example></iframe><td>b</table>", "b"],
  "forms in a math table": ["<form><math><mtext></form><form><mglyph><style></math><iframe srcdoc=ran()></iframe>", null],
  "a list of options": ["<select><script>ran()</script><option>b</select>", "b"],
  "a base": ["<base href=//evil.example target=_top>b", "b"],
  "a refresh": ['<meta http-equiv=refresh content="0;url=//evil.example">b', "b"],
  "a policy": ["<meta http-equiv=Content-Security-Policy content=\"script-src *\">b", "b"],
  "a style sheet": ["<link rel=stylesheet href=//evil.example>b", "b"],
  "a prefetch": ["<link rel=dns-prefetch href=//evil.example><link rel=preload as=image imagesrcset=//evil.example>b", "b"],
  "a frame": ["<iframe src=javascript:parent.ran()></iframe>b", "b"],
  "a frame with a document": ['<iframe srcdoc="<script>parent.ran()</script>"></iframe>b', "b"],
  "frames instead of the body": ["<frameset onload=ran()><frame src=//evil.example></frameset>b", "b"],
  "an object": ["<object data=//evil.example><embed src=//evil.example>b</object>c", "c"],
  "an applet": ["<applet code=Evil>b</applet>c", "c"],
  "a portal": ["<portal src=//evil.example></portal><fencedframe></fencedframe>b", "b"],
  "objects within objects": ["<object><object><iframe></iframe></object></object><div><embed><embed></div>b", "b"],
  "another body": ["</div></main></body></html><body onload=ran() data-step=evil>b", "b"],
  "closed elements of ours": ["</div></div></main></fieldset><h1>b</h1>", "b"],
  "plain text to the end": ["<plaintext>b<script>ran()</script>", "b<script>ran()</script>"],
  "an unclosed attribute": ['<p title="><script>ran()</script>', ""],
  "a zero byte": ["<scr\0ipt>b</scr\0ipt><\0script>c", null],
  "a declarative shadow root": ["<div><template shadowrootmode=open><script>ran()</script><slot></slot></template>b</div>", "b"],
  "HTML of an author within it": [`<p data-html="${esc("<iframe></iframe><script>ran()</script>")}">b</p>`, "b"],
  "an element of their own": ["<fg-rich data-held='=<script>='></fg-rich><x-y is=script>b</x-y>", "b"],
};

table("hostile HTML of an author", hostile, frame, (page, [html, left]) => {
  page.show(screen(authors(html) + text("name", "Ada") + next), { fresh: true });
  const block = page.$("[data-block=html_1]");
  for (const e of page.root.querySelectorAll("*")) {
    assert.ok(!banned.includes(e.localName.toLowerCase()), `${e.localName} survives`);
    assert.equal(e.shadowRoot, null);
  }
  if (left !== null) assert.equal(block.textContent, left);
  // What is ours is where it was, and works.
  assert.deepEqual([...page.$("main").children].map((e) => e.localName), ["h1", "div", "div", "button"]);
  assert.equal(page.document.body.children.length, 1);
  assert.equal(page.document.title, "The title");
  assert.deepEqual(page.press(), { type: "press", id: "next", answers: { name: "Ada" }, target: "*" });
});

test("HTML of an author keeps what is harmless", (t) => {
  const page = frame(t);
  const html = '<h2 class="x" style="color: red">a</h2><p>b <b>c</b> <a href="https://a.example/?b=1&amp;c">d</a></p><img src="data:," alt="e"><style>p { color: red }</style>' +
    '<table><tbody><tr><td>f</td></tr></tbody></table><svg viewBox="0 0 1 1"><path d="M0 0"></path></svg><details><summary>g</summary>h</details>';
  page.show(screen(authors(html)));
  assert.equal(page.$("[data-block=html_1]").innerHTML, html);
});

// Values are data in HTML of an author: model/run/template escapes them, and the frame shows what was typed.
const typed = {
  "an address": ["<p>Hello Ada &lt;ada@example.test&gt;</p>", "Hello Ada <ada@example.test>"],
  "a comparison": ["<p>a&lt;b</p>", "a<b"],
  "a reference": ["<p>&amp;amp;</p>", "&amp;"],
  "an image": ["<p>&lt;img src=x onerror=ran()&gt;</p>", "<img src=x onerror=ran()>"],
  "an attribute": ['<p title="&#34;&gt;&lt;b&gt;">a</p>', "a", '"><b>'],
  "an attribute without quotation marks": ["<p title=a&#32;onclick&#61;ran()>a</p>", "a", "a onclick=ran()"],
};

table("what a respondent typed is text", typed, frame, (page, [html, words, title]) => {
  page.show(screen(authors(html)), { fresh: true });
  const block = page.$("[data-block=html_1]");
  assert.deepEqual([...block.querySelectorAll("*")].map((e) => [e.localName, ...e.getAttributeNames()].join()), [title ? "p,title" : "p"]);
  assert.equal(block.textContent, words);
  if (title) assert.equal(block.querySelector("p").title, title);
});

// The author can write every attribute that the script reads, and every id.
const clobbering = {
  "a field": '<div data-field="name" data-type="text"><input name="name" value="evil"></div>',
  "a field that holds everything": '<div data-field="evil" data-type="list" data-kept="{">',
  "ids of controls": '<input id="c-name" name="name" value="evil"><p id="c-own-text">',
  "names of properties of the document": '<img name="getElementById"><form name="querySelector"></form><img id="body" name="title"><form id="documentElement"><input name="dataset"></form>',
  "names of windows": '<a id="parent"></a><a id="CSS"></a><form id="DOMParser" name="performance"></form><img name="performance">',
  "a form that hides its own properties": '<form><input name="closest"><input name="dataset"><input name="matches"><input name="remove"><input name="nodeType"><input name="attributes"></form>',
  "a country": '<ul><li data-region="!!">x</li></ul><p data-region="DE">Q</p>',
  "a wait": '<p data-wait="1" data-waiting="x">x</p><div data-wait="5"><button>x</button></div>',
  "a submit button": '<button data-submit data-button="evil">x</button>',
  "a problem": '<input aria-invalid="true" checked type="checkbox">',
  "a step": '<main data-step="evil"><h1>evil</h1></main>',
  "parts that follow from controls": '<p data-chosen="x"></p><p data-limit="1"></p><p data-pattern="["></p><p data-strength="x"></p><p data-files="x"></p><p data-act="reveal"></p><p class="fg-kept"></p>',
  "a panel": '<details open><summary>x</summary><input data-filter></details>',
};

table("HTML of an author has no meaning", clobbering, frame, (page, html) => {
  page.posted.length = 0;
  // In the hint of a field, too, which is inside the field.
  const hint = `<div class="af-field-hint" data-html="${esc(html)}"></div>`;
  const own = '<input type="radio" name="own" id="c-own" data-other="c-own-text"><input id="c-own-text" data-checks="c-own">';
  page.show(screen(authors(html) + field("name", "text", hint + '<input id="c-name" name="name" value="Ada">') + field("own", "text", own) + next), { fresh: true });
  const { performance } = page.window;
  const now = performance.now();
  performance.now = () => now + 1e5;
  page.tick();
  performance.now = () => now;
  const before = page.$("[data-block=html_1]").innerHTML;
  assert.equal(page.document.title, "The title");
  assert.deepEqual(page.press().answers, { name: "Ada", own: null });
  const typed = page.$("main > [data-field=own] [data-checks]");
  typed.value = "mine";
  page.fire(typed, "input");
  assert.deepEqual(page.posted.at(-1), { type: "answer", id: "own", answers: { own: "mine" }, target: "*" });
  page.show(screen(authors(html) + field("name", "text", hint + '<input id="c-name" name="name" value="Ada">') + field("own", "text", own) + next), { focus: "$problem" });
  assert.equal(page.$("[data-block=html_1]").innerHTML, before);
  assert.equal(page.$("[data-block=html_1]").contains(page.document.activeElement), false);
  // Enter presses the button of ours, and a press on one of theirs is none. The Enter that ends a composition presses nothing.
  page.posted.length = 0;
  for (const more of [{ isComposing: true }, { keyCode: 229 }]) page.fire(page.$("main > [data-field=name] > input"), "keydown", { key: "Enter", ...more });
  assert.equal(page.posted.length, 0);
  page.fire(page.$("main > [data-field=name] > input"), "keydown", { key: "Enter" });
  assert.deepEqual(page.posted.map((m) => m.id), ["next"]);
  for (const e of page.$("[data-block=html_1]").querySelectorAll("*")) {
    page.fire(e, "click");
    page.fire(e, "input");
    page.fire(e, "keydown", { key: "Enter" });
  }
  assert.equal(page.posted.length, 1, "an element of the author was pressed");
});

test("the script does not ask the document, whose properties an author can hide", (t) => {
  const page = frame(t);
  const hidden = ["getElementById", "querySelector", "querySelectorAll", "createElement", "title", "body", "head", "documentElement", "defaultView"];
  for (const name of hidden) {
    Object.defineProperty(page.document, name, { get: () => assert.fail(`document.${name} is read`), configurable: true });
  }
  const file = field("file", "files", '<input type="file" name="file"><ul data-files="Remove"></ul>', 'data-kept="[{&quot;name&quot;:&quot;a.pdf&quot;,&quot;size&quot;:2048}]"');
  page.show(screen(text("name") + file + next));
  page.show(screen(text("name") + file + next), { focus: "name" });
  for (const name of hidden) delete page.document[name]; // the page needs them to close
  assert.equal(page.root.querySelector("li").firstChild.data, "a.pdf, 2 KB");
});

test("nothing that an author writes leaves the frame", (t) => {
  const page = frame(t);
  const html = '<a id="a" href="https://evil.example"><b id="in">x</b></a><svg><a id="svg" xlink:href="https://evil.example"><text id="text">x</text></a>' +
    '<a id="animated"><animate attributeName="href" values="javascript:ran()"></animate><text id="deep">x</text></a><use id="use"><set attributeName="href" to="#a"></set></use></svg>' +
    '<map><area id="area" href="javascript:ran()"></map><form id="form" action="//evil.example"><button id="send">x</button></form><math><mi id="math" href="javascript:ran()">x</mi></math><p id="plain">x</p>';
  page.show(screen(authors(html)));
  const free = (id, type) => page.fire(page.$("#" + id), type);
  for (const type of ["click", "auxclick"]) {
    for (const id of ["a", "in", "svg", "text", "animated", "deep", "use", "area", "math"]) assert.equal(free(id, type), false, `${type} on ${id}`);
    assert.equal(free("plain", type), true);
  }
  assert.equal(free("form", "submit"), false);
  for (const type of ["dragover", "drop"]) {
    assert.equal(free("plain", type), false);
    assert.equal(page.fire(page.document, type), false, `${type} on the document`);
  }
});

test("only the parent says what is shown", (t) => {
  const page = frame(t);
  const message = JSON.stringify({ type: "show", html: screen(text("name")), css: "", theme: "", focus: "", fresh: true });
  page.tell(message, page.window);
  page.tell(message, null);
  page.tell({ type: "show", html: screen(text("name")) });
  page.tell(JSON.stringify({ type: "other" }));
  assert.equal(page.root.innerHTML, "");
  page.tell(message);
  assert.ok(page.$("[data-field=name]"));
});

// --- The patching of screens ---

test("a patch keeps elements, the focus, the selection and what was typed", (t) => {
  const page = frame(t);
  page.show(screen(text("first", "a") + text("second", "b") + next));
  const [first, second] = page.root.querySelectorAll("input");
  second.focus();
  second.value = "typed";
  second.setSelectionRange(1, 3);
  page.show(screen('<p class="af-step-messages">New</p>' + text("first", "a2") + text("second", "b2") + next));
  assert.equal(page.document.activeElement, second);
  assert.deepEqual([second.value, second.selectionStart, second.selectionEnd], ["typed", 1, 3]);
  assert.equal(page.root.querySelectorAll("input")[0], first);
  assert.equal(page.root.querySelector(".af-step-messages").textContent, "New");
  assert.equal(second.getAttribute("value"), "b2");
});

test("a patch follows fields that change places, come and go", (t) => {
  const page = frame(t);
  page.show(screen(text("a") + text("b") + text("c")));
  const was = Object.fromEntries(["a", "b", "c"].map((id) => [id, page.$(`[data-field=${id}]`)]));
  was.c.querySelector("input").value = "typed";
  page.show(screen(text("c") + text("d") + text("a")));
  const now = [...page.root.querySelectorAll("[data-field]")];
  assert.deepEqual(now.map((e) => e.dataset.field), ["c", "d", "a"]);
  assert.equal(now[0], was.c);
  assert.equal(now[2], was.a);
  assert.equal(was.b.isConnected, false);
  assert.equal(now[0].querySelector("input").value, "typed");
});

test("a patch of equal keys shows as many elements as there are", (t) => {
  const page = frame(t);
  page.show(screen(text("a", "1") + text("a", "2")));
  page.show(screen(text("a", "3") + text("a", "4") + text("a", "5")));
  assert.deepEqual([...page.root.querySelectorAll("input")].map((c) => c.defaultValue), ["3", "4", "5"]);
  page.show(screen(text("a", "6")));
  assert.deepEqual([...page.root.querySelectorAll("input")].map((c) => c.defaultValue), ["6"]);
});

test("a patch makes texts, attributes and kinds of elements new", (t) => {
  const page = frame(t);
  page.show(screen(field("a", "text", 'before<input id="c0" name="a" maxlength="3" required>after', 'aria-required="true"')));
  const was = page.$("[data-field=a]");
  page.show(screen(field("a", "list", 'then<input id="c0" name="a">', 'aria-label="x"')));
  assert.equal(page.$("[data-field=a]"), was);
  assert.equal(was.outerHTML, '<div class="af-field" data-field="a" data-type="list" aria-label="x">then<input id="c0" name="a"></div>');
  page.show(screen(field("a", "text", '<textarea id="c0" name="a" rows="4">text</textarea>')));
  assert.equal(was.innerHTML, '<textarea id="c0" name="a" rows="4">text</textarea>');
  page.show(screen('<fieldset data-field="a" data-type="text"><legend>x</legend></fieldset>'));
  assert.equal(page.$("[data-field=a]").localName, "fieldset");
  assert.equal(page.root.querySelectorAll("[data-field=a]").length, 1);
});

test("a patch leaves alone what a person opens, hides or shows", (t) => {
  const page = frame(t);
  const html = screen(field("a", "text", '<details><summary>x</summary></details><input name="a" type="password" data-secret><p data-pattern="x">x</p>'));
  page.show(html);
  page.$("details").open = true;
  page.$("[data-secret]").type = "text";
  page.$("[data-secret]").value = "x";
  page.fire(page.$("[data-secret]"), "input");
  page.show(html);
  assert.equal(page.$("details").open, true);
  assert.equal(page.$("[data-secret]").type, "text");
  assert.equal(page.$("[data-pattern]").dataset.met, "true");
  page.show(html, { fresh: true });
  assert.equal(page.$("details").open, false);
  assert.equal(page.$("[data-secret]").value, "");
});

test("a patch makes HTML of an author new only if it changed", (t) => {
  const page = frame(t);
  page.show(screen(authors("<p>a</p>")));
  const was = page.$("[data-block=html_1] p");
  page.show(screen(authors("<p>a</p>")));
  assert.equal(page.$("[data-block=html_1] p"), was);
  page.show(screen(authors("<p>b</p><script>ran()</script>")));
  assert.equal(page.$("[data-block=html_1]").innerHTML, "<p>b</p>");
  page.show(screen('<div data-block="html_1"><p>ours</p></div>'));
  assert.equal(page.$("[data-block=html_1]").outerHTML, '<div data-block="html_1"><p>ours</p></div>');
});

test("another step replaces the screen and takes the focus", (t) => {
  const page = frame(t);
  page.show(screen(text("a")));
  page.$("input").focus();
  page.show(screen(text("a"), "step_2", "de"), { css: "p { color: red }", theme: "dark" });
  assert.equal(page.document.activeElement, page.$("main"));
  assert.equal(page.$("main").dataset.step, "step_2");
  const html = page.document.documentElement;
  assert.deepEqual([html.lang, html.dir, html.dataset.theme, page.$("#form-css").textContent], ["de", "ltr", "dark", "p { color: red }"]);
});

// --- Answers ---

const box = (type, value, checked, more = "") => `<input type="${type}" name="x" ${value === null ? "" : `value="${value}"`} ${checked ? "checked" : ""} ${more}>`;
const answers = [
  ["text", '<input name="x" value=" a ">', " a "],
  ["text", '<input name="x" value=" ">', null],
  ["text", box("radio", "a") + box("radio", "b", true), "b"],
  ["text", box("radio", "a") + box("radio", "", true, 'id="o" data-other="o-text"') + '<input id="o-text" value="own">', "own"],
  ["text", '<select name="x"><option value="a"></option><option value="b" selected></option></select>', "b"],
  ["text", '<textarea name="x">\ud800a</textarea>', "".toWellFormed ? "\ufffda" : "\ud800a"],
  ["text", '<input value="no name">', null],
  ["boolean", box("checkbox", "true", true), true],
  ["boolean", box("checkbox", "true"), false],
  ["boolean", box("radio", "true") + box("radio", "false", true), false],
  ["boolean", box("radio", "true") + box("radio", "false"), null],
  ["list", box("checkbox", "a", true) + box("checkbox", "b") + box("checkbox", "c", true), ["a", "c"]],
  ["list", box("checkbox", "a"), null],
  ["object", '<input name="x" value="1" data-member="n"><input type="radio" name="y" value="DE" checked data-member="c" data-companion>', { n: "1", c: "DE" }],
  ["object", '<input name="x" value="" data-member="n"><input type="radio" name="y" value="DE" checked data-member="c" data-companion>', null],
  ["object", '<input type="checkbox" name="x" checked data-member="flag">', { flag: true }],
  ["object", '<input name="x" value="evil" data-member="__proto__"><input name="x" value="1" data-member="n">', { n: "1" }],
  ["files", '<input type="file" name="x">', null],
];
table("the answer of", Object.fromEntries(answers.map((row) => [row.slice(0, 2).join(" "), row])), frame, (page, [type, body, want]) => {
  page.show(screen(field("f", type, body) + next), { fresh: true });
  assert.deepEqual(page.press().answers, { f: want });
});

test("an answer is kept until a control changes or it is removed", (t) => {
  const page = frame(t);
  page.show(screen(field("f", "text", '<input name="f"><p class="fg-kept">kept <button type="button" data-act="clear">x</button></p>', 'data-kept="&quot;secret&quot;"') + next));
  assert.deepEqual(page.press().answers, { f: "secret" });
  assert.equal(page.$(".fg-kept").hidden, false);
  page.$("input").value = "new";
  page.fire(page.$("input"), "input");
  assert.deepEqual(page.posted.at(-1).answers, { f: "new" });
  assert.equal(page.$(".fg-kept").hidden, true);
  page.$("input").value = "";
  page.fire(page.$("[data-act=clear]"), "click");
  assert.deepEqual(page.posted.at(-1).answers, { f: null });
});

test("a field with the name of a prototype is a field", (t) => {
  const page = frame(t);
  page.show(screen(text("__proto__", "a") + next));
  page.fire(page.$("[data-button]"), "click");
  assert.deepEqual(Object.entries(page.posted.at(-1).answers), [["__proto__", "a"]]);
});

// --- What follows from the controls ---

test("counters, patterns and strengths follow what is typed", (t) => {
  const page = frame(t);
  page.show(screen(field("f", "text", '<input name="f" type="password" data-secret><button type="button" data-act="reveal" data-show="Show" data-hide="Hide"><span></span></button>' +
    '<p data-limit="10"></p><p data-pattern="\\p{Nd}"></p><div data-strength="none, weak, fair, good, strong"><meter max="4"></meter><span></span></div>')));
  const type = (value) => {
    page.$("input").value = value;
    page.fire(page.$("input"), "input");
    return [page.$("[data-limit]").hidden ? null : page.$("[data-limit]").textContent, page.$("[data-pattern]").dataset.met, page.$("[data-strength] span").textContent];
  };
  assert.deepEqual(type(""), [null, "false", ""]);
  assert.deepEqual(type("short"), [null, "false", "none"]);
  assert.deepEqual(type("longer12"), ["8 / 10", "true", "weak"]);
  assert.deepEqual(type("longer12longer12"), ["16 / 10", "true", "good"]);
  assert.deepEqual(type("Longer-12-longer"), ["16 / 10", "true", "strong"]);
  assert.equal(page.$("[data-act] span").textContent, "Show");
  page.fire(page.$("[data-act]"), "click");
  assert.deepEqual([page.$("input").type, page.$("[data-act] span").textContent], ["text", "Hide"]);
});

test("a dropdown is opened, filtered and chosen from by keys", (t) => {
  const page = frame(t);
  const rows = ["Österreich", "Italia", "Österberg"].map((name, i) => `<li><label><input type="radio" name="f" value="${i}">${name}</label></li>`).join("");
  page.show(screen(field("f", "text", `<details><summary tabindex="0"><span data-chosen="Choose"></span></summary><input data-filter><ul>${rows}</ul><p class="af-dropdown-message" hidden>none</p></details>`) + next));
  assert.equal(page.$("[data-chosen]").textContent, "Choose");
  page.fire(page.$("summary"), "click");
  assert.equal(page.document.activeElement, page.$("[data-filter]"));
  page.$("[data-filter]").value = "oster";
  page.fire(page.$("[data-filter]"), "input");
  assert.deepEqual([...page.root.querySelectorAll("li")].map((li) => li.hidden), [false, true, false]);
  page.fire(page.$("[data-filter]"), "keydown", { key: "Enter" });
  assert.equal(page.$("details").open, false);
  assert.equal(page.$("[data-chosen]").textContent, "Österreich");
  assert.deepEqual(page.posted.at(-1).answers, { f: "0" });
  assert.equal(page.document.activeElement, page.$("summary"));
  page.fire(page.$("summary"), "click");
  page.fire(page.window, "pointerdown");
  assert.equal(page.$("details").open, false, "a press elsewhere closes it");
});

test("countries have names in the language of the screen, in order", (t) => {
  const page = frame(t);
  const list = (...codes) => `<ul>${codes.map((c) => `<li><span data-region="${c}">${c}</span></li>`).join("")}</ul>`;
  page.show(screen(list("US", "DE", "AT"), "s", "de"));
  assert.deepEqual([...page.root.querySelectorAll("li")].map((li) => li.textContent), ["Deutschland", "Österreich", "Vereinigte Staaten"]);
  page.show(screen(list("US", "DE"), "t", "not a language"));
  assert.deepEqual([...page.root.querySelectorAll("li")].map((li) => li.textContent), ["US", "DE"]);
});

test("a button waits for its seconds", (t) => {
  const page = frame(t);
  let now = 0;
  page.window.performance.now = () => now;
  page.show(screen('<div data-wait="2" data-waiting="in {{ remaining_seconds }} s"><button disabled>Again</button><span class="fg-waiting"></span></div>'));
  assert.equal(page.$(".fg-waiting").textContent, "in 2 s");
  now = 1500;
  page.tick();
  assert.equal(page.$(".fg-waiting").textContent, "in 1 s");
  now = 2000;
  page.tick();
  assert.deepEqual([page.$("button").disabled, page.$(".fg-waiting")], [false, null]);
});

test("Escape that nothing handles goes back to the editor", (t) => {
  const page = frame(t);
  page.show(screen(text("a")));
  page.fire(page.$("input"), "keydown", { key: "Escape", isComposing: true });
  assert.notEqual(page.posted.at(-1).type, "leave");
  page.fire(page.$("input"), "keydown", { key: "Escape" });
  assert.deepEqual(page.posted.at(-1), { type: "leave", target: "*" });
});

test("events of any target", (t) => {
  const page = frame(t);
  const list = '<details><summary>Choose</summary><ul><li><label><input type="radio" name="c"> One</label></li></ul></details>';
  page.show(screen(text("name") + field("c", "list", list) + authors("<p>a <b>b</b></p>") + next));
  everywhere(page);
});
