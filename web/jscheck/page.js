// Opens pages for the tests: jsdom with one of the scripts in it, and stand-ins for what the scripts use of a browser and jsdom lacks. Nothing
// is laid out, loaded or run but the script.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const vm = require("node:vm");
const { JSDOM, VirtualConsole } = require("jsdom");

const scripts = path.join(__dirname, "..", "static");
const sourceOf = (name) => fs.readFileSync(path.join(scripts, name), "utf8");

// open returns a page: its window, and what happened in it. An exception that nobody catches fails the test when it closes the page.
const open = (t, html, before = () => {}) => {
  const faults = [];
  const console = new VirtualConsole();
  console.on("jsdomError", (err) => faults.push(err.detail ?? err));
  const dom = new JSDOM(html, { url: "https://editor.example/", pretendToBeVisual: true, runScripts: "outside-only", virtualConsole: console });
  const { window } = dom;
  const sound = () => assert.deepEqual(faults.splice(0).map((f) => f.stack ?? String(f)), [], "exceptions in the page");
  t.after(() => {
    window.close();
    sound();
  });
  const page = { window, document: window.document, sound, observers: [] };
  standIns(page);
  before(window);
  page.context = dom.getInternalVMContext();
  page.run = (name) => new vm.Script(sourceOf(name), { filename: name }).runInContext(page.context);
  page.frame = () => new Promise((done) => window.requestAnimationFrame(() => setTimeout(done)));
  page.turn = (ms = 0) => new Promise((done) => setTimeout(done, ms));
  page.$ = (selector) => window.document.querySelector(selector);
  // fire dispatches an event as a browser does, and reports whether its default action would happen.
  page.fire = (target, type, init = {}, Kind = kinds[type] ?? "Event") =>
    target.dispatchEvent(Object.assign(new window[Kind](type, { bubbles: true, cancelable: true, composed: true, ...init }), init.extra));
  return page;
};

const kinds = {
  click: "MouseEvent", auxclick: "MouseEvent",
  mousedown: "MouseEvent", mouseup: "MouseEvent", contextmenu: "MouseEvent", wheel: "WheelEvent",
  keydown: "KeyboardEvent", keyup: "KeyboardEvent", beforeinput: "InputEvent",
  pointerdown: "PointerEvent", pointerup: "PointerEvent", pointermove: "PointerEvent", pointercancel: "PointerEvent",
  lostpointercapture: "PointerEvent",
};

const standIns = (page) => {
  const { window } = page;
  page.dark = Object.assign(new window.EventTarget(), { matches: false });
  window.matchMedia = () => page.dark;
  window.CSS = { escape: (s) => String(s).replace(/[^\w-]|^\d/g, (c) => `\\${c.codePointAt(0).toString(16)} `) };
  window.PointerEvent ??= class extends window.MouseEvent {
    constructor(type, { pointerId = 1, pointerType = "mouse", isPrimary = true, ...init } = {}) {
      super(type, init);
      Object.assign(this, { pointerId, pointerType, isPrimary });
    }
  };
  window.scrollTo = () => {};
  window.document.elementFromPoint = () => null;
  window.Element.prototype.scrollIntoView = () => {};
  window.Element.prototype.setPointerCapture = () => {};
  window.ResizeObserver = class {
    constructor(seen) {
      this.seen = seen;
      this.targets = [];
      page.observers.push(this);
    }
    observe(target) {
      this.targets.push(target);
    }
  };
  // What can be edited can have the focus.
  Object.defineProperty(window.HTMLElement.prototype, "contentEditable", {
    get() {
      return this.getAttribute("contenteditable") ?? "inherit";
    },
    set(on) {
      this.setAttribute("contenteditable", on);
      if (on === "true") this.setAttribute("tabindex", "0");
      else this.removeAttribute("tabindex");
    },
  });
};

// table makes a test of each row, all with one page: to open one takes most of the time of a small test.
const table = (name, rows, make, each) =>
  test(name, async (t) => {
    const page = make(t);
    for (const [row, what] of Object.entries(rows)) {
      await t.test(row, () => {
        each(page, what, row);
        page.sound();
      });
    }
  });

// everywhere sends events of every kind to the window, the document, its element and each text, as assistive tools, extensions and
// browsers do. A bare event is of no class but Event; boot.js keeps some from the scripts of its pages.
const everywhere = (page, { bare = true } = {}) => {
  const all = "click auxclick dblclick mousedown mouseup mousemove mouseover mouseout contextmenu wheel keydown keyup keypress beforeinput " +
    "input change compositionstart compositionupdate compositionend pointerdown pointermove pointerup pointercancel pointerover " +
    "pointerout pointerenter pointerleave gotpointercapture lostpointercapture touchstart touchmove touchend touchcancel focus " +
    "blur focusin focusout copy cut paste dragstart drag dragenter dragover dragleave dragend drop selectionchange scroll resize " +
    "submit storage beforeprint afterprint close toggle";
  const { window, document } = page;
  const targets = [window, document, document.documentElement];
  for (const walk = document.createTreeWalker(document, window.NodeFilter.SHOW_TEXT); walk.nextNode();) targets.push(walk.currentNode);
  for (const target of targets) {
    for (const type of all.split(" ")) {
      page.fire(target, type);
      if (bare) page.fire(target, type, {}, "Event");
    }
  }
  page.sound();
};

module.exports = { open, sourceOf, everywhere, table };
