// Tests of web/static/desk.js: the morph of screens, lines of lists, typing ahead, and the events that the worker gets.
"use strict";
const assert = require("node:assert/strict");
const { test } = require("node:test");
const { open, everywhere } = require("./page.js");

// desk opens a page with a desk. The worker is a list of messages, and show answers as the program in the worker does.
const desk = (t, { hidden = false } = {}) => {
  const sent = [];
  const page = open(t, `<!doctype html><html data-desk="/web/worker.js#glue desk"><body><div id="desk" ${hidden ? "hidden" : ""}></div><input id="outside"></body></html>`, (window) => {
    window.Worker = class extends window.EventTarget {
      constructor(address) {
        super();
        Object.assign(this, { address });
      }
      postMessage(data) {
        sent.push(typeof data === "string" ? JSON.parse(data) : { ...JSON.parse(data.text), file: data.file });
      }
    };
  });
  page.run("desk.js");
  page.worker = page.window.formgraphDesk();
  page.root = page.$("#desk");
  page.sent = sent;
  page.show = (regions, more = {}) => {
    const list = typeof regions === "string" ? [{ region: "", html: regions }] : regions;
    const data = page.window.Array.of({ regions: list, number: sent.at(-1)?.number ?? 0, ...more });
    page.worker.dispatchEvent(new page.window.MessageEvent("message", { data, cancelable: true }));
  };
  page.type = (el, value, at = value.length) => {
    el.value = value;
    el.setSelectionRange?.(at, at);
    page.fire(el, "input");
    return sent.at(-1);
  };
  page.key = (el, key, more = {}) => page.fire(el, "keydown", { key, ...more });
  page.keys = () => [...page.root.querySelectorAll("[data-key]")].map((e) => e.dataset.key).join("");
  return page;
};
const keyed = (keys, more = "") => [...keys].map((k) => `<p data-key="${k}" ${more}>${k}</p>`).join("");
// inserted returns a list that gets the key of each child that is inserted into an element from now on, whether new or moved.
const inserted = (el) => {
  const keys = [], insert = el.insertBefore;
  el.insertBefore = function (node, at) {
    keys.push(node.dataset?.key);
    return insert.call(this, node, at);
  };
  return keys;
};
const control = (value, more = "") => `<input data-in="text" data-arg="a" data-value="${value}" ${more}>`;

// --- The morph ---

test("the first screen replaces nothing but the content", (t) => {
  const page = desk(t);
  assert.equal(page.worker.address, "/web/worker.js#glue desk");
  page.show('<h2 class="a">b</h2>text<!-- c -->');
  assert.equal(page.root.outerHTML, '<div id="desk"><h2 class="a">b</h2>text<!-- c --></div>');
});

test("elements become others of their kind", (t) => {
  const page = desk(t);
  page.show('<p class="a" title="b" hidden>one<b>two</b>three</p>');
  const p = page.$("p"), b = page.$("b");
  page.show('<p class="c" lang="d">ONE<b id="e">TWO</b></p>');
  assert.equal(page.$("p"), p);
  assert.equal(page.$("b"), b);
  assert.equal(p.outerHTML, '<p class="c" lang="d">ONE<b id="e">TWO</b></p>');
  page.show('<section class="c">text</section>');
  assert.equal(page.root.innerHTML, '<section class="c">text</section>');
  page.show("only text");
  assert.equal(page.root.innerHTML, "only text");
  page.show("");
  assert.equal(page.root.innerHTML, "");
});

test("elements with keys stay the same wherever they are", (t) => {
  const page = desk(t);
  let seed = 7;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  page.show(keyed("abcdef"));
  for (let i = 0; i < 100; i++) {
    const was = new Map([...page.root.children].map((e) => [e.dataset.key, e]));
    const keys = [..."abcdefgh"].filter(() => random(3) > 0).sort(() => random(3) - 1);
    page.show(keys.map((k) => `${random(2) ? "<i>x</i>" : ""}${keyed(k)}`).join(random(2) ? "text" : ""));
    assert.equal(page.keys(), keys.join(""));
    for (const e of page.root.querySelectorAll("[data-key]")) {
      if (was.has(e.dataset.key)) assert.equal(e, was.get(e.dataset.key), `${e.dataset.key} is another element`);
      assert.equal(e.textContent, e.dataset.key);
    }
  }
});

test("elements that stay are not moved when others go", (t) => {
  const page = desk(t);
  page.show(keyed("abcde"));
  const moved = inserted(page.root);
  page.show(keyed("ce"));
  page.show(keyed("cxe"));
  assert.deepEqual(moved, ["x"]);
});

test("equal keys are elements of their own", (t) => {
  const page = desk(t);
  const twice = '<p data-key="a">1</p><p data-key="a">2</p><p data-key="b">3</p>';
  for (const html of [twice, twice, '<p data-key="a">4</p><p data-key="b">5</p><p data-key="a">6</p><p data-key="a">7</p>', '<p data-key="a">8</p>']) {
    page.show(html);
    assert.equal(page.root.innerHTML, html);
  }
});

test("keys are only keys", (t) => {
  const page = desk(t);
  const keys = ["__proto__", "constructor", "\"]", "<b>", "0", " "];
  const html = keys.map((k) => `<p data-key="${k.replace(/"/g, "&quot;").replace(/</g, "&lt;")}">x</p>`);
  page.show(html.join(""));
  const was = [...page.root.children];
  page.show([...html].reverse().join(""));
  assert.deepEqual([...page.root.children].reverse(), was);
  // Without a name, a key is none, and an element with another name is another element.
  page.show('<p data-key="">a</p><b data-key="0">x</b>');
  assert.equal(page.root.innerHTML, '<p data-key="">a</p><b data-key="0">x</b>');
});

test("markup is inert until it is shown, and texts cannot become markup", (t) => {
  const page = desk(t);
  page.window.ran = () => assert.fail("a script ran");
  page.show("<p>&lt;script&gt;ran()&lt;/script&gt;</p><script>ran()</script>");
  page.show("<p>&lt;b&gt;x</p><script>ran()</script>");
  assert.equal(page.$("p").innerHTML, "&lt;b&gt;x");
  assert.equal(page.$("p").children.length, 0);
});

test("regions are drawn apart from what is around them", (t) => {
  const page = desk(t);
  const around = (text) => `<h2>${text}</h2><ul data-region="list"></ul>`;
  page.show([{ region: "", html: around("a") }, { region: "list", html: "<li>1</li>" }]);
  const li = page.$("li");
  page.show(around("b"));
  assert.equal(page.$("h2").textContent, "b");
  assert.equal(page.$("li"), li);
  page.show([{ region: "list", html: "<li>2</li>" }, { region: "none", html: "<b>x</b>" }]);
  assert.equal(page.root.innerHTML, '<h2>b</h2><ul data-region="list"><li>2</li></ul>');
});

test("lines of a list are drawn one by one", (t) => {
  const page = desk(t);
  const line = (k, text = k) => `<li data-key="${k}">${text}</li>`;
  page.show([{ region: "", html: '<ul data-region="list"></ul>' }, { region: "list", keys: [..."abc"], lines: { a: line("a"), b: line("b"), c: line("c") } }]);
  const was = Object.fromEntries([...page.root.querySelectorAll("li")].map((e) => [e.dataset.key, e]));
  page.show([{ region: "list", keys: [..."cda"], lines: { d: line("d"), a: line("a", "A") } }]);
  assert.equal(page.$("ul").textContent, "cdA");
  assert.equal(page.keys(), "cda");
  assert.equal(page.root.querySelectorAll("li")[0], was.c);
  assert.equal(page.root.querySelectorAll("li")[2], was.a);
  // Lines that stay are not moved, so scrolling costs no more than the lines it adds.
  const moved = inserted(page.$("ul"));
  page.show([{ region: "list", keys: [..."daef"], lines: { e: line("e"), f: line("f") } }]);
  assert.equal(page.keys(), "daef");
  assert.deepEqual(moved, ["e", "f"]);
  page.show([{ region: "list", keys: ["c"], lines: { c: line("c") } }]);
  // What the page does not have and does not get is left out.
  page.show([{ region: "list", keys: ["c", "lost"], lines: {} }]);
  assert.equal(page.keys(), "c");
});

// --- What is typed ---

test("the focus and the selection stay where they are", (t) => {
  const page = desk(t);
  page.show(keyed("ab") + `<div data-key="x">${control("text")}</div>`);
  const input = page.$("input");
  input.focus();
  input.setSelectionRange(1, 3);
  page.show(`<div data-key="x">${control("text", 'class="new"')}</div>` + keyed("bac"));
  assert.equal(page.$("input"), input);
  assert.equal(page.document.activeElement, input);
  assert.deepEqual([input.value, input.selectionStart, input.selectionEnd], ["text", 1, 3]);
});

test("the focus comes back if a drawing took it away", (t) => {
  const page = desk(t);
  page.show(`<p data-key="a">${control("1")}</p><p data-key="b">${control("2")}</p>`);
  const [, second] = page.root.querySelectorAll("input");
  second.focus();
  const insert = page.root.insertBefore;
  page.root.insertBefore = function (node, at) {
    if (node.contains(page.document.activeElement)) page.document.activeElement.blur(); // as browsers do for what is moved
    return insert.call(this, node, at);
  };
  page.show(`<p data-key="b">${control("2")}</p><p data-key="c"></p><p data-key="a">${control("1")}</p>`);
  assert.equal(page.document.activeElement, second);
});

test("what is typed is not replaced by an earlier screen", (t) => {
  const page = desk(t);
  page.show(control("a"));
  const input = page.$("input");
  input.focus();
  const first = page.type(input, "ab"), second = page.type(input, "abc");
  assert.deepEqual([first.on, first.do, first.arg, first.text, second.text], ["input", "text", "a", "ab", "abc"]);
  page.show(control("ab"), { number: first.number });
  assert.equal(input.value, "abc");
  page.show(control("ABC"), { number: second.number });
  assert.equal(input.value, "ABC");
});

test("what is typed is not replaced by a screen that does not draw it again", (t) => {
  const page = desk(t);
  page.show(control("a"));
  const typed = page.type(page.$("input"), "rejected");
  page.show([], { number: typed.number - 1 });
  assert.equal(page.$("input").value, "rejected");
  page.show([], { number: typed.number });
  assert.equal(page.$("input").value, "a", "the screen has the last word");
});

test("what is being composed is not replaced until the composition ends", (t) => {
  const page = desk(t);
  page.show(control("a"));
  const input = page.$("input");
  const typed = page.type(input, "にh");
  page.window.formgraphComposing = input;
  page.show(control("b"), { number: typed.number });
  page.show([], { number: typed.number });
  assert.equal(input.value, "にh");
  page.window.formgraphComposing = null;
  page.show([], { number: typed.number });
  assert.equal(input.value, "b");
});

test("a value that changes keeps the caret, or puts it where the screen says", (t) => {
  const page = desk(t);
  page.show(control("abcdef"));
  const input = page.$("input");
  input.focus();
  input.setSelectionRange(2, 2);
  page.show(control("abXcdef"));
  assert.deepEqual([input.value, input.selectionStart], ["abXcdef", 2]);
  page.show(control("other", 'data-caret="4"'));
  assert.deepEqual([input.value, input.selectionStart], ["other", 4]);
  page.show('<input type="file" data-in="file" data-value="x">');
});

const combo = (value = "") => `<textarea data-in="note" data-arg="a" data-value="${value}" data-combo="Enter ArrowDown"></textarea>`;

test("what is typed after a key waits for its answer", (t) => {
  const page = desk(t);
  page.show(`${combo()}<input id="next" data-in="text" data-value="">`);
  const area = page.$("textarea"), input = page.$("#next");
  area.focus();
  assert.equal(page.key(area, "Enter"), false);
  const asked = page.sent.at(-1);
  assert.deepEqual([asked.on, asked.do, asked.text], ["key", "note", "Enter"]);
  for (const data of ["a", "b"]) assert.equal(page.fire(area, "beforeinput", { inputType: "insertText", data }), false);
  assert.equal(page.fire(area, "beforeinput", { inputType: "insertLineBreak", data: null }), false);
  assert.equal(area.value, "");
  page.show([], { number: asked.number - 1 });
  assert.equal(input.value, "", "an earlier screen is no answer");
  page.show([], { number: asked.number, focus: "#next" });
  assert.equal(page.document.activeElement, input);
  assert.equal(input.value, "ab", "the texts are one text, and an input has no lines");
  assert.deepEqual([page.sent.at(-1).on, page.sent.at(-1).text], ["input", "ab"]);
  assert.equal(area.value, "");
});

test("keys after a key wait, too, and are pressed in their order", (t) => {
  const page = desk(t);
  page.show(combo("xy"));
  const area = page.$("textarea");
  area.focus();
  page.key(area, "Enter");
  const first = page.sent.at(-1).number;
  page.fire(area, "beforeinput", { inputType: "insertText", data: "z" });
  page.key(area, "ArrowDown");
  page.fire(area, "beforeinput", { inputType: "insertText", data: "!" });
  assert.equal(page.sent.at(-1).number, first);
  page.show([], { number: first });
  assert.equal(area.value, "xyz");
  assert.deepEqual([page.sent.at(-1).on, page.sent.at(-1).text], ["key", "ArrowDown"]);
  page.show(combo("xyz"));
  assert.equal(area.value, "xyz!");
});

test("a key typed ahead deletes a whole character", (t) => {
  for (const [key, at, want] of [["Backspace", 3, "ae\u0301b"], ["Backspace", 5, "a👍🏽b"], ["Delete", 1, "ae\u0301b"], ["Backspace", 0, "a👍🏽e\u0301b"], ["Delete", 6, "a👍🏽e\u0301b"]]) {
    const page = desk(t);
    page.show(`<textarea data-in="note" data-arg="a" data-value="" data-combo="Enter ${key}"></textarea><input id="next" data-in="text" data-value="">`);
    page.$("textarea").focus();
    page.key(page.$("textarea"), "Enter");
    page.key(page.$("textarea"), key);
    page.$("#next").value = "a👍🏽e\u0301b";
    const place = [...page.$("#next").value].slice(0, at).join("").length;
    page.$("#next").focus();
    page.$("#next").setSelectionRange(place, place);
    page.show([], { focus: "#next" });
    assert.equal(page.$("#next").value, want, `${key} at ${at}`);
  }
});

test("what was typed ahead is not written where nothing can be written", (t) => {
  const page = desk(t);
  for (const target of ['<input id="t" type="checkbox" data-in="on">', '<input id="t" data-in="x" readonly>', '<button id="t" data-do="x">x</button>', '<div id="t" tabindex="0">x</div>', '<select id="t" data-in="x"><option></option></select>']) {
    page.show(`<p>${combo()}</p>${target}`);
    page.$("textarea").focus();
    page.key(page.$("textarea"), "Enter");
    page.fire(page.$("textarea"), "beforeinput", { inputType: "insertText", data: "lost" });
    page.show([], { focus: "#t" });
    assert.equal(page.document.activeElement, page.$("#t"));
    assert.notEqual(page.$("#t").value, "lost");
  }
});

test("a focus for a page that is not shown waits until it is", async (t) => {
  const page = desk(t, { hidden: true });
  page.show(control("a"), { focus: "input" });
  assert.equal(page.document.activeElement, page.document.body);
  page.root.hidden = false;
  await page.turn();
  assert.equal(page.document.activeElement, page.$("input"));
});

// --- Events ---

test("presses say what they are about", (t) => {
  const page = desk(t);
  page.show('<input id="source" value="text"><button data-do="go" data-arg="1" data-text="#source"><b>x</b></button><button id="off" data-do="no" disabled>x</button><p>x</p>');
  page.fire(page.$("b"), "click", { shiftKey: true });
  assert.deepEqual(page.sent, [{ on: "press", number: 1, do: "go", arg: "1", text: "text", shift: true }]);
  page.fire(page.$("#off"), "click");
  page.fire(page.$("p"), "click");
  page.fire(page.root, "click");
  assert.equal(page.sent.length, 1);
});

const cells = '<div data-keys="Enter ArrowDown" data-edit-keys="Enter"><textarea data-focus="cell" data-in="cell" data-arg="1" data-value="text">text</textarea><textarea data-focus="cell" data-in="cell" data-arg="2" data-value=""></textarea></div>';

test("the keys of a cell move until its text is edited", (t) => {
  const page = desk(t);
  page.show(cells);
  const cell = page.$("textarea");
  cell.focus();
  assert.deepEqual([page.sent.at(-1).on, page.sent.at(-1).arg], ["focus", "1"]);
  assert.deepEqual([cell.selectionStart, cell.selectionEnd], [0, 4]);
  assert.equal(page.key(cell, "ArrowDown"), false);
  assert.equal(page.sent.at(-1).text, "ArrowDown");
  page.show([]);
  assert.equal(page.key(cell, "F2"), false);
  assert.ok(cell.classList.contains("editing"));
  assert.equal(page.key(cell, "ArrowDown"), true, "the caret moves");
  page.key(cell, "Enter", { altKey: true });
  assert.equal(cell.value, "text\n");
  page.show(cells, { number: page.sent.at(-1).number - 1 });
  assert.ok(cell.classList.contains("editing"), "a drawing does not end the edit");
  page.key(cell, "Escape");
  assert.equal(page.sent.at(-1).text, "Revert");
  assert.equal(cell.classList.contains("editing"), false);
});

const cellsOf = (page) => [...page.root.querySelectorAll("textarea")];

test("Ctrl+S in a cell waits for what is typed ahead", (t) => {
  const page = desk(t);
  page.show(cells);
  const [first, second] = cellsOf(page);
  const saved = []; // the last text that the worker had before each save
  page.root.addEventListener("keydown", (e) => e.target === page.root && saved.push(page.sent.at(-1).text));
  first.focus();
  page.key(first, "ArrowDown");
  const asked = page.sent.at(-1).number;
  page.fire(first, "beforeinput", { inputType: "insertText", data: "typed" });
  assert.equal(page.key(first, "s", { ctrlKey: true }), false);
  assert.deepEqual(saved, []);
  page.show([], { number: asked, focus: "[data-arg='2']" });
  assert.equal(second.value, "typed");
  assert.deepEqual(saved, ["typed"]);
});

test("a press on another cell keeps the focus there, and what was typed ahead goes to its own cell", (t) => {
  for (const text of ["", "typed"]) {
    const page = desk(t);
    page.show(`${cells}<div data-keys=""><textarea data-focus="cell" data-in="cell" data-arg="3" data-value="other"></textarea></div>`);
    const [first, second, third] = cellsOf(page);
    first.focus();
    page.key(first, "ArrowDown");
    const asked = page.sent.at(-1).number;
    if (text) page.fire(first, "beforeinput", { inputType: "insertText", data: text });
    third.focus();
    page.show([], { number: asked, focus: "[data-arg='2']" });
    assert.deepEqual(cellsOf(page).map((cell) => cell.value), ["text", text, "other"]);
    assert.equal(page.document.activeElement, third);
  }
});

test("a press on a cell without a control is reported, and with Shift selects up to it", (t) => {
  const page = desk(t);
  page.show('<div data-bare="0:a"><span>text</span></div>');
  const press = (init) => {
    const free = page.fire(page.$("span"), "mousedown", init);
    return [free, page.sent.at(-1)?.on, page.sent.at(-1)?.arg];
  };
  assert.deepEqual(press({ button: 2 }), [true, undefined, undefined]);
  assert.deepEqual(press({}), [false, "bare", "0:a"]);
  assert.deepEqual(press({ shiftKey: true }), [false, "extend", "0:a"]);
});

test("a table that stops scrolling asks for its missing controls, as often as it says", { timeout: 60000 }, async (t) => {
  const page = desk(t);
  page.show('<div data-scroll="table" data-settle="3"></div>');
  page.fire(page.$("div div"), "scroll");
  const settled = () => page.sent.filter((e) => e.on === "settle" && e.do === "table").length;
  while (settled() < 3) await page.frame();
  assert.equal(page.sent[0].on, "scroll");
});

test("a block is copied, cut and pasted as text", (t) => {
  const page = desk(t);
  page.show(cells);
  const cell = page.$("textarea");
  cell.focus();
  const clipboard = (type, text = "") => {
    const data = { text, getData: () => data.text, setData: (_, s) => (data.text = s) };
    const free = page.fire(cell, type, { extra: { clipboardData: data } });
    return { free, text: data.text };
  };
  assert.deepEqual(clipboard("copy"), { free: true, text: "" });
  assert.equal(clipboard("paste", "one line\n").free, true, "the browser pastes it");
  assert.equal(clipboard("paste", "a\tb").free, false);
  assert.deepEqual([page.sent.at(-1).on, page.sent.at(-1).text], ["paste", "a\tb"]);
  page.show([], { clip: "1\t2" });
  assert.deepEqual(clipboard("copy"), { free: false, text: "1\t2" });
  assert.deepEqual(clipboard("cut"), { free: false, text: "1\t2" });
  assert.equal(page.sent.at(-1).on, "cut");
  assert.equal(page.fire(cell, "paste"), true, "an event without a clipboard");
});

test("a dialog keeps the focus inside", (t) => {
  const page = desk(t);
  page.show('<div role="dialog"><input id="first" data-enter="save" data-in="x"><button disabled>x</button><button id="last">y</button></div>');
  page.$("#last").focus();
  assert.equal(page.key(page.$("#last"), "Tab"), false);
  assert.equal(page.document.activeElement, page.$("#first"));
  page.key(page.$("#first"), "Tab", { shiftKey: true });
  assert.equal(page.document.activeElement, page.$("#last"));
  page.$("#first").value = "text";
  page.key(page.$("#first"), "Enter");
  assert.deepEqual([page.sent.at(-1).do, page.sent.at(-1).text], ["save", "text"]);
  page.key(page.$("#first"), "Escape");
  assert.equal(page.sent.at(-1).do, "close");
});

test("a menu is gone through by keys", (t) => {
  const page = desk(t);
  page.show('<div role="menu" tabindex="-1"><button role="menuitem">Alpha</button><button role="menuitem" disabled>Beta</button><button role="menuitemcheckbox">Gamma</button></div>');
  const [alpha, , gamma] = page.root.querySelectorAll("button");
  const go = (key) => {
    page.key(page.document.activeElement, key);
    return page.document.activeElement;
  };
  page.$("[role=menu]").focus();
  assert.equal(go("ArrowUp"), gamma);
  assert.equal(go("ArrowDown"), alpha);
  assert.equal(go("g"), gamma);
  assert.equal(go("Home"), alpha);
  go("Escape");
  assert.equal(page.sent.at(-1).do, "close");
});

test("Tab and Enter indent code, which stays text, and Escape lets Tab leave", (t) => {
  const page = desk(t);
  page.show('<pre></pre><textarea data-in="css" data-code="css" data-value=""></textarea>');
  const code = page.$("textarea");
  code.focus();
  const press = (value, key, at = value.length) => {
    code.value = value;
    code.setSelectionRange(at, at);
    page.key(code, key);
    return code.value;
  };
  assert.equal(press("  a {", "Enter"), "  a {\n    ");
  assert.equal(press("  a", "Enter"), "  a\n  ");
  assert.equal(press("    a", "Enter", 2), "  \n    a");
  assert.equal(press("\n  a", "Enter", 0), "\n\n  a");
  assert.equal(press("a", "Tab"), "a  ");
  assert.equal(page.$("pre").textContent, "a  \n");
  page.type(code, "</pre><b>x</b>");
  assert.equal(page.$("pre").innerHTML, "&lt;/pre&gt;&lt;b&gt;x&lt;/b&gt;\n", "until the colors follow, code is text");
  page.key(code, "Escape");
  assert.equal(page.key(code, "Tab"), true);
});

test("a frame has no origin, and only its own messages count", (t) => {
  const page = desk(t);
  page.show('<iframe data-frame="screen"></iframe>');
  const inside = page.$("iframe").contentWindow;
  const got = [];
  inside.postMessage = (...args) => got.push(args);
  page.show([], { frame: "text" });
  assert.deepEqual(got, [["text", "*"]]);
  const tell = (data, source) => {
    const event = new page.window.MessageEvent("message", { data });
    Object.defineProperty(event, "source", { value: source });
    page.window.dispatchEvent(event);
  };
  tell("evil", page.window);
  tell({ evil: true }, inside);
  assert.equal(page.sent.length, 0);
  tell("ready", inside);
  assert.deepEqual(page.sent, [{ on: "frame", number: 1, do: "screen", arg: "light", text: "ready" }]);
});

test("messages of the worker that are no screens go to the program", (t) => {
  const page = desk(t);
  const got = [];
  page.worker.addEventListener("message", (e) => got.push(e.data));
  page.worker.dispatchEvent(new page.window.MessageEvent("message", { data: "report" }));
  page.show("<p>x</p>");
  assert.deepEqual(got, ["report"]);
});

test("a file goes to the worker as it is", async (t) => {
  const page = desk(t);
  page.show('<input type="file" data-in="file">');
  const choose = async (file) => {
    Object.defineProperty(page.$("input"), "files", { value: file ? [file] : [], configurable: true });
    page.fire(page.$("input"), "change");
    await page.turn();
    return page.sent.at(-1);
  };
  assert.equal(await choose(null), undefined);
  const bytes = Uint8Array.from({ length: 512 }, (_, i) => i); // not UTF-8, and every byte
  const { name, text, file } = await choose(new File([bytes], "a.csv"));
  assert.deepEqual([name, text, [...file]], ["a.csv", undefined, [...bytes]]);
  assert.equal((await choose(new File([], "a.csv"))).file.length, 0);
  assert.equal((await choose(new File([new Uint8Array(17 << 20)], "a.csv"))).file.length, (16 << 20) + 1);
  const gone = { name: "a.csv", slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException("gone", "NotReadableError")) }) };
  assert.equal((await choose(gone)).file, undefined);
});

test("desk.js: events of any target", (t) => {
  const page = desk(t);
  page.show(`<div data-keys="a" data-edit-keys="b">${control("x", 'data-focus="cell"')}<p data-focus="cell" tabindex="0">y <b>z</b></p></div>` +
    '<div role="dialog"><button data-do="close">a</button></div><div role="menu"><button role="menuitem">b</button></div><div data-bare="1">c</div>');
  everywhere(page, { bare: false });
});
