// Tests of web/static/richtext.js: what HTML becomes when it is shown or pasted, what is written back, and the commands.
"use strict";
const assert = require("node:assert/strict");
const { test } = require("node:test");
const { open, everywhere, table } = require("./page.js");

// rich opens a page with an editor. The stand-in of execCommand does what a browser does with simple selections.
const rich = (t, html = "", more = {}) => {
  const page = open(t, "<!doctype html><body></body>", (window) => {
    const { document } = window;
    page0.commands = [];
    document.execCommand = (name, _, value) => {
      page0.commands.push(value === undefined ? name : `${name} ${value}`);
      const range = document.getSelection().getRangeAt(0);
      const wrap = (tag, href) => {
        const e = document.createElement(tag);
        if (href) e.setAttribute("href", href);
        e.append(range.extractContents());
        range.insertNode(e);
        document.getSelection().selectAllChildren(e);
      };
      if (name === "bold") wrap("b");
      else if (name === "italic") wrap("i");
      else if (name === "createLink") wrap("a", value);
      else if (name === "delete") range.deleteContents();
      else if (name === "unlink") {
        const at = range.startContainer;
        const link = (at.nodeType === 1 ? at : at.parentElement).closest("a");
        link?.replaceWith(...link.childNodes);
      } else if (name === "formatBlock") {
        const block = range.startContainer.parentElement.closest("p, h1, h2, h3, h4, h5, h6");
        const e = document.createElement(value);
        e.append(...block.childNodes);
        block.replaceWith(e);
      }
    };
  });
  page.commands = page0.commands;
  page.run("richtext.js");
  const { document } = page;
  page.textarea = document.createElement("textarea");
  page.textarea.id = "f";
  page.textarea.dataset.path = "/text";
  page.editor = document.createElement("fg-rich");
  Object.assign(page.editor.dataset, { held: `=${html}=`, for: "f", name: "Text", lock: "false", ...more });
  document.body.append(page.textarea, page.editor);
  page.area = page.$(".rich-area");
  page.heard = [];
  page.textarea.addEventListener("input", () => page.heard.push(page.textarea.value));
  // draw and hold are what the program does with a text: draw it, and then set the controls to it.
  page.draw = (text) => (page.editor.dataset.held = `=${text}=`);
  page.hold = (text) => {
    page.draw(text);
    page.editor.value = text;
  };
  page.select = (from, start, to = from, end = start) => {
    page.area.focus();
    page.window.getSelection().setBaseAndExtent(from, start, to, end);
    page.fire(document, "selectionchange");
  };
  page.clipboard = (type, data) => {
    page.fire(page.area, type, { extra: { clipboardData: { getData: (kind) => data[kind] ?? "", setData: (kind, s) => (data[kind] = s) } } });
    return data;
  };
  page.paste = (html) => page.clipboard("paste", typeof html === "string" ? { "text/html": html } : html);
  page.press = (key, more) => page.fire(page.area, "keydown", { key, ctrlKey: true, ...more });
  return page;
};
const page0 = {};

const tags = new Set(["P", "H1", "H2", "H3", "H4", "H5", "H6", "UL", "OL", "LI", "BR", "STRONG", "B", "EM", "I", "A", "CODE"]);
const attributes = { A: ["href"], SPAN: ["class", "contenteditable", "data-template"] };
const address = /^(https?:\/\/|mailto:|\{\{|[^:]*$|[/?#])/i;

// harmless fails if an element of the area can run, load, hide something or stand for something.
const harmless = (page) => {
  const walk = page.document.createTreeWalker(page.area);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (node.nodeType === 3) continue;
    assert.equal(node.nodeType, 1, "comments and the like");
    assert.ok(tags.has(node.tagName) || (node.tagName === "SPAN" && node.classList.contains("rich-chip")), `${node.tagName} survives`);
    assert.equal(node.namespaceURI, "http://www.w3.org/1999/xhtml");
    assert.equal(node.shadowRoot, null);
    for (const { name, value } of node.attributes) {
      assert.ok(attributes[node.tagName]?.includes(name), `${node.tagName} ${name}="${value}" survives`);
      if (name === "href") assert.match(value, address);
    }
  }
};

// Each HTML, and what is left of it.
const hostile = {
  "a script": ["<p>a<script>ran()</script>b</p>", "<p>ab</p>"],
  "a script in capitals": ["<ScRiPt>ran()</sCrIpT><P>b</P>", "<p>b</p>"],
  "a script in pieces": ["<scr<script>ipt>ran()</script>b", "ipt&gt;ran()b"],
  "handlers": ['<p onclick=ran() onfocus=ran() tabindex=1 autofocus>a<b onmouseover="ran()">b</b></p>', "<p>a<b>b</b></p>"],
  "handlers behind a slash": ['<p/onclick=ran()>a</p><b\fonclick=ran()>b</b>', "<p>a</p><b>b</b>"],
  "a picture": ["<img src=x onerror=ran()>a<img srcset='//evil.example 2x'><picture><source srcset=//evil.example></picture>", "a"],
  "media": ["<video src=x onerror=ran()>a</video><audio autoplay src=x></audio><track src=x>", "a"],
  "a style": ['<p style="position:fixed;background:url(//evil.example)" class="popup">a</p><style>p{}</style>', "<p>a</p>"],
  "SVG": ["<svg onload=ran()><script>ran()</script><a href=javascript:ran()><text>x</text></a></svg>a", "a"],
  "SVG with HTML in it": ["<svg><foreignObject><p>x<script>ran()</script></p></foreignObject></svg>a", "a"],
  "SVG whose title leaves it": ["<svg><title><p>x</p><img src=x onerror=ran()></title></svg>a", "a"],
  "MathML": ["<math><mtext><p>x</p></mtext><maction actiontype=statusline xlink:href=javascript:ran()>x</maction></math>a", "a"],
  "HTML that leaves SVG": ["<svg><p>a</p>", "<p>a</p>"],
  "a text of MathML that becomes HTML": ["<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=ran()&gt;\">", null],
  "a form of MathML that becomes HTML": ["<form><math><mtext></form><form><mglyph><style></math><img src onerror=ran()>", null],
  "a style of SVG that becomes HTML": ["<svg></p><style><a id=\"</style><img src=1 onerror=ran()>\">", null],
  "a title": ["<title></p><img src=x onerror=ran()></title>a", "a"],
  "noscript": ['<noscript><p title="</noscript><img src=x onerror=ran()>">a', null],
  "a text area": ["<textarea></p><img src=x onerror=ran()></textarea>a", "a"],
  "a template": ["<template><p onclick=ran()>x</p><script>ran()</script></template>a", "a"],
  "a declarative shadow root": ["<p><template shadowrootmode=open><script>ran()</script></template>a</p>", "<p>a</p>"],
  "a frame": ["<iframe src=javascript:ran()>x</iframe><iframe srcdoc='<script>ran()</script>'></iframe>a", "a"],
  "an object": ["<object data=//evil.example><p>x</p></object><embed src=x>a", "a"],
  "a form": ["<form action=//evil.example><input name=a value=x><button formaction=javascript:ran()>a</button><select><option>x</select></form>", "a"],
  "a base": ["<base href=//evil.example><a href=a>a</a>", '<a href="a">a</a>'],
  "a refresh and a style sheet": ["<meta http-equiv=refresh content='0;url=javascript:ran()'><link rel=stylesheet href=//evil.example>a", "a"],
  "ids and names": ['<p id="f" name="f">a</p><a name="getSelection" id="desk" href="/x" target="_top" ping="//evil.example" rel="opener" download>b</a>', '<p>a</p><a href="/x">b</a>'],
  "attributes of the editor": ['<span class="rich-chip" data-template="<script>">a</span><p data-area="true" contenteditable="false" data-for="x" is="x-p" slot="x" part="x">b</p>', "a<p>b</p>"],
  "attributes of the page": ['<p data-do="delete" data-act="rich" data-menu data-held="=x=">a</p><ul role="menu" aria-hidden="true"><li value="9">b</li></ul>', "<p>a</p><ul><li>b</li></ul>"],
  "an element of the page": ["<fg-rich data-held='=<script>=' data-for=f>a</fg-rich><fg-code>b</fg-code>", "ab"],
  "a comment": ["a<!-- x --><!--><p>b</p><!-- --!><p>c</p>-->", "a<p>b</p><p>c</p>--&gt;"],
  "instructions": ["<?php x ?>a<!doctype x><![CDATA[x]]>b", "ab"],
  "entities of markup": ["&lt;script&gt;ran()&lt;/script&gt;&#60;b&#62;", "&lt;script&gt;ran()&lt;/script&gt;&lt;b&gt;"],
  "the mark of the caret": ["<p>a\ue000b</p>", "<p>a\ue000b</p>"],
  "a template that closes an attribute": ['<p>{{ " onclick=ran() x=" }}</p>', '<p>{{ " onclick=ran() x=" }}</p>'],
  "a template with markup": ["<p>{{<b>x</b>}} {{&lt;b&gt;}}</p>", "<p>{{<b>x</b>}} {{&lt;b&gt;}}</p>"],
  "templates in templates": ["{{{{a}}}}", "{{{{a}}}}"],
  "an unclosed attribute": ['<p title="><img src=x onerror=ran()>', ""],
};

table("hostile HTML", hostile, rich, (page, [html, left]) => {
  page.hold("");
  page.heard.length = 0;
  page.hold(html);
  harmless(page);
  const shown = page.area.innerHTML;
  assert.deepEqual(page.heard, [], "to show is no edit");
  // What is written is what is shown, and shows the same.
  page.fire(page.area, "input");
  const written = page.textarea.value;
  if (left !== null) assert.equal(written, left);
  page.hold("");
  page.hold(written);
  harmless(page);
  assert.equal(page.area.innerHTML, shown);
  // The same from the clipboard.
  page.hold("");
  page.paste(html);
  harmless(page);
});

const links = {
  "https://a.example/?a=1&b=2": true, "HTTP://a.example": true, "mailto:a@b.example": true, "/path": true, "path/to:x": true, "?a:b": true, "#a:b": true, "//a.example": true, "{{fields.link}}": true, "a b": true,
  "": false, "javascript:ran()": false, "JaVaScRiPt:ran()": false, " javascript:ran()": false, "\tjavascript:ran()": false, "\u0001javascript:ran()": false, "java\nscript:ran()": false,
  "java\tscript\r:ran()": false, "javascript&colon;ran()": false, "javascript:ran()//https://": false, "\u00a0javascript:ran()": false, "data:text/html,<script>": false, "DATA:text/html;base64,x": false,
  "vbscript:ran": false, "blob:https://a.example/x": false, "file:///etc/passwd": false, "view-source:x": false, "tel:1": false, "https:a": false, "mailto": true, "/a\u0007b": false, "x\u001f": false, "javascript{{x}}:ran()": false,
};
table("whether a link has the address", links, rich, (page, safe, href) => {
  page.hold("x");
  page.hold("");
  const link = page.document.createElement("a");
  link.setAttribute("href", href);
  link.textContent = "x";
  page.paste(link.outerHTML);
  assert.equal(page.area.querySelector("a")?.getAttribute("href"), safe ? href : undefined);
  // By hand, too.
  page.hold("y");
  page.hold("");
  page.fire(page.$("[data-command=link]"), "click");
  page.editor.applyLink(href);
  assert.equal(page.area.querySelector("a")?.getAttribute("href"), safe ? href : undefined);
  assert.equal(page.editor.fault.hidden, safe || href === "");
});

test("addresses that browsers decode before they are checked", (t) => {
  const page = rich(t);
  page.paste("<a href='&#106;avascript:ran()'>a</a><a href='&#x6A;avascript&colon;ran()'>b</a><a href='java&Tab;script:ran()'>c</a><a href=jav&NewLine;ascript:ran()>d</a>");
  assert.equal(page.area.querySelector("a"), null);
  assert.equal(page.textarea.value, "abcd");
});

// --- What is written ---

const same = [
  "", "text", "<p>a</p><p>b</p>", "<h1>a</h1><h6>b</h6>", "<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>", "<p>a <strong>b</strong> <em>c</em> <b>d</b> <i>e</i> <code>f</code></p>",
  '<p><a href="https://a.example/?a=1&amp;b=&quot;">a</a></p>', "<p>a<br>b</p>", "<p>a &amp; b &lt;c&gt; &amp;amp; &nbsp;d</p>", "<p>{{fields.a}} and {{ b }}</p>", "<p></p>", "<p>😀 \u202eتح</p>", '<a href="{{a}}">{{b}}</a>',
];
table("HTML is written as it was", Object.fromEntries(same.map((html) => [html || "nothing", html])), rich, (page, html) => {
  page.hold(html);
  page.fire(page.area, "input");
  assert.equal(page.textarea.value, html);
});

const others = {
  "<div>a</div><section>b</section>": "<p>a</p><p>b</p>",
  "<span>a</span><u>b</u><font color=red>c</font>": "abc",
  "<table><tr><td>a</td><td>b</td></tr></table>": "<p>ab</p>",
  "<p>a<br></p>": "<p>a</p>",
  "<a>a</a><a name=x>b</a>": "ab",
  "<p><b></b>a</p>": "<p>a</p>",
};
table("HTML becomes what can be edited", others, rich, (page, want, html) => {
  page.hold(html);
  page.fire(page.area, "input");
  assert.equal(page.textarea.value, want);
});

test("what browsers make of an edit is written as it is meant", (t) => {
  const page = rich(t);
  const made = (html) => {
    page.area.innerHTML = html;
    page.fire(page.area, "input");
    return page.textarea.value;
  };
  assert.equal(made("<p>a<ul><li>b</li></ul></p>"), "<p>a</p><ul><li>b</li></ul><p></p>");
  const p = page.document.createElement("p");
  page.area.replaceChildren(p);
  p.innerHTML = "<ul><li>a</li></ul>";
  page.fire(page.area, "input");
  assert.equal(page.textarea.value, "<ul><li>a</li></ul>", "a list in a paragraph");
  assert.equal(made("<div>a</div>"), "<p>a</p>");
  assert.equal(made('<span style="font-weight: bold">a</span><script>b</script>'), "ab");
  assert.equal(made("a<br>"), "a<br>");
  assert.equal(made("<p>a<br></p>"), "<p>a</p>");
});

test("the text area gets the caret at its place in the HTML", (t) => {
  const page = rich(t, "<p>a &amp; bc</p>");
  page.select(page.area.querySelector("p").firstChild, 5);
  page.fire(page.area, "input");
  assert.equal(page.textarea.value.slice(0, page.textarea.selectionStart), "<p>a &amp; b");
});

test("a character that stands for the caret stays where an author wrote it", (t) => {
  const page = rich(t, "<p>\ue000a{{\ue001}}bc</p>");
  page.select(page.area.querySelector("p").lastChild, 1);
  page.fire(page.area, "input");
  assert.equal(page.textarea.value, "<p>\ue000a{{\ue001}}bc</p>");
  assert.equal(page.textarea.selectionStart, "<p>\ue000a{{\ue001}}b".length);
  page.paste("X\ue000");
  assert.equal(page.textarea.value, "<p>\ue000a{{\ue001}}bX\ue000c</p>");
  assert.equal(page.textarea.selectionStart, "<p>\ue000a{{\ue001}}bX\ue000".length);
});

// --- The source round trip ---

test("what the program holds is shown, but not an earlier state of what is typed", (t) => {
  const page = rich(t, "<p>a</p>");
  const p = page.area.querySelector("p");
  const type = (text) => {
    p.textContent = text;
    page.fire(page.area, "input");
  };
  type("ab");
  type("abc");
  assert.deepEqual(page.heard, ["<p>ab</p>", "<p>abc</p>"]);
  assert.equal(page.editor.value, "<p>abc</p>");
  page.draw("<p>ab</p>");
  assert.equal(page.area.textContent, "abc");
  assert.equal(page.area.querySelector("p"), p, "the caret stays");
  page.hold("<p>abc</p>");
  assert.equal(page.area.querySelector("p"), p);
  page.hold("<p>other</p>");
  assert.equal(page.area.innerHTML, "<p>other</p>");
});

test("an earlier state is shown when the program keeps it", (t) => {
  const page = rich(t, "<p>a</p>");
  page.area.querySelector("p").textContent = "ab";
  page.fire(page.area, "input");
  page.area.querySelector("p").textContent = "abc";
  page.fire(page.area, "input");
  page.hold("<p>ab</p>");
  assert.equal(page.area.textContent, "ab");
});

test("another text area is another text", (t) => {
  const page = rich(t, "<p>a</p>");
  page.textarea.dataset.path = "/other";
  page.editor.dataset.name = "Other";
  assert.equal(page.area.getAttribute("aria-label"), "Other");
  assert.equal(page.$("[data-act=pick]").dataset.arg, "/other");
});

test("a text area that comes later is found", async (t) => {
  const page = rich(t, "<p>a</p>");
  page.textarea.id = "";
  const late = page.document.createElement("fg-rich");
  Object.assign(late.dataset, { held: "=<p>b</p>=", for: "late" });
  page.document.body.append(late);
  const area = late.querySelector(".rich-area");
  assert.equal(area.innerHTML, "<p>b</p>");
  assert.equal(area.contentEditable, "inherit", "there is nothing to edit yet");
  page.textarea.id = "late";
  await page.frame();
  assert.equal(area.contentEditable, "true");
});

test("an editor that is moved still works, once", (t) => {
  const page = rich(t, "<p>a</p>");
  page.document.body.prepend(page.editor);
  assert.equal(page.$(".rich-area").innerHTML, "<p>a</p>");
  assert.equal(page.editor.children.length, 3);
  page.fire(page.$(".rich-area"), "input");
  assert.deepEqual(page.heard, ["<p>a</p>"]);
  page.editor.remove();
  assert.equal(page.editor.children.length, 0);
  page.editor.insertTemplate("{{late}}");
});

test("a locked text cannot be edited", (t) => {
  const page = rich(t, "<p>a</p>", { lock: "true" });
  assert.equal(page.area.contentEditable, "false");
  assert.equal(page.$(".rich-bar").hidden, true);
  page.editor.dataset.lock = "false";
  assert.equal(page.area.contentEditable, "true");
});

test("events of the editor stay inside, and links do not lead away", (t) => {
  const page = rich(t, '<a href="/x">a</a>');
  let heard = 0;
  for (const type of ["input", "change"]) page.document.addEventListener(type, (e) => e.target !== page.textarea && heard++);
  page.fire(page.area, "input");
  page.fire(page.$(".rich-kind"), "input");
  assert.equal(heard, 0);
  assert.equal(page.fire(page.area.querySelector("a"), "click"), false);
  assert.equal(page.fire(page.area, "drop"), false);
});

// --- Variables ---

test("variables are chips with names, which are only text", (t) => {
  const page = rich(t, "<p>{{a}} {{b}} {{ c }}</p>", { names: JSON.stringify({ "{{a}}": ["text", "<b>Name</b>"], "{{b}}": ["warn", "b"] }) });
  const [a, b, c] = page.area.querySelectorAll(".rich-chip");
  assert.equal(a.textContent, "<b>Name</b>");
  assert.equal(a.querySelector("b"), null);
  assert.equal(a.querySelector("use").getAttribute("href"), "#i-text");
  assert.ok(b.classList.contains("unknown"));
  assert.equal(c.textContent, "c");
  page.editor.dataset.names = JSON.stringify({ "{{ c }}": ["text", "Later"] });
  assert.equal(c.textContent, "Later");
  page.fire(page.area, "input");
  assert.equal(page.textarea.value, "<p>{{a}} {{b}} {{ c }}</p>");
});

test("a variable takes the place of what is begun", async (t) => {
  const page = rich(t, "<p>a {{fi}} b</p>");
  page.area.querySelector("p").replaceChildren("a {{fi}} b");
  page.select(page.area.querySelector("p").firstChild, 6);
  page.editor.insertTemplate("{{fields.x}}");
  await page.turn();
  assert.equal(page.textarea.value, "<p>a {{fields.x}} b</p>");
  assert.equal(page.area.querySelector(".rich-chip").dataset.template, "{{fields.x}}");
  // The caret is after it.
  assert.equal(page.window.getSelection().focusNode.data.slice(page.window.getSelection().focusOffset), " b");
});

// --- The clipboard ---

test("a paste takes the place of the selection", (t) => {
  const page = rich(t, "<p>abc</p>");
  const text = page.area.querySelector("p").firstChild;
  page.select(text, 1, text, 2);
  page.paste("<b>X</b> {{v}}");
  assert.equal(page.textarea.value, "<p>a<b>X</b> {{v}}c</p>");
  const s = page.window.getSelection();
  assert.equal(s.focusNode.data.slice(s.focusOffset), "c");
  assert.equal(page.area.textContent.includes("\ue000"), false);
});

test("a paste of text is text, with its lines and variables", (t) => {
  const page = rich(t);
  page.paste({ "text/plain": "one <b>\r\n\r\ntwo {{v}}" });
  assert.match(page.textarea.value, /<p>one &lt;b&gt;<\/p><p>two \{\{v\}\}<\/p>/);
  page.hold("");
  page.paste({ "text/plain": "<script>ran()</script>" });
  assert.equal(page.textarea.value, "&lt;script&gt;ran()&lt;/script&gt;");
  page.fire(page.area, "paste");
});

test("a copy has the variables, not their names", (t) => {
  const page = rich(t, "<p>a <b>{{v}} b</b></p><p>c</p>", { names: JSON.stringify({ "{{v}}": ["text", "Name"] }) });
  page.select(page.area, 0, page.area, 2);
  assert.deepEqual(page.clipboard("copy", {}), { "text/html": "<p>a <b>{{v}} b</b></p><p>c</p>", "text/plain": "a {{v}} b\nc" });
  const bold = page.area.querySelector("b");
  page.select(bold, 0, bold, 2);
  assert.deepEqual(page.clipboard("cut", {}), { "text/html": "<b>{{v}} b</b>", "text/plain": "{{v}} b" });
  assert.equal(page.commands.at(-1), "delete");
  page.select(bold, 0);
  assert.deepEqual(page.clipboard("copy", {}), {}, "nothing is selected");
});

// --- Commands ---

test("marks by button and by key", (t) => {
  const page = rich(t, "<p>abc</p>");
  const text = page.area.querySelector("p").firstChild;
  page.select(text, 0, text, 1);
  page.fire(page.$("[data-command=bold]"), "click");
  assert.deepEqual(page.commands, ["styleWithCSS false", "defaultParagraphSeparator p", "bold"]);
  assert.equal(page.textarea.value, "<p><b>a</b>bc</p>");
  page.fire(page.document, "selectionchange");
  assert.equal(page.$("[data-command=bold]").getAttribute("aria-pressed"), "true");
  assert.equal(page.$("[data-command=italic]").getAttribute("aria-pressed"), "false");
  const rest = page.area.querySelector("p").lastChild;
  page.select(rest, 0, rest, 1);
  assert.equal(page.press("i"), false);
  assert.equal(page.textarea.value, "<p><b>a</b><i>b</i>c</p>");
  assert.equal(page.press("u"), false, "there is no mark for it");
  assert.equal(page.press("x"), true);
  assert.equal(page.press("b", { altKey: true }), true);
});

test("the kind of text follows the caret and changes it", (t) => {
  const page = rich(t, "<h2>a</h2><p>b</p>");
  const kind = page.$(".rich-kind");
  page.select(page.area.querySelector("h2").firstChild, 1);
  assert.equal(kind.value, "h2");
  page.select(page.area.querySelector("p").firstChild, 1);
  assert.equal(kind.value, "p");
  kind.focus();
  kind.value = "h3";
  page.fire(kind, "change");
  assert.equal(page.textarea.value, "<h2>a</h2><h3>b</h3>");
});

test("links are made, changed and removed", (t) => {
  const page = rich(t, "<p>abc</p>");
  const text = page.area.querySelector("p").firstChild;
  page.select(text, 0, text, 1);
  page.press("k");
  const box = page.$(".rich-link"), address = box.querySelector("input");
  assert.equal(page.document.activeElement, address);
  assert.equal(address.value, "");
  address.value = " a.example ";
  page.fire(address, "keydown", { key: "Enter" });
  assert.equal(box.hidden, true);
  assert.equal(page.textarea.value, '<p><a href="https://a.example">a</a>bc</p>');
  page.select(page.area.querySelector("a").firstChild, 1);
  page.press("k");
  assert.equal(address.value, "https://a.example");
  address.value = "javascript:ran()";
  page.fire(address, "keydown", { key: "Enter" });
  assert.equal(box.hidden, false);
  assert.equal(page.editor.fault.hidden, false);
  assert.equal(page.area.querySelector("a").getAttribute("href"), "https://a.example");
  address.value = "/other?a=\"b\"&c";
  page.fire(address, "keydown", { key: "Enter" });
  assert.equal(page.textarea.value, '<p><a href="/other?a=&quot;b&quot;&amp;c">a</a>bc</p>');
  page.select(page.area.querySelector("a").firstChild, 1);
  page.press("k");
  page.fire([...box.querySelectorAll("button")].find((b) => b.textContent === "Remove link"), "click");
  assert.equal(page.textarea.value, "<p>abc</p>");
  page.press("k");
  page.fire(address, "keydown", { key: "Escape" });
  assert.equal(box.hidden, true);
  assert.equal(page.document.activeElement, page.area);
});

test("a link without a selection shows its address", (t) => {
  const page = rich(t, "<p>a</p>");
  page.select(page.area.querySelector("p").firstChild, 1);
  page.press("k");
  page.editor.applyLink("https://b.example/");
  assert.equal(page.textarea.value, '<p>a<a href="https://b.example/">https://b.example/</a></p>');
});

test("events of any target", (t) => {
  const page = rich(t, '<p>a <b>b</b> <a href="https://a.example">c</a></p>');
  page.document.execCommand = () => {};
  everywhere(page, { bare: false });
  assert.equal(page.area.textContent, "a b c");
});
