// Tests of the smaller scripts of web/static: what is decidable without a screen.
"use strict";
const assert = require("node:assert/strict");
const { test } = require("node:test");
const vm = require("node:vm");
const { open, sourceOf, everywhere } = require("./page.js");

// --- menu.js ---

const menus = (t) => {
  const page = open(t, '<body><ul><li data-menu="row" data-of="1" tabindex="0"><b tabindex="0">x</b></li><li id="none" tabindex="0">y</li></ul><div class="popup"><button>z</button></div></body>');
  page.window.setTimeout = (f, ms) => ((page.timer = { f, ms }), 1);
  page.window.clearTimeout = () => (page.timer = null);
  page.run("menu.js");
  page.asked = [];
  page.document.addEventListener("contextmenu", (e) => page.asked.push([e.target.localName, e.clientX, e.clientY]));
  page.touch = (el, type, x = 5, y = 6) => page.fire(el, type, { pointerType: "touch", button: 0, clientX: x, clientY: y });
  return page;
};

test("menu.js: the right button", (t) => {
  const page = menus(t);
  assert.equal(page.fire(page.$("b"), "contextmenu"), false, "the browser shows its own menu");
  assert.equal(page.fire(page.$(".popup button"), "contextmenu"), false);
  assert.equal(page.fire(page.$("#none"), "contextmenu"), true);
  for (const target of [page.document, page.window]) assert.equal(page.fire(target, "contextmenu"), true);
});

test("menu.js: keys", (t) => {
  const page = menus(t);
  assert.equal(page.fire(page.$("b"), "keydown", { key: "ContextMenu" }), false);
  assert.equal(page.fire(page.$("b"), "keydown", { key: "F10", shiftKey: true }), false);
  assert.equal(page.asked.length, 2);
  assert.equal(page.fire(page.$("b"), "keydown", { key: "F10" }), true);
  assert.equal(page.fire(page.$("#none"), "keydown", { key: "ContextMenu" }), true);
  for (const target of [page.document, page.window]) assert.equal(page.fire(target, "keydown", { key: "ContextMenu" }), true);
  assert.equal(page.asked.length, 2);
});

test("menu.js: a long press asks once, and presses nothing when it ends", (t) => {
  const page = menus(t);
  page.touch(page.$("b"), "pointerdown");
  assert.equal(page.timer.ms, 700);
  page.touch(page.$("b"), "pointermove", 9, 9);
  page.timer.f();
  assert.deepEqual(page.asked, [["b", 5, 6]]);
  assert.equal(page.fire(page.$("b"), "click", { detail: 1 }), false);
  assert.equal(page.fire(page.$("b"), "click", { detail: 1 }), true, "the next press counts");
});

test("menu.js: what is no long press", (t) => {
  const page = menus(t);
  for (const end of [() => page.touch(page.$("b"), "pointermove", 20, 6), () => page.touch(page.$("b"), "pointerup"), () => page.fire(page.document, "scroll")]) {
    page.touch(page.$("b"), "pointerdown");
    end();
    assert.equal(page.timer, null);
  }
  page.fire(page.$("b"), "pointerdown");
  assert.equal(page.timer, null, "a mouse");
  for (const target of [page.$("#none"), page.document, page.window]) page.touch(target, "pointerdown");
  assert.equal(page.timer, null, "no menu is there");
  // A finger that began elsewhere presses nothing in a menu that came meanwhile; a key does.
  page.touch(page.$("#none"), "pointerdown");
  assert.equal(page.fire(page.$(".popup button"), "click", { detail: 1 }), false);
  assert.equal(page.fire(page.$(".popup button"), "click", { detail: 0 }), true);
  assert.equal(page.fire(page.window, "click", { detail: 1 }), true);
});

// --- code.js ---

const code = (t, text, lang = "js", more = {}) => {
  const page = open(t, "<body></body>");
  page.run("code.js");
  page.textarea = page.document.createElement("textarea");
  page.textarea.id = "f";
  page.textarea.value = text;
  page.editor = page.document.createElement("fg-code");
  Object.assign(page.editor.dataset, { held: `=${text}=`, for: "f", lang, ...more });
  page.document.body.append(page.editor, page.textarea);
  page.parts = () => [...page.$("pre").children].map((e) => `${e.className.replace("code-", "")} ${e.textContent}`);
  page.document.execCommand = (name, _, value) => {
    assert.equal(name, "insertText");
    page.textarea.setRangeText(value, page.textarea.selectionStart, page.textarea.selectionEnd, "end");
    page.fire(page.textarea, "input");
  };
  return page;
};

const colors = {
  js: [
    ["// c\nconst a = 1.5; f('x\\'y', `a${b}`) /* d */", ["comment // c", "word const", "number 1.5", "name f", "text 'x\\'y'", "text `a${b}`", "comment /* d */"]],
    ["constant /* not closed", ["comment /* not closed"]],
    ["'not closed\nif (x)", ["text 'not closed", "word if"]],
  ],
  css: [["a-b :\n x;", ["name a-b"]], ["/* c */ @media x { a:hover { color: #fff; width: 1.5em } }", ["comment /* c */", "word @media", "name color", "number #fff", "name width", "number 1.5em"]]],
  json: [['{"a": "b", "c": [true, null, -1.5e3]}', ['name "a"', 'text "b"', 'name "c"', "word true", "word null", "number -1.5e3"]]],
  html: [["<!-- c --><p class=\"a\">{{ b }} &amp;</p>", ["comment <!-- c -->", "word <p", 'text "a"', "word >", "name {{ b }}", "number &amp;", "word </p", "word >"]]],
  unknown: [["const a = 1", []]],
};
for (const [lang, cases] of Object.entries(colors)) {
  test(`code.js: the colors of ${lang}`, async (t) => {
    for (const [text, want] of cases) {
      const page = code(t, text, lang);
      assert.deepEqual(page.parts(), want);
      assert.equal(page.$("pre").textContent, text + "\n", "the text is all there");
    }
  });
}

test("code.js: code is only text", (t) => {
  for (const lang of ["js", "css", "json", "html", "rich", "constructor", "__proto__"]) {
    const text = "<img src=x onerror=ran()><script>ran()</script>\"<b>\" '</pre>' {{<i>}} /*<u>*/";
    const page = code(t, text, lang);
    assert.equal(page.$("pre").textContent, text + "\n");
    for (const e of page.editor.querySelectorAll("pre *")) assert.equal(e.outerHTML, `<span class="${e.className}">${e.innerHTML}</span>`);
    assert.equal(page.editor.querySelector("img, script, b, i, u"), null);
  }
});

test("code.js: hostile code does not take long", (t) => {
  const texts = ["/*".repeat(50000), "'\\".repeat(50000), "{{".repeat(50000), '"'.repeat(99999), "a-".repeat(50000) + ":", "<!--".repeat(25000), "((((".repeat(25000)];
  const page = code(t, "");
  texts.push("{{a".repeat(30000), "a:".repeat(50000), "x".repeat(100000), "f ".repeat(50000), "a" + " ".repeat(99999), "&a".repeat(50000), '"a" '.repeat(25000), "<a ".repeat(30000), "$".repeat(100000));
  const start = process.cpuUsage();
  const languages = vm.runInContext("Object.values(LANGUAGES)", page.context);
  for (const expression of languages) for (const text of texts) for (const m of text.matchAll(expression)) m.index;
  assert.ok(process.cpuUsage(start).user < 3e6, "microseconds");
});

test("code.js: lines have numbers, and a wrong one is marked", (t) => {
  const page = code(t, "a\nb\nc", "js", { line: "2" });
  assert.equal(page.$(".code-numbers").textContent, "123");
  assert.equal(page.$(".code-wrong").textContent, "2");
  page.editor.dataset.line = "0";
  assert.equal(page.$(".code-wrong"), null);
});

test("code.js: the colors follow what is typed, not what is held meanwhile", async (t) => {
  const page = code(t, "let a");
  await page.frame();
  page.textarea.focus();
  page.textarea.value = "let ab";
  page.fire(page.textarea, "input");
  page.editor.dataset.held = "=let a=";
  assert.equal(page.$("pre").textContent, "let ab\n");
  page.textarea.blur();
  page.editor.dataset.held = "=other=";
  assert.equal(page.$("pre").textContent, "other\n");
});

test("code.js: an element that is moved is drawn again", async (t) => {
  const page = code(t, "let a");
  page.document.body.append(page.editor);
  assert.equal(page.$("pre").textContent, "let a\n");
  assert.equal(page.editor.children.length, 2);
  page.editor.remove();
  await page.frame();
  assert.equal(page.editor.children.length, 0);
});

test("code.js: keys indent, and Escape lets Tab leave", async (t) => {
  const page = code(t, "");
  await page.frame();
  const press = (value, key, from = value.length, to = from, more = {}) => {
    page.textarea.value = value;
    page.textarea.setSelectionRange(from, to);
    const free = page.fire(page.textarea, "keydown", { key, ...more });
    return free ? null : page.textarea.value;
  };
  assert.equal(press("a", "Tab"), "a  ");
  assert.equal(press("a\nb", "Tab", 0, 3), "  a\n  b");
  assert.equal(press("  a\n\tb\n   c", "Tab", 0, 11, { shiftKey: true }), "a\nb\n c");
  assert.equal(press("\na", "Tab", 0, 0, { shiftKey: true }), "\na");
  assert.equal(press("  a {", "Enter"), "  a {\n    ");
  assert.equal(press("  a", "Enter"), "  a\n  ");
  press("  ", "}");
  assert.deepEqual([page.textarea.selectionStart, page.textarea.selectionEnd], [0, 2], "the bracket takes the place of an indent");
  assert.equal(press("a", "Tab", 1, 1, { ctrlKey: true }), null);
  assert.equal(press("a", "Escape"), "a");
  assert.equal(press("a", "Tab"), null);
  page.textarea.readOnly = true;
  assert.equal(press("a", "Enter"), null);
});

// --- theme.js ---

test("theme.js: a chosen theme comes before that of the system", (t) => {
  const page = open(t, "<html></html>");
  const root = page.document.documentElement;
  page.window.localStorage.setItem("formgraph.theme", "dark");
  page.run("theme.js");
  assert.equal(root.dataset.theme, "dark");
  for (const [stored, want] of [["light", "light"], ["evil", "light"], ["", "light"], ["dark", "dark"]]) {
    page.window.localStorage.setItem("formgraph.theme", stored);
    page.fire(page.window, "storage");
    assert.equal(root.dataset.theme, want, stored);
  }
  page.window.localStorage.clear();
  page.dark.matches = true;
  page.dark.dispatchEvent(new page.window.Event("change"));
  assert.equal(root.dataset.theme, "dark");
});

test("theme.js: without storage, the system decides", (t) => {
  const page = open(t, "<html></html>", (window) =>
    Object.defineProperty(window, "localStorage", { get: () => { throw new Error("forbidden"); } }));
  page.dark.matches = true;
  page.run("theme.js");
  assert.equal(page.document.documentElement.dataset.theme, "dark");
});

// --- boot.js ---

const boot = (t, { answer, go = true, run = () => new Promise(() => {}), worker, shares } = {}) => {
  const attributes = (shares ? 'data-events="/web/events.js" ' : "") + 'data-dialect="d" data-remote="true" data-version="1" data-build="b" data-go="g" data-wasm="/web/app.wasm" data-what="the editor" data-worker="/web/worker.js#a b"';
  const page = open(t, `<html ${attributes}><body><div id="app-wasm-loader"><div id="app-wasm-loader-bar" aria-valuemin="0"><i></i></div><p id="app-wasm-loader-label"></p><button id="app-wasm-loader-retry" hidden>x</button></div></body></html>`, (window) => {
    Object.assign(window, { TransformStream, Response, Worker: worker, console: { error() {} } });
    if (shares) window.SharedWorker = class {}; // a test replaces it
    window.fetch = async () => {
      if (!answer) throw new Error("offline");
      return answer;
    };
    // The program is eight bytes: one without content.
    window.WebAssembly = { instantiateStreaming: async (response) => ({ instance: await response.arrayBuffer() }) };
    if (go) window.Go = class { importObject = {}; run = run; };
  });
  page.run("boot.js");
  page.label = () => page.$("#app-wasm-loader-label").textContent;
  return page;
};
const program = (total, sizes, ok = 200) => new Response(new ReadableStream({
  async pull(to) {
    if (sizes.length === 0) return to.close();
    to.enqueue(new Uint8Array(sizes.shift()));
  },
}), { status: ok, headers: total ? { "X-Raw-Length": String(total) } : {} });

test("boot.js: the bar follows the bytes", async (t) => {
  let end;
  const sizes = [];
  const page = boot(t, { answer: new Response(new ReadableStream({ start: (to) => (end = to) }), { headers: { "X-Raw-Length": "400" } }) });
  await page.turn(5);
  for (const size of [99, 1, 200, 100, 50]) {
    end.enqueue(new Uint8Array(size));
    await page.turn(5);
    sizes.push(page.$("#app-wasm-loader-bar")?.getAttribute("aria-valuenow"));
  }
  assert.deepEqual(sizes, ["24", "25", "75", "100", "100"]);
  assert.equal(page.label(), "Starting the editor");
  assert.equal(page.$("#app-wasm-loader-bar i").style.width, "100%");
  end.close();
  await page.turn(20);
  assert.equal(page.$("#app-wasm-loader"), null, "the page of the program is there");
});

test("boot.js: without a length, the bar says nothing", async (t) => {
  let label;
  const page = boot(t, { answer: program(0, [8]), run: () => ((label = page.label()), new Promise(() => {})) });
  await page.turn(20);
  assert.equal(label, "");
});

const failures = {
  "no connection": [{}, "The editor could not be loaded. Check the connection, then try again."],
  "no program": [{ answer: program(8, [], 404) }, "The editor is not built into this server: run make wasm, then build the server again."],
  "a failing server": [{ answer: program(8, [], 503) }, "The editor could not be loaded: the server answered 503."],
  "no glue": [{ answer: program(8, [8]), go: false }, "The editor is not built into this server: run make wasm, then build the server again."],
  "a program that ends": [{ answer: program(8, [8]), run: async () => {} }, "The editor stopped. Reload the page to continue."],
  "a program that fails": [{ answer: program(8, [8]), run: () => Promise.reject(new Error("<b>")) }, "The editor could not be started: Error: <b>"],
};
for (const [name, [more, want]] of Object.entries(failures)) {
  test(`boot.js: ${name}`, async (t) => {
    const page = boot(t, more);
    await page.turn(20);
    assert.equal(page.label(), want);
    assert.equal(page.$("#app-wasm-loader-label").children.length, 0);
    assert.equal(page.$("#app-wasm-loader-bar").hidden, true);
    assert.equal(page.$("#app-wasm-loader-retry").hidden, false);
    assert.equal(page.document.activeElement, page.$("#app-wasm-loader-retry"));
  });
}

test("boot.js: a page of the network in place of the program", async (t) => {
  const page = boot(t, { answer: new Response("<html>", { headers: { "Content-Type": "text/html; charset=utf-8" } }) });
  await page.turn(20);
  assert.match(page.label(), /^The editor could not be loaded: the network answered with a page/);
});

test("boot.js: a stream of events, one that is silent, and its end", async (t) => {
  const page = boot(t);
  await page.turn(20);
  const timers = new Map();
  page.window.setTimeout = (f, ms) => (timers.set(timers.size + 1, { f, ms }), timers.size);
  page.window.clearTimeout = (n) => timers.delete(n) && timers.set(0, null);
  let source;
  page.window.EventSource = class {
    on = {};
    constructor(address) { source = Object.assign(this, { address, closed: false }); }
    addEventListener(kind, f) { this.on[kind] = f; }
    close() { this.closed = true; }
  };
  const heard = [];
  const stream = page.window.formgraphEvents("/bff/events?form=a", "hello saved", (...event) => heard.push(event));
  assert.equal(source.address, "/bff/events?form=a");
  source.on.hello({ lastEventId: "7", data: "{}" });
  source.on.beat({ lastEventId: "7", data: "{}" });
  source.on.saved({ lastEventId: "8", data: '{"x":1}' });
  assert.deepEqual(heard.splice(0), [["hello", "7", "{}"], ["saved", "8", '{"x":1}']], "a beat is no event of the form");
  const waiting = () => [...timers.values()].filter(Boolean);
  assert.deepEqual(waiting().map((w) => w.ms), [45_000], "each event begins the wait anew");
  waiting()[0].f();
  source.on.error();
  assert.deepEqual(heard, [["", "", "silent"], ["", "", ""]]);
  stream.close();
  assert.deepEqual([source.closed, waiting().length], [true, 0]);
});

test("boot.js: a stream that all windows share, and one that ends soon", async (t) => {
  const page = boot(t, { shares: true });
  await page.turn(20);
  const workers = [];
  const sources = [];
  const { window } = page;
  window.SharedWorker = class extends window.EventTarget {
    port = Object.assign(new window.EventTarget(), { sent: [], start() {}, postMessage: (what) => this.port.sent.push(Array.isArray(what) ? [...what] : what), close: () => this.port.sent.push("closed") });
    constructor(address) { super(); workers.push(Object.assign(this, { address })); }
  };
  window.EventSource = class extends window.EventTarget {
    constructor(address) { super(); sources.push(address); }
  };
  const heard = [];
  const stream = window.formgraphEvents("/bff/events?form=a&page=p", "hello saved", (...event) => heard.push(event));
  const [{ address, port }] = workers;
  assert.deepEqual([address, port.sent.splice(0)], ["/web/events.js", [["form=a&page=p", "hello saved"]]]);
  const tells = (...data) => port.dispatchEvent(new window.MessageEvent("message", { data }));
  tells("hello", "7", "{}");
  tells("beat", "", "");
  tells("", "", "");
  assert.deepEqual(heard.splice(0), [["hello", "7", "{}"], ["", "", ""]]);
  assert.deepEqual(port.sent.splice(0), ["here"]);
  stream.close();
  tells("saved", "8", "{}");
  assert.deepEqual(port.sent, ["close", "closed"]);
  assert.deepEqual(heard, [], "what comes late is not heard");

  window.formgraphEvents("/bff/events?form=a&once=1", "hello", () => {});
  assert.deepEqual(sources.splice(0), ["/bff/events?form=a&once=1"]);

  window.formgraphEvents("/bff/events?form=a", "hello", (...event) => heard.push(event));
  workers[1].dispatchEvent(new window.Event("error"));
  assert.deepEqual(heard, [["", "", ""]]);
  window.formgraphEvents("/bff/events?form=a", "hello", () => {});
  assert.deepEqual([sources, workers.length], [["/bff/events?form=a"], 2], "without the script, each has its own");

  const strict = boot(t, { shares: true });
  strict.window.SharedWorker = class { constructor() { throw new Error("forbidden"); } };
  strict.window.EventSource = window.EventSource;
  strict.window.formgraphEvents("/bff/events?form=b", "hello", () => {});
  assert.equal(sources[1], "/bff/events?form=b");
});

test("boot.js: what the program finds", async (t) => {
  const page = boot(t, { answer: program(8, [8]), worker: class { constructor(address) { this.address = address; } } });
  const { window } = page;
  assert.deepEqual({ ...window.formgraph }, { dialect: "d", remote: true, account: false, version: "1", build: "b", go: "g" });
  assert.ok(Object.isFrozen(window.formgraph));
  assert.equal(window.formgraphWorker().address, "/web/worker.js#a b");
  assert.equal(window.goappGetenv("GOAPP_STATIC_RESOURCES_URL"), "/web");
  assert.equal(window.goappGetenv("OTHER"), "");
});

// controls opens a page with controls. sync sets them, and returns what they show.
const controls = (t, html) => {
  const page = boot(t, { answer: program(8, [8]) });
  page.document.body.insertAdjacentHTML("beforeend", `<form>${html}</form>`);
  const all = [...page.document.querySelectorAll("form > *")];
  page.sync = (typing = "") => {
    page.window.formgraphSync(typing);
    return all.map((e) => (e.type === "checkbox" || e.type === "radio" ? (e.indeterminate ? "mixed" : e.checked) : e.value));
  };
  page.focus = (id) => {
    const el = page.document.getElementById(id);
    el.focus();
    return el;
  };
  return page;
};

test("boot.js: controls get the values that the program holds", (t) => {
  const page = controls(t, '<input data-held="=x=" value="x"><input data-held="=x=" value="y"><textarea data-held="==">x</textarea><select data-held="=y="><option>x</option><option>y</option></select>' +
    '<input value="own"><fg-code data-held="=x="></fg-code><input type="checkbox" data-held="=true="><input type="checkbox" checked data-held="=false="><input type="checkbox" data-held="=false=" data-mixed="true">' +
    '<input type="radio" name="r" checked data-held="=false="><input type="radio" name="r" data-held="=true=">');
  assert.deepEqual(page.sync(), ["x", "x", "", "y", "own", undefined, true, false, "mixed", false, true]);
});

test("boot.js: a control that is being edited keeps its value", (t) => {
  const page = controls(t, '<input id="a" data-path="a" data-held="=x=" value="typed"><input data-path="a" data-held="=x=" value="y"><input id="c" type="checkbox" data-held="=true="><input id="r" type="radio" name="r" checked data-held="=false="><input type="radio" name="r" data-held="=true=">');
  page.focus("a");
  assert.equal(page.sync("a")[0], "typed");
  assert.equal(page.sync("*")[0], "typed");
  assert.deepEqual(page.sync("b"), ["x", "x", true, false, true]);
  page.focus("c").checked = false; // pressed
  assert.equal(page.sync("*")[2], false);
  assert.equal(page.sync("c")[2], true);
  page.focus("r").checked = true;
  assert.deepEqual(page.sync("*").slice(3), [true, false]);
  assert.deepEqual(page.sync().slice(3), [false, true]);
});

test("boot.js: the keys of a composition reach nobody", (t) => {
  const page = controls(t, '<input id="a">');
  const seen = [];
  for (const on of [page.window, page.document, page.$("form"), page.$("#a")])
    for (const type of ["keydown", "keyup"]) on.addEventListener(type, (e) => seen.push(e.key), on !== page.$("#a"));
  for (const type of ["keydown", "keyup"])
    for (const key of ["Enter", "Escape", "ArrowDown", "Tab", "Backspace", "n", "Process"])
      for (const more of [{ isComposing: true }, { keyCode: 229 }])
        assert.equal(page.fire(page.$("#a"), type, { key, ...more }, "KeyboardEvent"), true, "the browser does what it does"); // composing
  assert.deepEqual(seen, []);
  page.fire(page.$("#a"), "keydown", { key: "Enter", keyCode: 13 });
  assert.equal(seen.length, 4);
});

test("boot.js: what is being composed is not replaced until the composition ends", async (t) => {
  const page = controls(t, '<input id="a" data-path="a" data-held="=x="><div data-held="=x="><p id="b" tabindex="0"></p></div>');
  const rich = page.$("div[data-held]"); // an element that has a value, with the text in a part of it
  rich.value = "x";
  const a = page.focus("a");
  for (const [el, held] of [[a, a], [page.$("#b"), rich]]) {
    page.fire(el, "compositionstart");
    held.value = "にh";
    page.sync("");
    assert.equal(held.value, "にh");
    page.fire(el, "compositionend");
    await page.turn();
    assert.equal(held.value, "x", "what was left out comes now");
    page.fire(el, "compositionstart");
    page.fire(a, "focusin"); // an element that is gone reports no end
    held.value = held.formgraphSeen = "に";
    page.sync("");
    assert.equal(held.value, "x");
  }
});

const selections = {
  "all selected": ["Boolean", 0, 7, true], "all selected, characters of two units": ["a😀", 0, 3, true], "empty": ["", 0, 0, true],
  "caret at the end": ["Boolean", 7, 7, false], "part selected": ["Boolean", 0, 3, false], "unchanged": ["new", 0, 2, false],
};
for (const [name, [old, start, end, selected]] of Object.entries(selections)) {
  test(`boot.js: a value that is set keeps the whole text selected: ${name}`, (t) => {
    const page = controls(t, '<input id="a" data-held="=new=">');
    const el = page.focus("a");
    el.value = old;
    el.setSelectionRange(start, end);
    page.sync();
    assert.equal(el.value, "new");
    assert.equal(el.selectionStart === 0 && el.selectionEnd === 3, selected);
  });
}

test("boot.js: what is typed stays until the program has handled it", (t) => {
  const page = controls(t, '<input id="a" data-held="=Boolean="><input id="n" type="number" data-held="=12="><input id="b">');
  const el = page.focus("a");
  page.sync();
  el.value = "W"; // typed
  page.sync();
  assert.equal(el.value, "W");
  el.formgraphSeen = "W"; // the program has handled it, and undone it
  page.sync();
  assert.equal(el.value, "Boolean");
  el.value = "W";
  page.focus("n").value = "1";
  page.sync();
  assert.equal(el.value, "Boolean", "a control without the focus");
});

test("boot.js: a question", async (t) => {
  const page = boot(t, { answer: program(8, [8]) });
  const { window, document } = page;
  window.HTMLDialogElement.prototype.showModal = function () { this.open = true; };
  window.HTMLDialogElement.prototype.close = function () { this.open = false; page.fire(this, "close"); };
  let keys = 0;
  window.addEventListener("keydown", () => keys++);
  const ask = () => window.formgraphAsk("Title", "<b>Text</b>", ["No", "secondary", "Yes", "primary"]);
  for (const [press, want] of [["No", 0], ["Yes", 1], ["", -1]]) {
    const answer = ask();
    const dialog = document.querySelector("dialog[open]");
    assert.equal(document.body.firstChild, dialog);
    assert.equal(document.getElementById(dialog.getAttribute("aria-labelledby")).textContent, "Title");
    assert.equal(dialog.querySelector("p").textContent, "<b>Text</b>");
    assert.equal(document.activeElement.textContent, "Yes");
    page.fire(document.activeElement, "keydown", { key: "a" });
    const button = [...dialog.querySelectorAll("button")].find((b) => b.textContent === press);
    if (button) button.click();
    else dialog.close(); // by Escape
    assert.equal(await answer, want);
    assert.equal(document.querySelector("dialog"), null);
  }
  assert.equal(keys, 0, "the page receives keys");
});

test("boot.js: a file is downloaded", async (t) => {
  const page = boot(t, { answer: program(8, [8]) });
  const { window } = page;
  const files = [], revoked = [];
  Object.assign(window.URL, { createObjectURL: (blob) => "blob:" + files.push(blob), revokeObjectURL: (address) => revoked.push(address) });
  const pressed = [];
  window.HTMLAnchorElement.prototype.click = function () {
    assert.deepEqual(revoked, []);
    pressed.push([this.getAttribute("href"), this.download]);
  };
  window.formgraphDownload("a.json", '{"a":1}');
  assert.deepEqual([pressed, revoked], [[["blob:1", "a.json"]], ["blob:1"]]);
  assert.deepEqual([files[0].type, files[0].size], ["application/json", 7]);
});

test("boot.js: a form is submitted in a new tab", (t) => {
  const page = boot(t, { answer: program(8, [8]) });
  const { window, document } = page;
  const sent = [];
  window.HTMLFormElement.prototype.submit = function () {
    assert.ok(this.isConnected);
    sent.push([this.getAttribute("action"), this.method, this.target, this.getAttribute("rel"), ...new window.FormData(this).entries()]);
  };
  window.formgraphSubmit("/address", ["a", "1", "b", "2", "a", "3"]);
  assert.deepEqual(sent, [["/address", "post", "_blank", "noopener", ["a", "1"], ["b", "2"], ["a", "3"]]]);
  assert.equal(document.querySelector("form"), null);
});

test("boot.js: the focus stays where a control is replaced", async (t) => {
  const page = boot(t, { answer: program(8, [8]) });
  const { document } = page;
  const control = (html) => {
    const parent = document.createElement("div");
    parent.innerHTML = html;
    return parent.firstChild;
  };
  const old = control('<input id="a" value="abc">');
  const other = control('<input id="b">');
  document.body.append(old, other);
  const focused = async (id) => {
    await page.turn();
    assert.equal(document.activeElement.id, id);
  };
  old.focus();
  old.setSelectionRange(1, 2);
  const stepper = control('<div><input id="a" value="abc"></div>'); // deeper than what it replaces
  old.replaceWith(stepper);
  await focused("a");
  assert.deepEqual([stepper.firstChild.selectionStart, stepper.firstChild.selectionEnd], [1, 2]);
  const drawn = control('<input id="a" data-held="=abcd=">'); // its value is set later
  stepper.replaceWith(drawn);
  await focused("a");
  page.window.formgraphSync("");
  assert.deepEqual([drawn.value, drawn.selectionStart, drawn.selectionEnd], ["abcd", 1, 2]);
  const choice = control('<select id="a"><option>x</option></select>');
  drawn.replaceWith(choice);
  await focused("a");
  other.focus();
  choice.replaceWith(old);
  await focused("b");
  other.blur();
  await page.turn();
  other.replaceWith(control('<input id="b">'));
  await focused("");
  old.focus();
  old.remove();
  await focused("");
  document.body.append(old);
  await focused("");
  const fresh = control('<input id="c">');
  document.body.append(fresh);
  fresh.focus();
  page.fire(old, "pointerdown");
  old.replaceWith(choice); // before the browser moves the focus
  await focused("c");
  fresh.blur();
  await focused("");
  page.fire(choice, "pointerup");
  await focused("a");
  const plain = control("<button>x</button>");
  document.body.append(plain);
  plain.focus();
  plain.remove(); // nothing can take its place
  await focused("");
});

test("boot.js: a control for another field shows its text at once", async (t) => {
  const page = boot(t, { answer: program(8, [8]) });
  const form = page.document.createElement("form");
  form.innerHTML = '<input data-path="a" data-held="=x=" value="x"><input data-path="a" data-held="=x=" value="x"><textarea data-path="a" data-held="=x=">x</textarea>' +
    '<select data-path="a" data-held="=x="><option>x</option><option>y</option></select><input type="checkbox" value="on" data-path="a" data-held="=true=">' +
    '<fg-rich data-for="a" data-held="=x="></fg-rich><fg-code data-for="a" data-held="=x="></fg-code>';
  form.querySelector("fg-rich").value = "x"; // a custom element that is a control
  page.document.body.append(form);
  const [first, ...others] = form.children;
  first.focus();
  first.value = "typed";
  for (const el of form.children) {
    if (el.dataset.held === "=x=") el.dataset.held = "=y=";
    if (el.dataset.for) el.dataset.for = "b";
    else el.dataset.path = "b";
  }
  await page.turn();
  assert.equal(first.value, "typed", "somebody may be typing");
  assert.deepEqual(others.map((el) => el.value), ["y", "y", "y", "on", "y", undefined]);
  others[0].dataset.held = "=z=";
  await page.turn();
  assert.equal(others[0].value, "y", "the same field");
});

// --- look.js ---

const look = (t, { wide = 1000 } = {}) => {
  const page = open(t, `<body><div class="lk-tabs" hidden><button role="tab" id="t1" aria-controls="graph">a</button><button role="tab" id="t2" aria-controls="screens">b</button></div>
    <time datetime="2024-05-06T07:08:09Z">x</time><section id="graph" aria-label="a"><div class="lk-view"><svg viewBox="0 0 2000 1000"></svg></div>
    <div class="lk-zoom" hidden><button data-zoom="out"><b>-</b></button><output></output><button data-zoom="in">+</button><button data-zoom="fit">f</button></div></section><section id="screens" aria-label="b"></section></body>`, (window) => {
    Object.defineProperties(window.HTMLElement.prototype, { clientWidth: { get: () => wide }, clientHeight: { get: () => 600 } });
    // jsdom reads no boxes of SVG.
    Object.defineProperty(window.SVGSVGElement.prototype, "viewBox", { get: () => ({ baseVal: { x: 0, y: 0, width: 2000, height: 1000 } }) });
  });
  page.run("look.js");
  page.observers[0].seen();
  page.zoom = () => Number(page.$("#graph").dataset.zoom);
  page.at = () => page.$(".lk-view").style.transform;
  return page;
};

test("look.js: the graph fits, and zooms between its limits", (t) => {
  const page = look(t);
  assert.equal(page.zoom(), 952 / 2000);
  assert.equal(page.$("output").textContent, "48%");
  assert.equal(page.at(), "translate(24px, 62px) scale(0.476)");
  for (let i = 0; i < 30; i++) page.fire(page.$("[data-zoom=in]"), "click");
  assert.equal(page.zoom(), 4);
  for (let i = 0; i < 60; i++) page.fire(page.$("[data-zoom=out] b"), "click");
  assert.equal(page.zoom(), 0.05);
  page.observers[0].seen();
  assert.equal(page.zoom(), 0.05, "a view that somebody moved stays");
  page.fire(page.$("#graph"), "keydown", { key: "0" });
  assert.equal(page.zoom(), 952 / 2000);
  assert.equal(page.fire(page.$("#graph"), "keydown", { key: "+", ctrlKey: true }), true);
  page.fire(page.$(".lk-zoom"), "click");
});

test("look.js: the point under the pointer stays when the wheel zooms", (t) => {
  const page = look(t);
  const under = (x) => (x - Number(/translate\((-?[\d.]+)px/.exec(page.at())[1])) / page.zoom();
  const was = under(700);
  assert.equal(page.fire(page.$("#graph"), "wheel", { deltaY: -100, ctrlKey: true, clientX: 700, clientY: 100 }), false);
  assert.ok(page.zoom() > 0.5);
  assert.ok(Math.abs(under(700) - was) < 1e-6);
  const at = page.at();
  page.fire(page.$("#graph"), "wheel", { deltaY: 10 });
  assert.notEqual(page.at(), at);
});

test("look.js: a pointer pans, and two fingers zoom", (t) => {
  const page = look(t);
  const stage = page.$("#graph");
  const finger = (id, type, x, y) => page.fire(stage, type, { pointerId: id, button: 0, clientX: x, clientY: y });
  finger(1, "pointerdown", 100, 100);
  finger(1, "pointermove", 110, 105);
  assert.equal(page.at(), "translate(34px, 67px) scale(0.476)");
  finger(2, "pointerdown", 210, 105);
  finger(2, "pointermove", 310, 105);
  assert.ok(Math.abs(page.zoom() - 0.952) < 1e-9);
  finger(1, "pointerup", 0, 0);
  finger(2, "pointercancel", 0, 0);
  const at = page.at();
  finger(1, "pointermove", 500, 500);
  assert.equal(page.at(), at);
  assert.equal(stage.hasAttribute("data-drag"), false);
});

test("look.js: one tab is shown, and arrow keys go on", (t) => {
  const page = look(t);
  const state = () => ["t1", "t2"].map((id) => [page.$("#" + id).getAttribute("aria-selected"), page.$("#" + id).tabIndex, page.$("#" + page.$("#" + id).getAttribute("aria-controls")).hidden]);
  assert.deepEqual(state(), [["true", 0, false], ["false", -1, true]]);
  page.fire(page.$("#t1"), "keydown", { key: "ArrowLeft" });
  assert.deepEqual(state(), [["false", -1, true], ["true", 0, false]]);
  assert.equal(page.document.activeElement, page.$("#t2"));
  page.fire(page.$("#t1"), "click");
  assert.deepEqual(state()[0], ["true", 0, false]);
  assert.equal(page.$(".lk-tabs").hidden, false);
  assert.match(page.$("time").textContent, /6 May 2024/);
});

test("look.js: paper is light", (t) => {
  const page = look(t);
  const { dataset } = page.document.documentElement;
  dataset.theme = "dark";
  page.fire(page.window, "beforeprint");
  assert.equal(dataset.theme, "light");
  page.fire(page.window, "afterprint");
  assert.equal(dataset.theme, "dark");
});

// --- drop.js ---

test("drop.js: files go to the chooser, and nothing else does", (t) => {
  const page = open(t, '<body><div id="import"></div><p>x</p></body>');
  page.run("drop.js");
  const drag = (type, types, target = page.$("p")) => page.fire(target, type, { extra: types && { dataTransfer: { types, files: "files", dropEffect: "none" } } });
  assert.equal(drag("dragover", ["Files"]), true, "without a chooser");
  const chooser = page.document.createElement("input");
  chooser.id = "import-file";
  Object.defineProperty(chooser, "files", { writable: true, value: null });
  page.document.body.append(chooser);
  assert.equal(drag("dragover", ["text/plain"]), true);
  assert.equal(drag("dragover"), true);
  assert.equal(drag("dragover", ["Files"]), false);
  assert.equal(page.$(".drop-layer").getAttribute("role"), "status");
  drag("dragover", ["Files"]);
  assert.equal(page.document.querySelectorAll(".drop-layer").length, 1);
  page.fire(page.$("p"), "dragleave", { extra: { relatedTarget: null } });
  assert.equal(page.$(".drop-layer"), null);
  let changed = 0;
  chooser.addEventListener("change", () => changed++);
  drag("dragover", ["Files"]);
  assert.equal(drag("drop", ["Files"], page.document), false);
  assert.deepEqual([chooser.files, chooser.dataset.dropped, changed, page.$(".drop-layer")], ["files", "true", 1, null]);
  const dialog = page.document.createElement("dialog");
  dialog.setAttribute("open", "");
  page.document.body.append(dialog);
  assert.equal(drag("drop", ["Files"]), true, "a dialog is open");
  assert.equal(changed, 1);
});

// --- sign-out.js and signed-in.js ---

test("sign-out.js: the session ends here, then at the tenant", async (t) => {
  const calls = [];
  const answers = [new Error("offline"), new Response("", { status: 500 }), new Response(JSON.stringify({ logout_url: "#out" }))];
  const page = open(t, '<button id="sign-out" hidden>Sign out</button>', (window) => {
    window.fetch = async (address, { method, headers }) => {
      calls.push([address, method, headers["X-CSRF"]]);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    };
  });
  page.run("sign-out.js");
  const button = page.$("button");
  assert.equal(button.hidden, false);
  for (let i = 0; i < 2; i++) {
    page.fire(button, "click");
    assert.equal(button.disabled, true);
    await page.turn(5);
    assert.deepEqual([button.disabled, button.textContent], [false, "Sign out failed. Try again"]);
  }
  page.fire(button, "click");
  await page.turn(5);
  assert.equal(page.window.location.hash, "#out");
  assert.deepEqual(calls, Array(3).fill(["/bff/logout", "POST", "1"]));
});

test("signed-in.js: the other windows are told before this one closes", () => {
  const done = [];
  const BroadcastChannel = class {
    constructor(name) {
      done.push(name);
    }
    postMessage(text) {
      done.push(text);
    }
    close() {
      done.push("channel closed");
    }
  };
  vm.runInNewContext(sourceOf("signed-in.js"), { BroadcastChannel, close: () => done.push("closed") });
  assert.deepEqual(done, ["formgraph", "signed-in", "channel closed", "closed"]);
});

// --- worker.js ---

const worker = async (hash, { status = 200, begin = () => {} } = {}) => {
  const w = { got: [], loaded: [], posted: [] };
  const scope = vm.createContext({
    location: { hash }, decodeURI, Response, Error,
    importScripts: (address) => w.loaded.push(address),
    fetch: async (address) => (w.loaded.push(address), new Response("", { status })),
    postMessage: (text) => w.posted.push(JSON.parse(text)),
    WebAssembly: { instantiateStreaming: async () => ({ instance: {} }) },
    Go: class { importObject = {}; run = () => begin(scope, w); },
  });
  scope.self = scope;
  new vm.Script(sourceOf("worker.js"), { filename: "worker.js" }).runInContext(scope);
  for (const data of ["first", "second"]) scope.onmessage({ data });
  await new Promise((done) => setTimeout(done, 5));
  return w;
};

test("worker.js: messages wait for the program", async () => {
  const w = await worker("#/web/glue.js%20/web/a.wasm", { begin: (scope, w) => (scope.onmessage = (e) => w.got.push(e.data)) });
  assert.deepEqual(w, { got: ["first", "second"], loaded: ["/web/glue.js", "/web/a.wasm"], posted: [] });
});

test("worker.js: a program that ends at once leaves the messages", async () => {
  assert.deepEqual((await worker("#/web/glue.js /web/a.wasm")).got, []);
});

test("worker.js: what is no file of the server is not loaded", async () => {
  for (const address of ["https://evil.example/a.wasm", "//evil.example/web/a.wasm", "data:,x", "web/a.wasm", "undefined"]) {
    await assert.rejects(worker(`#${address} /web/a.wasm`), /not a file of this server/);
    const w = await worker(`#/web/glue.js ${address}`);
    assert.deepEqual(w.loaded, ["/web/glue.js"]);
    assert.match(w.posted[0].fault, /not a file of this server/);
  }
});

test("worker.js: a program that is not there is a fault", async () => {
  assert.deepEqual((await worker("#/web/glue.js /web/a.wasm", { status: 404 })).posted, [{ fault: "The program could not be loaded: the server answered 404" }]);
});

// --- canvas.js ---

test("canvas.js: what is outside of the view is not drawn", (t) => {
  const page = open(t, "<body></body>");
  page.run("canvas.js");
  const draw = (cards, edges, zoom = 1) => {
    const calls = [];
    const context = new Proxy({}, { get: (_, name) => (...args) => void calls.push([name, ...args]), set: () => true });
    page.window.formgraphDraw(context, cards, edges, Array(17).fill("red"), 0, 0, zoom, 100, 100, 1);
    return (name) => calls.filter((c) => c[0] === name).length;
  };
  const line = (flags, x, to) => [flags, x, 10, x, 10, x, 50, to, 50, to, 50, to, 50];
  const inside = draw([10, 10, 20, 20, 1], line(0, 10, 40));
  assert.deepEqual([inside("fillRect"), inside("moveTo"), inside("rect")], [2, 2, 1], "an edge and its head");
  const outside = draw([200, 10, 20, 20, 1], line(0, 210, 240));
  assert.deepEqual([outside("fillRect"), outside("moveTo"), outside("rect")], [0, 0, 0]);
  const far = draw([10, 10, 200, 200, 1], line(0, 10, 400), 0.1);
  assert.deepEqual([far("fillRect"), far("moveTo"), far("lineTo")], [1, 1, 5], "plain cards and lines from afar");
});

test("canvas.js: where edges cross, one is cleared and the other is drawn on", (t) => {
  const page = open(t, "<body></body>");
  page.run("canvas.js");
  const draw = (gap, zoom = 1) => {
    const calls = [];
    const context = new Proxy({}, { get: (_, name) => (...args) => void calls.push([name, ...args]), set: () => true });
    page.window.formgraphDraw(context, [], [64, ...gap, ...Array(8).fill(0)], Array(17).fill("red"), 0, 0, zoom, 100, 100, 1);
    return calls.filter((c) => ["clearRect", "moveTo", "lineTo"].includes(c[0])).slice(1);
  };
  assert.deepEqual(draw([20, 25, 20, 35]), [["clearRect", 18, 25, 4, 10], ["moveTo", 18, 30], ["lineTo", 22, 30]]);
  assert.deepEqual(draw([15, 30, 25, 30]), [["clearRect", 15, 28, 10, 4], ["moveTo", 20, 28], ["lineTo", 20, 32]]);
  assert.deepEqual(draw([220, 25, 220, 35]), []);
  assert.deepEqual(draw([20, 25, 20, 35], 0.1), [], "from afar");
});

test("canvas.js: jumps back are drawn with a thinner line", (t) => {
  const page = open(t, "<body></body>");
  page.run("canvas.js");
  const widths = {};
  let x;
  const context = new Proxy({}, {
    get: (target, name) => name === "moveTo" ? (at) => void (x = at) : name === "stroke" ? () => void (widths[x] = target.lineWidth) : () => {},
    set: (target, name, value) => { target[name] = value; return true; },
  });
  const line = (flags, at) => [flags, at, 10, at, 10, at, 50, 90, 50, 90, 50, 90, 50];
  page.window.formgraphDraw(context, [], [...line(0, 10), ...line(32, 20), ...line(4, 30), ...line(36, 40)], Array(17).fill("red"), 0, 0, 1, 100, 100, 1);
  assert.deepEqual([widths[10], widths[20], widths[30], widths[40]], [2, 1.25, 2, 1.25]);
});

test("canvas.js: titles are in their cards, cut to them beside the marks, and measured once", (t) => {
  const page = open(t, "<body></body>");
  page.run("canvas.js");
  let measured = 0;
  const drawn = (title, card, zoom = 0.25) => {
    const texts = [];
    const context = { setTransform() {}, measureText: () => (measured++, { width: 8 }), fillText: (...args) => texts.push(args) };
    page.window.formgraphTitles(context, title, card, Array(18).fill("red"), 5, 5, zoom, 100, 100, 1);
    return texts;
  };
  const card = (flags = 0, width = 280, height = 76) => [10, 20, width, height, flags];
  assert.deepEqual(drawn("Contact", card()), [["Contact", 15.5, 17.5]]);
  assert.deepEqual(drawn("Your address", card()), [["Your a…", 15.5, 17.5]], "58 pixels beside the bar");
  assert.deepEqual(drawn("Your address", card(16)), [["Your…", 15.5, 17.5]], "a mark takes 16 of them");
  assert.deepEqual(drawn("Your address", card(16 | 32)), [], "fewer than four letters say nothing");
  assert.deepEqual(drawn("Contact", card(0, 280, 40)), [], "the card is lower than a line");
  assert.deepEqual(drawn("Start", card(3, 192, 60)), [["Start", 31.5, 17.5]], "an end is in the middle");
  assert.deepEqual(drawn("Ending", card(4, 192, 60)), [], "nor is an end cut");
  assert.deepEqual(drawn("Contact", [900, 20, 280, 76, 0]), []);
  const before = measured;
  drawn("Contact", card());
  assert.equal(measured, before);
});

// --- passkey.js, a script of the tenant's pages ---

// passkeys returns a sign-in page. Each request to the browser for a passkey is in asked, until it is answered or refused.
const passkeys = async (t) => {
  const page = open(t, `<body><div id="passkey" hidden data-options='{"challenge":"AQI"}' data-to="/passkey" data-token="t" data-session="s"><button>Use a passkey</button><p role="status"></p></div></body>`);
  const { window } = page;
  page.asked = [];
  window.PublicKeyCredential = { isConditionalMediationAvailable: async () => true };
  window.navigator.credentials = {
    get: ({ mediation, signal }) => new Promise((done, fail) => {
      const request = { mediation, signal, answer: () => done(credential), refuse: (name) => fail(Object.assign(new Error(name), { name })) };
      signal.addEventListener("abort", () => request.refuse("AbortError"));
      page.asked.push(request);
    }),
  };
  const byte = new Uint8Array([255]).buffer;
  const credential = { id: "id", rawId: byte, type: "public-key", response: { clientDataJSON: byte, authenticatorData: byte, signature: byte } };
  page.sent = [];
  window.HTMLFormElement.prototype.submit = function () {
    page.sent.push(Object.fromEntries(new window.FormData(this)));
  };
  page.run("../../server/tenant/authz/pages/passkey.js");
  await page.turn();
  page.press = async () => {
    page.fire(page.$("button"), "click");
    await page.turn();
  };
  return page;
};

test("passkey.js: an answer is sent as it is", async (t) => {
  const page = await passkeys(t);
  assert.equal(page.$("#passkey").hidden, false);
  assert.deepEqual(page.asked.map((r) => r.mediation), ["conditional"]);
  page.asked[0].answer();
  await page.turn();
  const [{ token, session, response }] = page.sent;
  assert.deepEqual([token, session], ["t", "s"]);
  assert.deepEqual(JSON.parse(response), { id: "id", rawId: "_w", type: "public-key", clientExtensionResults: {}, response: { clientDataJSON: "_w", authenticatorData: "_w", signature: "_w" } });
});

test("passkey.js: an answer is sent once", async (t) => {
  const page = await passkeys(t);
  page.asked[0].answer();
  await page.turn();
  await page.press();
  assert.equal(page.asked.length, 1, "asked again after the answer");
  page.fire(page.window, "pageshow", { extra: { persisted: true } });
  await page.press();
  assert.equal(page.asked.length, 2, "a page that came back by Back does not ask");
  page.asked[1].answer();
  await page.turn();
  assert.equal(page.sent.length, 2);
});

test("passkey.js: the button takes the place of what waits", async (t) => {
  const page = await passkeys(t);
  page.asked[0].refuse = () => {}; // a browser that answers late
  await page.press();
  assert.deepEqual(page.asked.map((r) => [r.mediation, r.signal.aborted]), [["conditional", true], ["optional", false]]);
  page.asked[0].answer();
  page.asked[1].answer();
  await page.turn();
  assert.equal(page.sent.length, 1);
  assert.equal(page.$("[role=status]").textContent, "");
});

test("passkey.js: a second press takes the place of the first, and says nothing", async (t) => {
  const page = await passkeys(t);
  await page.press();
  await page.press();
  assert.deepEqual(page.asked.map((r) => r.signal.aborted), [true, true, false]);
  assert.equal(page.$("[role=status]").textContent, "");
});

test("passkey.js: a refusal is said, and passkeys are offered again", async (t) => {
  const page = await passkeys(t);
  await page.press();
  page.asked[1].refuse("NotAllowedError");
  await page.turn();
  assert.match(page.$("[role=status]").textContent, /Try again/);
  assert.deepEqual(page.asked.map((r) => r.mediation), ["conditional", "optional", "conditional"]);
  assert.equal(page.sent.length, 0);
});

// --- Events of any target ---

for (const [name, make] of Object.entries({
  "boot.js": async (t) => {
    const page = boot(t);
    await page.turn();
    page.$("#app-wasm-loader-retry").textContent = ""; // it would load the page again
    return page;
  },
  "menu.js": menus,
  "look.js": look,
  "drop.js": (t) => {
    const page = open(t, '<body>a<input type="file" id="import-file"></body>');
    page.run("drop.js");
    return page;
  },
  "code.js": (t) => code(t, "let a"),
})) test(`${name}: events of any target`, async (t) => everywhere(await make(t)));

test("boot.js: an event concerns an element", async (t) => {
  const page = boot(t);
  await page.turn(); // the program could not be loaded
  const { document, window } = page;
  document.body.insertAdjacentHTML("beforeend", '<p class="a">x<b>y</b></p>');
  const near = (target, selector) => window.formgraphNear({ target }, selector);
  const p = page.$(".a");
  assert.equal(near(p.firstChild, "*"), p, "a text");
  assert.equal(near(page.$("b"), ".a"), p);
  assert.equal(near(page.$("b").firstChild, ".a"), p);
  assert.equal(near(p, "b"), null);
  for (const target of [document, window, null]) assert.equal(near(target, "*"), document.body);
  assert.equal(near(document.createTextNode("z"), "*"), document.body, "a text of no element");
});

test("boot.js: bare events reach nobody", async (t) => {
  const page = boot(t);
  await page.turn();
  const { document, window } = page;
  const heard = [];
  const kinds = "keydown keyup pointerdown pointermove pointerup pointercancel lostpointercapture mouseup contextmenu wheel".split(" ");
  for (const kind of [...kinds, "click", "input"]) window.addEventListener(kind, (e) => heard.push(kind));
  for (const kind of kinds) page.fire(document.body, kind, {}, "Event");
  assert.deepEqual(heard.splice(0), []);
  page.fire(document.body, "click", {}, "Event");
  page.fire(document.body, "input", {}, "Event");
  for (const kind of kinds) page.fire(document, kind);
  assert.deepEqual(heard, ["click", "input", ...kinds]);
});
