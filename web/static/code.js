// Colors and line numbers behind a textarea with code: an element fg-code before the textarea, whose text is transparent. The element only
// shows text, in spans; what the code means is checked by the program.
const WORDS = "async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield";
const TEXT = `"(?:\\\\[\\s\\S]|[^"\\\\\\n])*"?|'(?:\\\\[\\s\\S]|[^'\\\\\\n])*'?`;
// Each language is an expression whose groups are comments, texts, words, names and numbers. What must be followed by something has a greatest
// length: otherwise a long text of one word would be read to its end again from each of its characters.
/** @type {Record<string, RegExp>} */
const LANGUAGES = {
  js: new RegExp(`(//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$))|(${TEXT}|\`(?:\\\\[\\s\\S]|[^\`\\\\])*\`?)|\\b(${WORDS.replaceAll(" ", "|")})\\b|([A-Za-z_$][\\w$]{0,199}(?=\\s*\\())|\\b(\\d[\\w.]*)`, "g"),
  css: new RegExp(`(/\\*[\\s\\S]*?(?:\\*/|$))|(${TEXT})|(@[\\w-]+|!important)|([\\w-]{1,200}(?=\\s*:[^{};\\n]{0,1000}[;}\\n]))|(#[0-9a-fA-F]{3,8}\\b|-?\\b\\d[\\w.%]*)`, "g"),
  json: /((?!))|("(?:\\.|[^"\\\n])*(?:"(?!\s*:)|$))|\b(true|false|null)\b|("(?:\\[\s\S]|[^"\\\n])*"(?=\s*:))|(-?\b\d[\d.eE+-]*)/gm,
  html: /(<!--[\s\S]*?(?:-->|$))|("[^"\n]*"|'[^'\n]*')|(<\/?[A-Za-z][\w-]*|\/?>)|(\{\{[\s\S]{0,1000}?\}\})|(&[#\w]+;)/g,
};
LANGUAGES.rich = LANGUAGES.html;
const CLASSES = ["comment", "text", "word", "name", "number"];
const LONG = 200000; // characters, above which code stays plain
const INDENT = "  ";

class Code extends HTMLElement {
  static observedAttributes = ["data-held", "data-for", "data-lang", "data-line"];

  numbers = document.createElement("div");
  text = document.createElement("pre");
  /** @type {HTMLTextAreaElement | null} */
  textarea = null;
  leaving = false; // the next Tab leaves the text
  // What is drawn; undefined before the first time.
  /** @type {string | undefined} */
  drawn;
  /** @type {string | undefined} */
  language;
  line = 0;
  /** @type {Record<string, EventListener>} */
  on = {
    input: () => this.draw(),
    scroll: () => this.scroll(),
    keydown: (e) => this.key(/** @type {KeyboardEvent} */ (e)),
    blur: () => (this.leaving = false),
  };

  connectedCallback() {
    if (this.shows()) return;
    this.numbers.className = "code-numbers";
    this.append(this.numbers, this.text);
    this.update();
  }

  disconnectedCallback() {
    this.listen(null);
    this.replaceChildren();
  }

  attributeChangedCallback() {
    if (this.shows()) this.update();
  }

  shows() {
    return this.text.parentNode === this;
  }

  /** @param {HTMLTextAreaElement | null} textarea */
  listen(textarea) {
    if (textarea === this.textarea) return;
    for (const [type, f] of Object.entries(this.on)) {
      this.textarea?.removeEventListener(type, f);
      textarea?.addEventListener(type, f);
    }
    this.textarea = textarea;
  }

  update() {
    this.find();
    // The textarea gets the text that the program holds after this attribute, unless someone is typing.
    const held = (this.dataset.held ?? "").slice(1, -1);
    this.draw(document.activeElement === this.textarea ? undefined : held);
    requestAnimationFrame(() => {
      if (!this.shows()) return;
      this.find(); // it may get its id after this element
      this.draw();
    });
  }

  find() {
    this.listen(/** @type {HTMLTextAreaElement | null} */ (document.getElementById(this.dataset.for ?? "")));
  }

  draw(code = this.textarea?.value ?? "") {
    const line = Number(this.dataset.line);
    if (this.drawn === code && this.language === this.dataset.lang && this.line === line) return;
    [this.drawn, this.language, this.line] = [code, this.dataset.lang, line];
    this.text.replaceChildren();
    let at = 0;
    /** @param {number} to */
    const plain = (to) => to > at && this.text.append(code.slice(at, to));
    for (const m of code.length > LONG ? [] : code.matchAll(LANGUAGES[this.language ?? ""] || /(?!)/g)) {
      plain(m.index);
      const span = document.createElement("span");
      span.className = "code-" + CLASSES[m.slice(1).findIndex((g) => g !== undefined)];
      span.textContent = m[0];
      this.text.append(span);
      at = m.index + m[0].length;
    }
    plain(code.length);
    this.text.append("\n");
    this.numbers.replaceChildren();
    const count = code.split("\n").length;
    for (let i = 1; i <= count; i++) {
      const n = document.createElement("span");
      n.textContent = String(i);
      if (i === line) n.className = "code-wrong";
      this.numbers.append(n);
    }
    this.scroll();
  }

  scroll() {
    if (!this.textarea) return;
    this.text.style.transform = `translate(${-this.textarea.scrollLeft}px, ${-this.textarea.scrollTop}px)`;
    this.numbers.style.transform = `translateY(${-this.textarea.scrollTop}px)`;
  }

  /**
   * Indents. Escape and then Tab leaves the text.
   * @param {KeyboardEvent} e
   */
  key(e) {
    const t = this.textarea;
    if (!t || t.readOnly || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    const start = t.value.slice(0, t.selectionStart).lastIndexOf("\n") + 1;
    const before = t.value.slice(start, t.selectionStart);
    if (e.key === "Escape" && !this.leaving) {
      this.leaving = true;
      e.preventDefault();
      e.stopPropagation();
    } else if (e.key === "Tab" && !this.leaving) {
      e.preventDefault();
      if (e.shiftKey || t.value.slice(t.selectionStart, t.selectionEnd).includes("\n")) this.shift(t, start, e.shiftKey);
      else document.execCommand("insertText", false, INDENT);
    } else if (e.key === "Enter") {
      e.preventDefault();
      const deeper = /[{[(]\s*$/.test(before) ? INDENT : "";
      document.execCommand("insertText", false, "\n" + before.slice(0, before.search(/[^ \t]|$/)) + deeper);
    } else if ("}])".includes(e.key) && before.endsWith(INDENT) && !before.trim() && t.selectionStart === t.selectionEnd) {
      t.setSelectionRange(t.selectionStart - INDENT.length, t.selectionStart); // the bracket takes the place of an indent
    } else if (!["Shift", "Tab", "Escape"].includes(e.key)) {
      this.leaving = false;
    }
  }

  /**
   * Moves the selected lines by one indent.
   * @param {HTMLTextAreaElement} t @param {number} start @param {boolean} back
   */
  shift(t, start, back) {
    const end = t.selectionEnd;
    const lines = t.value.slice(start, end).split("\n");
    const moved = lines.map((l) => (back ? l.replace(/^( {1,2}|\t)/, "") : l && INDENT + l)).join("\n");
    t.setSelectionRange(start, end);
    document.execCommand("insertText", false, moved);
    t.setSelectionRange(start, start + moved.length);
  }
}

customElements.define("fg-code", Code);
