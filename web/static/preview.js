// The frame in which a form is shown. It shows the screens that the editor sends and reports answers and presses. It knows no kinds of
// components: app/preview/doc.go describes the attributes that it reads, app/preview/message.go the messages.
//
// HTML of the author is in the document. It runs no scripts, but its elements can hide properties of document, such as document.title,
// behind their names. So elements are looked up below root, and what belongs to the document is looked up once, here.
(() => {
  "use strict";
  const html = document.documentElement;
  const root = /** @type {HTMLElement} */ (document.getElementById("screen"));
  const title = /** @type {HTMLTitleElement} */ (document.querySelector("title"));
  const style = /** @type {HTMLStyleElement} */ (document.getElementById("form-css"));
  const create = document.createElement.bind(document);
  /** @type {Pick<TrustedPolicy, "createHTML">} */
  const rules = { createHTML: (s) => s };
  const policy = window.trustedTypes ? trustedTypes.createPolicy("preview", rules) : rules;

  /** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */
  /** @typedef {HTMLInputElement & { type: "checkbox" | "radio" }} Box */

  /** @param {object} message */
  const post = (message) => parent.postMessage(JSON.stringify(message), "*");
  /** @param {ParentNode} within @param {string} selector */
  const all = (within, selector) => [.../** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll(selector))];
  /** @param {Element} e */
  const authored = (e) => e.closest("[data-html]") !== null;
  // The author can write each attribute that this script reads, and each id; only elements of ours have a meaning.
  /** @param {ParentNode} within @param {string} selector */
  const own = (within, selector) => all(within, selector).filter((e) => !authored(e));
  /** @param {string} id */
  const byId = (id) => /** @type {HTMLInputElement | undefined} */ (own(root, "#" + CSS.escape(id))[0]);

  // --- Markup ---

  // What a policy cannot stop: elements that navigate the frame, open connections or contain other documents.
  const banned = "script, link, meta, base, iframe, frame, frameset, object, embed, applet, portal, fencedframe";

  // parse returns the nodes of a markup. Scripts and handlers do not run in the document that it makes. The tag keeps the markup in the
  // body: a style element could be in the head, and a frameset would replace the body.
  /** @param {string} markup */
  const parse = (markup) => {
    const made = new DOMParser().parseFromString(policy.createHTML("<body>" + markup), "text/html");
    for (const e of all(made, banned)) e.remove();
    return [...made.body.childNodes];
  };

  /** @param {string} markup */
  const make = (markup) => {
    const screen = /** @type {HTMLElement} */ (parse(markup)[0]);
    for (const e of all(screen, "[data-html]")) e.replaceChildren(...parse(e.dataset.html ?? ""));
    nameRegions(screen);
    return screen;
  };

  // nameRegions writes the names of countries in the language of the screen and sorts them.
  /** @param {HTMLElement} screen */
  const nameRegions = (screen) => {
    const places = own(screen, "[data-region]");
    if (places.length === 0) return;
    /** @type {Intl.DisplayNames} */
    let names;
    /** @type {Intl.Collator} */
    let order;
    try {
      names = new Intl.DisplayNames([screen.lang || "en"], { type: "region" });
      order = new Intl.Collator(screen.lang || "en");
    } catch {
      return; // the language is not a tag: the codes stay
    }
    for (const e of places) e.textContent = names.of(e.dataset.region ?? "") ?? "";
    for (const list of new Set(places.map((e) => e.closest("ul")))) {
      if (!list) continue;
      const rows = [...list.children].map((row) => ({ row, name: row.textContent }));
      rows.sort((a, b) => order.compare(a.name, b.name));
      list.append(...rows.map(({ row }) => row));
    }
  };

  // What a person or this script sets, and a new screen does not change.
  const ours = new Set(["open", "hidden", "data-met"]);

  /** @param {Node} node @returns {node is HTMLElement} */
  const isElement = (node) => node.nodeType === 1;

  // A component may need another element than before, such as a textarea, which the one that is there cannot become.
  /** @param {Node} node */
  const key = (node) => {
    if (!isElement(node)) return node.nodeName;
    return node.nodeName + "." + (node.dataset.field ?? node.dataset.block ?? (node.id || node.getAttribute("class")));
  };

  // patch makes one element like another and keeps the nodes that both have, with their focus and what was typed.
  /** @param {Node} have @param {Node} want */
  const patch = (have, want) => {
    if (!isElement(have) || !isElement(want)) {
      if (have.nodeValue !== want.nodeValue) have.nodeValue = want.nodeValue;
      return;
    }
    const same = have.dataset.html === want.dataset.html;
    /** @param {string} name */
    const skip = (name) => ours.has(name) || (name === "type" && have.hasAttribute("data-secret"));
    for (const { name } of [...have.attributes]) if (!want.hasAttribute(name) && !skip(name)) have.removeAttribute(name);
    for (const { name, value } of want.attributes) if (have.getAttribute(name) !== value && !skip(name)) have.setAttribute(name, value);
    if ("html" in want.dataset) {
      if (!same) have.replaceChildren(...want.childNodes);
      return;
    }
    const rest = [...have.childNodes];
    /** @type {Node | null} */
    let at = have.firstChild;
    for (const child of [...want.childNodes]) {
      const i = rest.findIndex((n) => key(n) === key(child));
      if (i < 0) {
        have.insertBefore(child, at);
        continue;
      }
      const [found] = rest.splice(i, 1);
      if (found === at) at = at.nextSibling;
      else have.insertBefore(found, at);
      patch(found, child);
    }
    for (const n of rest) n.remove();
  };

  // --- Answers ---

  /** @param {string} s */
  const wellFormed = (s) => (s.toWellFormed ? s.toWellFormed() : s);
  /** @param {HTMLElement} field */
  const controls = (field) => /** @type {Control[]} */ (own(field, "input[name], select[name], textarea[name]"));
  /** @param {Control} c @returns {c is Box} */
  const box = (c) => c.type === "checkbox" || c.type === "radio";

  // read returns the value of a control, "" for none.
  /** @param {Control} c */
  const read = (c) => {
    if (box(c) && !c.checked) return "";
    const of = (c.dataset.other && byId(c.dataset.other)) || c;
    return wellFormed(of.value);
  };

  /** @param {Control | undefined} c */
  const filesOf = (c) => [...((c instanceof HTMLInputElement && c.files) || [])];

  /** @param {Control} c */
  const changed = (c) => {
    if (c.type === "file") return filesOf(c).length > 0;
    if (box(c)) return c.checked !== c.defaultChecked;
    return c instanceof HTMLSelectElement || c.value !== c.defaultValue; // no kept answer has a select
  };

  /** @type {Record<string, (list: Control[]) => unknown>} */
  const collect = {
    text: (list) => list.map(read).find((s) => s.trim() !== "") ?? null,
    boolean: (list) => {
      const boxes = list.filter(box);
      if (boxes[0]?.type === "checkbox") return boxes[0].checked;
      const chosen = boxes.find((c) => c.checked);
      return chosen ? chosen.value === "true" : null;
    },
    list: (list) => {
      const values = list.map(read).filter((s) => s.trim() !== "");
      return values.length > 0 ? values : null;
    },
    object: (list) => {
      /** @type {Record<string, string | boolean>} */
      const members = {};
      let answered = false;
      for (const c of list) {
        const value = box(c) && c.type === "checkbox" && !c.hasAttribute("value") ? c.checked : read(c);
        if (value === false || value === "" || !c.dataset.member) continue;
        members[c.dataset.member] = value;
        answered ||= !("companion" in c.dataset);
      }
      return answered ? members : null;
    },
    files: ([input]) => {
      const files = filesOf(input).map(({ name, size, type }) => ({ name: wellFormed(name), size, type }));
      return files.length > 0 ? files : null;
    },
  };

  /** @param {HTMLElement} field */
  const kept = (field) => {
    if (field.dataset.kept === undefined || controls(field).some(changed)) return undefined;
    return JSON.parse(field.dataset.kept);
  };

  /** @param {HTMLElement} field */
  const answer = (field) => {
    const list = controls(field);
    return kept(field) ?? (list.length > 0 ? collect[field.dataset.type ?? "text"](list) : null);
  };

  const fields = () => own(root, "[data-field]");
  /** @param {HTMLElement} field */
  const idOf = (field) => field.dataset.field ?? "";
  /** @param {HTMLElement} field */
  const tell = (field) => post({ type: "answer", id: idOf(field), answers: { [idOf(field)]: answer(field) } });

  /** @param {HTMLElement} button */
  const press = (button) => {
    /** @type {Record<string, unknown>} */
    const answers = Object.create(null);
    for (const f of fields()) answers[idOf(f)] = answer(f);
    post({ type: "press", id: button.dataset.button, answers });
  };

  // --- What follows from the controls ---

  /** @param {number} bytes */
  const size = (bytes) => {
    let unit = "bytes";
    for (const larger of ["KB", "MB", "GB"]) if (bytes >= 1024) [bytes, unit] = [bytes / 1024, larger];
    return (unit === "bytes" ? bytes : bytes.toFixed(1).replace(/\.0$/, "")) + " " + unit;
  };

  /** @param {string} s */
  const strength = (s) => {
    const sorts = [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter((r) => r.test(s)).length;
    const length = [...s].length;
    if (length < 8) return 0;
    return 1 + [length >= 12, sorts >= 3, length >= 16 || (length >= 12 && sorts === 4)].filter(Boolean).length;
  };

  /** @param {HTMLElement} list @param {HTMLElement} field */
  const listFiles = (list, field) => {
    const files = filesOf(controls(field).find((c) => c.type === "file"));
    /** @type {{ name: string, size?: number }[]} */
    const shown = [files.length > 0 ? files : kept(field) ?? []].flat();
    const rows = shown.map((f) => {
      const row = create("li");
      row.textContent = f.name + (f.size === undefined ? "" : ", " + size(f.size));
      return row;
    });
    const last = rows.at(-1);
    if (last) {
      const remove = create("button");
      remove.type = "button";
      remove.className = "fg-quiet";
      remove.dataset.act = "clear";
      remove.textContent = list.dataset.files ?? "";
      last.append(" ", remove);
    }
    list.replaceChildren(...rows);
  };

  // derive updates the parts of a field that follow from its controls.
  /** @param {HTMLElement} field */
  const derive = (field) => {
    const main = controls(field).find((c) => !box(c));
    const typed = main?.type === "file" ? "" : (main?.value ?? "");
    for (const e of own(field, "[data-chosen]")) {
      const panel = /** @type {HTMLElement} */ (e.closest("details"));
      const chosen = all(panel, "input[name]:checked").map((c) => c.dataset.short ?? c.closest("label")?.textContent);
      e.textContent = chosen.join(", ") || (e.dataset.chosen ?? "");
      e.classList.toggle("af-default", chosen.length === 0);
    }
    for (const e of own(field, "[data-limit]")) {
      const [now, most] = [[...typed.trim()].length, Number(e.dataset.limit)];
      e.hidden = now < 0.8 * most;
      e.textContent = now + " / " + most;
      e.classList.toggle("af-counter-alert", now > most);
    }
    for (const e of own(field, "[data-pattern]")) {
      e.dataset.met = String(typed !== "" && new RegExp(e.dataset.pattern ?? "", "u").test(typed.trim()));
    }
    for (const e of own(field, "[data-strength]")) {
      const score = strength(typed.trim());
      /** @type {HTMLMeterElement} */ (e.firstElementChild).value = score;
      /** @type {HTMLElement} */ (e.lastElementChild).textContent = typed === "" ? "" : (e.dataset.strength ?? "").split(", ")[score];
    }
    for (const e of own(field, "[data-act=reveal]")) {
      /** @type {HTMLElement} */ (e.firstElementChild).textContent = (main?.type === "password" ? e.dataset.show : e.dataset.hide) ?? "";
    }
    for (const e of own(field, ".fg-kept")) e.hidden = kept(field) === undefined;
    for (const e of own(field, "[data-files]")) listFiles(e, field);
  };

  /** @param {string} s */
  const plain = (s) => s.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

  /** @param {HTMLInputElement} input */
  const filter = (input) => {
    const panel = /** @type {HTMLDetailsElement} */ (input.closest("details"));
    const rows = all(panel, "li");
    for (const row of rows) row.hidden = !plain(row.textContent).includes(plain(input.value.trim()));
    /** @type {HTMLElement} */ (panel.querySelector(".af-dropdown-message")).hidden = rows.some((row) => !row.hidden);
  };

  // toggle opens a panel or closes it, and moves the focus at once: the event "toggle" comes after the next key of a fast typist.
  /** @param {HTMLDetailsElement} panel */
  const toggle = (panel) => {
    panel.open = !panel.open;
    if (!panel.open) return;
    all(panel, "[data-filter], input:checked, input")[0]?.focus();
    const list = panel.querySelector("ul"), row = panel.querySelector("input:checked")?.closest("li");
    if (list && row) list.scrollTop = row.offsetTop - list.offsetTop;
  };

  /** @param {HTMLElement} panel @param {boolean} focus */
  const close = (panel, focus) => {
    /** @type {HTMLDetailsElement} */ (panel).open = false;
    if (focus) /** @type {HTMLElement} */ (panel.firstElementChild).focus();
  };

  // --- Waiting ---

  /** @type {Map<HTMLElement, number>} */
  const deadlines = new Map();

  const tick = () => {
    for (const [e, at] of deadlines) {
      const left = Math.ceil((at - performance.now()) / 1000);
      const words = e.querySelector(".fg-waiting");
      if (!e.isConnected || left <= 0) {
        deadlines.delete(e);
        e.removeAttribute("data-wait");
        /** @type {HTMLButtonElement} */ (e.querySelector("button")).disabled = false;
        words?.remove();
      } else if (words) {
        words.textContent = (e.dataset.waiting ?? "").replace(/\{\{\s*remaining_seconds\s*\}\}/g, String(left));
      }
    }
  };
  setInterval(tick, 1000);

  // --- Messages of the editor ---

  const dark = matchMedia("(prefers-color-scheme: dark)");
  let theme = "";
  const setTheme = () => (html.dataset.theme = theme || (dark.matches ? "dark" : "light"));
  dark.addEventListener("change", setTheme);

  let awaited = parent !== window && document.hasFocus(); // the frame has the focus, and no step has it

  /** @param {{ html: string, css: string, theme: string, focus: string, fresh: boolean }} m */
  const show = (m) => {
    const screen = make(m.html);
    const stepOf = (/** @type {HTMLElement} */ within) => all(within, "[data-step]")[0]?.dataset.step;
    const step = stepOf(screen);
    const focused = awaited || root.querySelector(":focus") !== null;
    awaited = false;
    const stays = !m.fresh && stepOf(root) === step;
    theme = m.theme;
    setTheme();
    style.textContent = m.css;
    html.lang = screen.lang || "en";
    html.dir = screen.dir;
    title.textContent = screen.querySelector("h1")?.textContent ?? "";
    if (stays && root.firstElementChild) patch(root.firstElementChild, screen);
    else root.replaceChildren(screen);
    deadlines.clear();
    for (const e of own(root, "[data-wait]")) deadlines.set(e, performance.now() + 1000 * Number(e.dataset.wait));
    tick();
    for (const f of fields()) derive(f);
    if (!stays) scrollTo(0, 0);
    focus(m.focus, focused && !stays);
  };

  /** @param {string} on @param {boolean} step */
  const focus = (on, step) => {
    const faulty = "[aria-invalid=true]";
    const usable = "input, select, textarea, summary, button";
    /** @type {HTMLElement | undefined} */
    let to;
    if (on === "$problem") to = own(root, `${faulty}:checked`)[0] ?? own(root, faulty)[0];
    else if (on) to = fields().filter((f) => f.dataset.field === on).flatMap((f) => own(f, usable))[0];
    else if (step) to = all(root, "[data-step]")[0];
    to?.focus({ preventScroll: to.hasAttribute("data-step") }); // a long step would lose its upper margin
  };

  addEventListener("message", (event) => {
    if (event.source !== parent || typeof event.data !== "string") return;
    const m = JSON.parse(event.data);
    if (m.type === "show") show(m);
  });

  // --- What the respondent does ---

  /** @param {EventTarget | null} e */
  const fieldOf = (e) => /** @type {HTMLElement | null} */ (e instanceof Element && !authored(e) ? e.closest("[data-field]") : null);

  root.addEventListener("input", (event) => {
    const field = fieldOf(event.target);
    if (!field) return;
    const target = /** @type {HTMLInputElement} */ (event.target);
    if ("filter" in target.dataset) {
      filter(target);
      return;
    }
    const checks = target.value !== "" && target.dataset.checks ? byId(target.dataset.checks) : undefined;
    if (checks) checks.checked = true;
    derive(field);
    tell(field);
  });

  /** @type {Record<string, (field: HTMLElement, button: HTMLElement) => void>} */
  const acts = {
    reveal: (field) => {
      const secret = /** @type {HTMLInputElement} */ (own(field, "[data-secret]")[0]);
      secret.type = secret.type === "password" ? "text" : "password";
    },
    clear: (field) => {
      delete field.dataset.kept;
      for (const c of controls(field)) {
        if (box(c)) c.checked = false;
        else c.value = "";
      }
      tell(field);
      own(field, "input, button")[0]?.focus();
    },
    fill: (field, button) => {
      /** @type {Record<string, string>} */
      const values = JSON.parse(button.dataset.fill ?? "{}");
      for (const c of controls(field)) c.value = values[c.dataset.member ?? ""] ?? c.value;
      tell(field);
    },
  };

  root.addEventListener("click", (event) => {
    const { target } = event;
    if (!(target instanceof Element) || authored(target)) return;
    const button = target.closest("button");
    if (button?.dataset.button !== undefined) press(button);
    else if (button?.dataset.act) {
      const field = /** @type {HTMLElement} */ (button.closest("[data-field]"));
      acts[button.dataset.act](field, button);
      derive(field);
    } else if (target.closest("summary")) {
      event.preventDefault();
      toggle(/** @type {HTMLDetailsElement} */ (target.closest("details")));
    }
  });

  // A pointer that chooses one of the options closes the panel; arrow keys do not. The timer lets the click happen first.
  root.addEventListener("pointerup", ({ target }) => {
    if (!(target instanceof Element)) return; // tools also send events to texts
    const panel = target.closest("details");
    if (panel && !authored(panel) && target.closest("label")?.querySelector("input[type=radio]")) setTimeout(close, 0, panel, true);
  });

  root.addEventListener("focusout", ({ target, relatedTarget }) => {
    const panel = target instanceof Element ? target.closest("details") : null;
    if (panel && !authored(panel) && relatedTarget instanceof Node && !panel.contains(relatedTarget)) close(panel, false);
  });

  addEventListener("pointerdown", ({ target }) => {
    for (const panel of own(root, "details[open]")) if (!(target instanceof Node && panel.contains(target))) close(panel, false);
  });

  /** @param {KeyboardEvent} event @param {HTMLDetailsElement} panel */
  const inPanel = (event, panel) => {
    const { key } = event, target = /** @type {HTMLInputElement} */ (event.target);
    const rows = /** @type {HTMLInputElement[]} */ (all(panel, "li:not([hidden]) input"));
    const on = rows.indexOf(target);
    if (key === "Escape") close(panel, true);
    else if (key === "Enter") {
      if (on < 0 && target.value !== "" && rows.length > 0) rows[0].click();
      close(panel, true);
    } else if (key === "ArrowDown" && on < 0) (rows.find((c) => c.checked) ?? rows[0])?.focus();
    else if (key === "ArrowDown" && target.type === "checkbox") rows[on + 1]?.focus();
    else if (key === "ArrowUp" && target.type === "checkbox") (rows[on - 1] ?? all(panel, "[data-filter]")[0])?.focus();
    else return;
    event.preventDefault();
  };

  // The keys of a composition are for the input method, as in boot.js, which this page lacks.
  addEventListener("keydown", (event) => (event.isComposing || event.keyCode === 229) && event.stopImmediatePropagation(), true);
  root.addEventListener("keydown", (event) => {
    if (!fieldOf(event.target)) return;
    const target = /** @type {HTMLElement} */ (event.target);
    const panel = /** @type {HTMLDetailsElement | null} */ (target.closest("details[open]"));
    if (panel && target !== panel.firstElementChild) {
      inPanel(event, panel);
      return;
    }
    if (panel && event.key === "Escape") {
      close(panel, true);
      event.preventDefault();
    }
    if (event.key !== "Enter" || !target.matches("input:not([type=file])")) return;
    event.preventDefault();
    const submit = own(root, "button[data-submit]:not(:disabled)")[0];
    if (submit) press(submit);
  });

  // The editor focuses the frame, perhaps before there is a step. Keys then belong to the step, and Escape goes back to the editor.
  addEventListener("focus", () => {
    if (root.querySelector(":focus")) return;
    const step = all(root, "[data-step]")[0];
    if (step) step.focus({ preventScroll: true });
    else awaited = true;
  });
  addEventListener("blur", () => (awaited = false));
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) post({ type: "leave" });
  });

  // --- Nothing leaves the frame ---

  // The address of a link in SVG can be animated, and is then no attribute.
  /** @param {Element} e */
  const animates = (e) => e.namespaceURI === "http://www.w3.org/2000/svg" && (e.localName === "a" || e.localName === "use");
  /** @param {EventTarget} e */
  const follows = (e) =>
    e instanceof Element && (e.hasAttribute("href") || e.hasAttributeNS("http://www.w3.org/1999/xlink", "href") || animates(e));
  for (const type of ["click", "auxclick"]) {
    addEventListener(type, (event) => event.composedPath().some(follows) && event.preventDefault(), true);
  }
  addEventListener("submit", (event) => event.preventDefault(), true);
  // A browser opens a file that is dropped anywhere but on an input for files.
  for (const type of ["dragover", "drop"]) {
    addEventListener(type, (event) => {
      if (!(event.target instanceof Element && event.target.matches("input[type=file]:not(:disabled)"))) event.preventDefault();
    });
  }

  let height = -1;
  new ResizeObserver(() => {
    const now = Math.ceil(root.getBoundingClientRect().height);
    if (now !== height) post({ type: "size", height: (height = now) });
  }).observe(root);
  post({ type: "ready" });
})();
