// The visual editor of rich text: an element fg-rich beside the textarea that has the HTML. It shows what the program has found that it can
// show, and writes HTML into the textarea after each edit. The program sets its value like that of any control; see SyncControls in app/ui/kit.
// Nothing that an author wrote becomes markup of the page: HTML is parsed into a template, where nothing runs or loads, and the elements of a
// list are made anew without attributes but the address of a link.
/** @type {Pick<TrustedPolicy, "createHTML">} */
const rules = { createHTML: (html) => html };
const policy = window.trustedTypes ? trustedTypes.createPolicy("formgraph-richtext", rules) : rules;
/**
 * Returns HTML as nodes of a template, which belong to no page: nothing of them runs, loads or counts, not even for the page's policy.
 * @param {string} html
 */
const parse = (html) => {
  const template = document.createElement("template");
  template.innerHTML = policy.createHTML(html);
  return template.content;
};

const BLOCKS = new Set(["P", "H1", "H2", "H3", "H4", "H5", "H6", "UL", "OL"]);
const MARKS = new Set(["STRONG", "B", "EM", "I", "A", "CODE"]);
const ALLOWED = new Set([...BLOCKS, ...MARKS, "LI", "BR"]);
const SILENT = new Set(["SCRIPT", "STYLE", "TEMPLATE", "TITLE", "HEAD", "SVG", "MATH", "IFRAME", "OBJECT", "NOSCRIPT", "SELECT", "TEXTAREA"]);
const LINES = new Set(["DIV", "SECTION", "ARTICLE", "BLOCKQUOTE", "PRE", "TR", "DT", "DD", "FIGURE", "HEADER", "FOOTER", "MAIN"]);

/**
 * Reports whether a link may have an address; the program checks addresses by the same rule.
 * @param {string} address
 */
const safe = (address) => /^(https?:\/\/|mailto:|\{\{)/i.test(address) || (/^[^:&/?#]*([/?#]|$)/.test(address) && !/[\0-\x1f]/.test(address));

/** @type {<T extends keyof HTMLElementTagNameMap>(tag: T, attributes: Record<string, string>, ...children: (Node | string)[]) => HTMLElementTagNameMap[T]} */
const element = (tag, attributes, ...children) => {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
};

/** @param {string} template */
const chip = (template) =>
  element("span", { class: "rich-chip", contenteditable: "false", "data-template": template }, template.slice(2, -2).trim());

/** @param {Node} node @returns {node is Text} */
const isText = (node) => node.nodeType === Node.TEXT_NODE;
/** @param {Node} node @returns {node is HTMLElement} */
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;

/**
 * Adds to an element what it may show of a node.
 * @param {Node} from @param {ParentNode & Node} to
 */
const rebuild = (from, to) => {
  for (const node of from.childNodes) {
    if (isText(node)) {
      for (const part of node.data.split(/(\{\{[^{}<>&]*\}\})/)) {
        if (part) to.append(part.startsWith("{{") && part.endsWith("}}") ? chip(part) : part);
      }
    } else if (isElement(node) && !SILENT.has(node.tagName.toUpperCase())) {
      let into = to;
      const href = node.tagName === "A" ? node.getAttribute("href") || "" : "";
      if (ALLOWED.has(node.tagName) && (node.tagName !== "A" || (href && safe(href)))) {
        into = element(/** @type {keyof HTMLElementTagNameMap} */ (node.tagName), href ? { href } : {});
      } else if (LINES.has(node.tagName)) {
        into = element("p", {});
      }
      rebuild(node, into);
      if (into !== to) to.append(into);
    }
  }
};

/** @param {string} text */
const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/\u00a0/g, "&nbsp;");

/** @param {Node} node */
const isBlock = (node) => isElement(node) && (BLOCKS.has(node.tagName) || node.tagName === "DIV");

/** @typedef {{ node: Text, at: number, mark: string }} Caret */

/**
 * Returns a character that stands for the caret in a text, and is not in it.
 * @param {string} text
 */
const markFor = (text) => {
  let code = 0xe000;
  while (text.includes(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
};

/**
 * Returns the HTML of what is in an element. A caret at a place in a text is written as its mark.
 * @param {HTMLElement} parent @param {Caret | null} [caret] @returns {string}
 */
const write = (parent, caret) => {
  let out = "";
  const nodes = [...parent.childNodes];
  nodes.forEach((node, i) => {
    if (isText(node)) {
      out += caret && caret.node === node ? escape(node.data.slice(0, caret.at)) + caret.mark + escape(node.data.slice(caret.at)) : escape(node.data);
      return;
    }
    if (!isElement(node)) return;
    if (node.dataset.template) {
      out += node.dataset.template;
      return;
    }
    const tag = node.tagName === "DIV" ? "p" : node.tagName.toLowerCase();
    if (tag === "br") {
      if (i < nodes.length - 1 || parent.dataset.area === "true") out += "<br>"; // the last one only gives an empty line its height
      return;
    }
    const inside = write(node, caret);
    if (tag !== "ul" && tag !== "ol" && tag !== "li" && [...node.childNodes].some(isBlock)) {
      out += inside; // browsers put a list into the paragraph of which it was made
    } else if (tag === "p" || (ALLOWED.has(node.tagName) && (tag !== "a" || node.hasAttribute("href")))) {
      const href = tag === "a" ? ` href="${(node.getAttribute("href") ?? "").replace(/&/g, "&amp;").replace(/"/g, "&quot;")}"` : "";
      if (inside || isBlock(node) || tag === "li") out += `<${tag}${href}>${inside}</${tag}>`;
    } else {
      out += inside;
    }
  });
  return out;
};

/** @param {string} name */
const icon = (name) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "i");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", "#i-" + name);
  svg.append(use);
  return svg;
};

const selection = () => /** @type {Selection} */ (getSelection());
/** @param {Event} e */
const targetOf = (e) => /** @type {Element} */ (e.target instanceof Text ? e.target.parentElement : e.target);

class Rich extends HTMLElement {
  static observedAttributes = ["data-for", "data-lock", "data-name", "data-names"];

  /** @type {string | null} */
  shown = null;
  /** @type {string | undefined} */
  path;
  /** @type {Range | null} */
  range = null;
  /** @type {HTMLTextAreaElement | null} */
  textarea = null;
  onFocus = () => this.area.focus();
  onSelection = () => this.selected();

  area = element("div", { class: "rich-area", role: "textbox", "aria-multiline": "true", "data-area": "true" });
  kind = element("select", { class: "rich-kind", "aria-label": "Kind of text" });
  buttons = [
    this.button("Bold", "bold", "Ctrl+B", element("b", {}, "B")),
    this.button("Italic", "italic", "Ctrl+I", element("i", {}, "I")),
    this.button("Link", "link", "Ctrl+K", icon("link")),
    this.button("List", "insertUnorderedList", "", icon("bullets")),
    this.button("Numbered list", "insertOrderedList", "", icon("numbers")),
  ];
  pick = element("button", { type: "button", class: "icon rich-pick", "aria-label": "Insert a variable", title: "Insert a variable", "data-act": "pick" }, "{}");
  source = element("button", { type: "button", class: "icon", "aria-label": "Show the HTML", title: "Show the HTML", "data-act": "rich" }, icon("html"));
  bar = element("div", { class: "rich-bar", role: "toolbar", "aria-label": "Format" }, this.kind, ...this.buttons, this.pick, this.source);
  address = element("input", { type: "text", "aria-label": "Address of the link", placeholder: "https://", spellcheck: "false", autocomplete: "off" });
  fault = element("p", { class: "problem-text", role: "alert", hidden: "" });
  linkBox = this.makeLink();

  constructor() {
    super();
    for (const [value, name] of [["p", "Text"], ["h1", "Heading 1"], ["h2", "Heading 2"], ["h3", "Heading 3"], ["h4", "Heading 4"], ["h5", "Heading 5"], ["h6", "Heading 6"]]) {
      this.kind.append(element("option", { value }, name));
    }
    this.kind.addEventListener("change", () => this.command("formatBlock", this.kind.value));
    this.bar.addEventListener("mousedown", (e) => targetOf(e).closest("button") && e.preventDefault()); // the text keeps the focus
    for (const type of ["input", "change"]) {
      this.addEventListener(type, (e) => e.stopPropagation());
    }
    this.area.addEventListener("input", () => this.changed());
    this.area.addEventListener("keydown", (e) => this.key(e));
    this.area.addEventListener("paste", (e) => this.paste(e));
    for (const type of /** @type {const} */ (["copy", "cut"])) this.area.addEventListener(type, (e) => this.copy(e));
    this.area.addEventListener("drop", (e) => e.preventDefault());
    this.area.addEventListener("click", (e) => targetOf(e).closest("a") && e.preventDefault());
  }

  connectedCallback() {
    if (this.shows()) return;
    [this.shown, this.range] = [null, null];
    this.linkBox.hidden = true;
    this.append(this.bar, this.area, this.linkBox);
    document.addEventListener("selectionchange", this.onSelection);
    this.value = (this.dataset.held ?? "").slice(1, -1);
    this.update();
  }

  disconnectedCallback() {
    document.removeEventListener("selectionchange", this.onSelection);
    this.textarea?.removeEventListener("focus", this.onFocus);
    this.textarea = null;
    this.replaceChildren();
  }

  /** @param {string} attribute */
  attributeChangedCallback(attribute) {
    if (!this.shows()) return;
    // The names may come before the text that has the variables.
    if (attribute === "data-names") this.nameChips();
    else this.update();
  }

  shows() {
    return this.area.parentNode === this;
  }

  get value() {
    return this.shown ?? "";
  }

  /** @param {string} html */
  set value(html) {
    if (!this.shows() || html === this.shown) return;
    this.shown = html;
    const focused = this.area.contains(document.activeElement);
    this.area.replaceChildren();
    rebuild(parse(html), this.area);
    if (focused) this.toEnd();
    this.nameChips();
  }

  /** @param {string} name @param {string} command @param {string} key @param {Element} sign */
  button(name, command, key, sign) {
    const b = element("button", { type: "button", class: "icon", "aria-label": name, title: key ? `${name} (${key})` : name, "data-command": command }, sign);
    b.addEventListener("click", () => (command === "link" ? this.openLink() : this.command(command)));
    return b;
  }

  // update follows the attributes and the textarea.
  update() {
    const textarea = /** @type {HTMLTextAreaElement | null} */ (document.getElementById(this.dataset.for ?? ""));
    if (!textarea) {
      // The page draws it, or gives it its new id, after this element.
      requestAnimationFrame(() => this.shows() && this.update());
      return;
    }
    if (textarea !== this.textarea) {
      this.textarea?.removeEventListener("focus", this.onFocus);
      this.textarea = textarea;
      textarea.addEventListener("focus", this.onFocus);
      // It may have got the focus before this script was loaded.
      if (document.activeElement === textarea) setTimeout(this.onFocus);
    }
    const path = textarea.dataset.path;
    if (path !== this.path) [this.path, this.range] = [path, null];
    const locked = this.dataset.lock === "true";
    this.area.contentEditable = String(!locked);
    this.area.setAttribute("aria-label", this.dataset.name ?? "");
    this.bar.hidden = locked;
    this.pick.dataset.arg = this.source.dataset.arg = path;
  }

  // nameChips shows on each chip the icon and the name of its variable, as the program knows them. The template stays as it is.
  nameChips() {
    /** @type {Record<string, [sign: string, name: string]>} */
    const names = JSON.parse(this.dataset.names || "{}");
    for (const c of /** @type {NodeListOf<HTMLElement>} */ (this.area.querySelectorAll(".rich-chip"))) {
      const { template = "" } = c.dataset;
      const [sign, name] = names[template] || [];
      if (!name || c.dataset.shown === sign + name) continue;
      c.dataset.shown = sign + name;
      c.title = template;
      c.classList.toggle("unknown", sign === "warn");
      c.replaceChildren(icon(sign), name);
    }
  }

  toEnd() {
    const s = selection();
    s.selectAllChildren(this.area);
    s.collapseToEnd();
  }

  // changed tells the program what the text is now.
  changed() {
    if (!this.textarea) return;
    const s = selection();
    const node = s.focusNode;
    const mark = markFor(this.area.outerHTML);
    const caret = node && isText(node) && this.area.contains(node) ? { node, at: s.focusOffset, mark } : null;
    const marked = write(this.area, caret);
    const html = marked.replace(mark, "");
    const at = Math.max(0, marked.indexOf(mark));
    this.shown = html;
    this.textarea.value = html;
    this.textarea.setSelectionRange(at, at);
    this.textarea.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /** @param {string} name @param {string} [value] */
  command(name, value) {
    this.restore();
    document.execCommand("styleWithCSS", false, "false");
    document.execCommand("defaultParagraphSeparator", false, "p");
    document.execCommand(name, false, value);
    this.changed();
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const letter = e.key.toLowerCase();
    if ((e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && "bik".includes(letter)) {
      e.preventDefault();
      if (letter === "k") this.openLink();
      else this.command(letter === "b" ? "bold" : "italic");
    } else if ((e.ctrlKey || e.metaKey) && letter === "u") {
      e.preventDefault(); // there is no mark for it
    } else if (e.key === "Enter") {
      document.execCommand("defaultParagraphSeparator", false, "p");
    }
  }

  /**
   * Puts the selection on the clipboard with its variables, not with the names that their chips show.
   * @param {ClipboardEvent} e
   */
  copy(e) {
    const s = selection();
    if (s.isCollapsed || !e.clipboardData) return;
    e.preventDefault();
    const range = s.getRangeAt(0), inside = range.commonAncestorContainer;
    const selected = element("div", {});
    selected.append(range.cloneContents());
    // What is selected is in these marks, or consists of lines of this list.
    for (let n = /** @type {Node | null} */ (inside); n && n !== this.area && this.area.contains(n); n = n.parentNode) {
      if (!MARKS.has(n.nodeName) && !(n === inside && (n.nodeName === "UL" || n.nodeName === "OL"))) continue;
      const around = /** @type {HTMLElement} */ (n.cloneNode());
      around.append(...selected.childNodes);
      selected.append(around);
    }
    const html = write(selected);
    const text = parse(html);
    for (const br of text.querySelectorAll("br")) br.replaceWith("\n");
    for (const line of text.querySelectorAll("p, h1, h2, h3, h4, h5, h6, li")) line.append("\n");
    e.clipboardData.setData("text/html", html);
    e.clipboardData.setData("text/plain", (text.textContent ?? "").trim());
    if (e.type === "cut") document.execCommand("delete");
  }

  /** @param {ClipboardEvent} e */
  paste(e) {
    e.preventDefault();
    e.stopPropagation();
    if (!e.clipboardData) return;
    const html = e.clipboardData.getData("text/html");
    const fragment = document.createDocumentFragment();
    if (html) {
      rebuild(parse(html), fragment);
    } else {
      const lines = e.clipboardData.getData("text/plain").replace(/\r/g, "").split(/\n+/);
      const holder = document.createElement("div");
      for (const line of lines) holder.append(lines.length > 1 ? element("p", {}, line) : line);
      rebuild(holder, fragment);
    }
    this.insertNodes(fragment);
  }

  /**
   * Puts nodes in place of the selection, and the caret after them.
   * @param {DocumentFragment} fragment
   */
  insertNodes(fragment) {
    this.restore();
    const range = selection().getRangeAt(0);
    range.deleteContents();
    const end = document.createTextNode("");
    fragment.append(end);
    range.insertNode(fragment);
    const mark = markFor(this.area.outerHTML);
    end.data = mark;
    const html = write(this.area);
    this.area.replaceChildren();
    rebuild(parse(html), this.area);
    this.nameChips();
    const walker = document.createTreeWalker(this.area, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = /** @type {Text} */ (walker.currentNode);
      const at = text.data.indexOf(mark);
      if (at < 0) continue;
      text.data = text.data.replace(mark, "");
      selection().collapse(text, at);
      break;
    }
    this.changed();
  }

  /**
   * Puts a template at the caret, in place of one that is begun there.
   * @param {string} template
   */
  insertTemplate(template) {
    // The program calls this while it handles a key, and then sets the controls to what it knows.
    setTimeout(() => this.shows() && this.putTemplate(template));
  }

  /** @param {string} template */
  putTemplate(template) {
    this.restore();
    const s = selection();
    const node = s.focusNode;
    if (node && isText(node)) {
      const begun = node.data.lastIndexOf("{{", s.focusOffset);
      if (begun >= 0 && !node.data.slice(begun, s.focusOffset).includes("}}")) {
        node.data = node.data.slice(0, begun) + node.data.slice(s.focusOffset).replace(/^\}\}/, "");
        s.collapse(node, begun);
      }
    }
    const fragment = document.createDocumentFragment();
    fragment.append(chip(template));
    this.insertNodes(fragment);
  }

  // selected keeps the caret for when the focus is elsewhere, and shows what holds there.
  selected() {
    const s = selection();
    if (!s.rangeCount || !this.area.contains(s.getRangeAt(0).commonAncestorContainer)) return;
    this.range = s.getRangeAt(0).cloneRange();
    const tags = new Set();
    for (let n = /** @type {Node | null} */ (this.range.startContainer); n && n !== this.area; n = n.parentNode) tags.add(n.nodeName);
    /** @type {Record<string, string[]>} */
    const on = { bold: ["B", "STRONG"], italic: ["I", "EM"], link: ["A"], insertUnorderedList: ["UL"], insertOrderedList: ["OL"] };
    for (const b of this.buttons) {
      b.setAttribute("aria-pressed", String(on[b.dataset.command ?? ""].some((t) => tags.has(t))));
    }
    this.kind.value = ["H1", "H2", "H3", "H4", "H5", "H6"].find((t) => tags.has(t))?.toLowerCase() || "p";
  }

  restore() {
    const range = this.range && this.area.contains(this.range.commonAncestorContainer) ? this.range : null;
    const s = selection();
    if (document.activeElement === this.area && this.area.contains(s.focusNode)) {
      this.selected(); // the browser tells of it later
      return;
    }
    this.area.focus();
    if (range) {
      s.removeAllRanges();
      s.addRange(range);
    } else if (!this.area.contains(s.focusNode)) {
      this.toEnd();
    }
  }

  makeLink() {
    /** @param {string} name @param {string} kind @param {() => void} act */
    const button = (name, kind, act) => {
      const b = element("button", { type: "button", class: kind }, name);
      b.addEventListener("click", act);
      return b;
    };
    const box = element("div", { class: "rich-link", role: "group", "aria-label": "Link", hidden: "" }, this.address, this.fault,
      element("div", { class: "rich-link-buttons" }, button("Apply", "primary", () => this.applyLink()), button("Remove link", "link", () => this.applyLink("")), button("Cancel", "link", () => this.closeLink())));
    box.addEventListener("keydown", (e) => {
      if (e.key !== "Enter" && e.key !== "Escape") return;
      if (e.key === "Enter" && e.target !== this.address) return;
      e.preventDefault();
      e.stopPropagation();
      if (e.key === "Enter") this.applyLink();
      else this.closeLink();
    });
    return box;
  }

  // around returns the link at the caret.
  around() {
    const node = this.range?.startContainer;
    const at = node && (isElement(node) ? node : node.parentElement);
    const link = at?.closest("a");
    return link && this.area.contains(link) ? link : null;
  }

  openLink() {
    this.restore();
    this.address.value = this.around()?.getAttribute("href") || "";
    this.fault.hidden = true;
    this.linkBox.hidden = false;
    this.address.focus();
    this.address.select();
    this.linkBox.scrollIntoView({ block: "nearest" });
  }

  closeLink() {
    this.linkBox.hidden = true;
    this.restore();
  }

  applyLink(address = this.address.value.trim()) {
    if (address && !/^[a-z][a-z0-9+.-]*:/i.test(address) && /^[\w-]+(\.[\w-]+)+/.test(address)) address = "https://" + address;
    if (address && !safe(address)) {
      this.fault.textContent = "The address must begin with https://, http://, mailto: or /.";
      this.fault.hidden = false;
      this.address.focus();
      return;
    }
    const link = this.around();
    this.closeLink();
    if (link) {
      selection().selectAllChildren(link);
      this.range = selection().getRangeAt(0).cloneRange();
    }
    if (!address) {
      this.command("unlink");
    } else if (link) {
      link.setAttribute("href", address);
      this.changed();
    } else if (selection().isCollapsed) {
      const fragment = document.createDocumentFragment();
      fragment.append(element("a", { href: address }, address));
      this.insertNodes(fragment);
    } else {
      this.command("createLink", address);
    }
  }
}

customElements.define("fg-rich", Rich);
