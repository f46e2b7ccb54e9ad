// The frame in which a form is shown. It shows the screens that the editor sends and reports answers and presses. It knows no kinds of
// components: app/preview/doc.go describes the attributes that it reads, app/preview/message.go the messages.
//
// HTML of the author is in the document. It runs no scripts, but its elements can hide properties of document, such as document.title,
// behind their names. So elements are looked up below root, and what belongs to the document is looked up once, here.
(() => {
  "use strict";
  const html = document.documentElement;
  const root = document.getElementById("screen");
  const title = document.querySelector("title");
  const style = document.getElementById("form-css");
  const create = document.createElement.bind(document);
  const policy = window.trustedTypes ? trustedTypes.createPolicy("preview", { createHTML: (s) => s }) : { createHTML: (s) => s };

  const post = (message) => parent.postMessage(JSON.stringify(message), "*");
  const all = (within, selector) => [...within.querySelectorAll(selector)];
  const byId = (id) => root.querySelector("#" + CSS.escape(id));
  const authored = (e) => e.closest("[data-html]") !== null;

  // --- Markup ---

  // What a policy cannot stop: elements that navigate the frame, open connections or contain other documents.
  const banned = "script, link, meta, base, iframe, frame, frameset, object, embed, applet, portal, fencedframe";

  // parse returns the nodes of a markup. Scripts and handlers do not run in the document that it makes. The tag keeps the markup in the
  // body: a style element could be in the head, and a frameset would replace the body.
  const parse = (markup) => {
    const made = new DOMParser().parseFromString(policy.createHTML("<body>" + markup), "text/html");
    for (const e of all(made, banned)) e.remove();
    return [...made.body.childNodes];
  };

  const make = (markup) => {
    const screen = parse(markup)[0];
    for (const e of all(screen, "[data-html]")) e.replaceChildren(...parse(e.dataset.html));
    nameRegions(screen);
    return screen;
  };

  // nameRegions writes the names of countries in the language of the screen and sorts them.
  const nameRegions = (screen) => {
    const places = all(screen, "[data-region]");
    if (places.length === 0) return;
    let names, order;
    try {
      names = new Intl.DisplayNames([screen.lang || "en"], { type: "region" });
      order = new Intl.Collator(screen.lang || "en");
    } catch {
      return; // the language is not a tag: the codes stay
    }
    for (const e of places) e.textContent = names.of(e.dataset.region);
    for (const list of new Set(places.map((e) => e.closest("ul")))) {
      const rows = [...list.children].map((row) => [row, row.textContent]);
      rows.sort((a, b) => order.compare(a[1], b[1]));
      list.append(...rows.map(([row]) => row));
    }
  };

  // What a person or this script sets, and a new screen does not change.
  const ours = new Set(["open", "hidden", "data-met"]);

  const key = (node) => {
    if (node.nodeType !== 1) return node.nodeName;
    return node.dataset.field ?? node.dataset.block ?? (node.id || node.nodeName + "." + node.getAttribute("class"));
  };

  // patch makes one element like another and keeps the nodes that both have, with their focus and what was typed.
  const patch = (have, want) => {
    if (have.nodeType !== 1) {
      if (have.data !== want.data) have.data = want.data;
      return;
    }
    const same = have.dataset.html === want.dataset.html;
    const skip = (name) => ours.has(name) || (name === "type" && have.hasAttribute("data-secret"));
    for (const { name } of [...have.attributes]) if (!want.hasAttribute(name) && !skip(name)) have.removeAttribute(name);
    for (const { name, value } of want.attributes) if (have.getAttribute(name) !== value && !skip(name)) have.setAttribute(name, value);
    if ("html" in want.dataset) {
      if (!same) have.replaceChildren(...want.childNodes);
      return;
    }
    const rest = [...have.childNodes];
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

  const wellFormed = (s) => (s.toWellFormed ? s.toWellFormed() : s);
  const controls = (field) => all(field, "input[name], select[name], textarea[name]").filter((c) => !authored(c));
  const box = (c) => c.type === "checkbox" || c.type === "radio";

  // read returns the value of a control, "" for none.
  const read = (c) => {
    if (box(c) && !c.checked) return "";
    const of = c.dataset.other ? byId(c.dataset.other) : c;
    return wellFormed(of.value);
  };

  const changed = (c) =>
    c.type === "file" ? c.files.length > 0 : box(c) ? c.checked !== c.defaultChecked : c.value !== c.defaultValue;

  const collect = {
    text: (list) => list.map(read).find((s) => s.trim() !== "") ?? null,
    boolean: ([first, ...rest]) => {
      if (first.type === "checkbox") return first.checked;
      const chosen = [first, ...rest].find((c) => c.checked);
      return chosen ? chosen.value === "true" : null;
    },
    list: (list) => {
      const values = list.map(read).filter((s) => s.trim() !== "");
      return values.length > 0 ? values : null;
    },
    object: (list) => {
      const members = {};
      let answered = false;
      for (const c of list) {
        const value = c.type === "checkbox" && !c.hasAttribute("value") ? c.checked : read(c);
        if (value === false || value === "" || !c.dataset.member) continue;
        members[c.dataset.member] = value;
        answered ||= !("companion" in c.dataset);
      }
      return answered ? members : null;
    },
    files: ([input]) =>
      input.files.length > 0 ? [...input.files].map(({ name, size, type }) => ({ name: wellFormed(name), size, type })) : null,
  };

  const kept = (field) => {
    if (!("kept" in field.dataset) || controls(field).some(changed)) return undefined;
    return JSON.parse(field.dataset.kept);
  };

  const answer = (field) => {
    const list = controls(field);
    return kept(field) ?? (list.length > 0 ? collect[field.dataset.type](list) : null);
  };

  const fields = () => all(root, "[data-field]").filter((e) => !authored(e));
  const tell = (field) => post({ type: "answer", id: field.dataset.field, answers: { [field.dataset.field]: answer(field) } });

  const press = (button) => {
    const answers = Object.create(null);
    for (const f of fields()) answers[f.dataset.field] = answer(f);
    post({ type: "press", id: button.dataset.button, answers });
  };

  // --- What follows from the controls ---

  const size = (bytes) => {
    let unit = "bytes";
    for (const larger of ["KB", "MB", "GB"]) if (bytes >= 1024) [bytes, unit] = [bytes / 1024, larger];
    return (unit === "bytes" ? bytes : bytes.toFixed(1).replace(/\.0$/, "")) + " " + unit;
  };

  const strength = (s) => {
    const sorts = [/\p{Lu}/u, /\p{Ll}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter((r) => r.test(s)).length;
    const length = [...s].length;
    if (length < 8) return 0;
    return 1 + (length >= 12) + (sorts >= 3) + (length >= 16 || (length >= 12 && sorts === 4));
  };

  const listFiles = (list, field) => {
    const files = [...(field.querySelector("input[type=file]")?.files ?? [])];
    const shown = files.length > 0 ? files : kept(field) ?? [];
    const rows = [shown].flat().map((f) => {
      const row = create("li");
      row.textContent = f.name + (f.size === undefined ? "" : ", " + size(f.size));
      return row;
    });
    if (rows.length > 0) {
      const remove = create("button");
      remove.type = "button";
      remove.className = "fg-quiet";
      remove.dataset.act = "clear";
      remove.textContent = list.dataset.files;
      rows.at(-1).append(" ", remove);
    }
    list.replaceChildren(...rows);
  };

  // derive updates the parts of a field that follow from its controls.
  const derive = (field) => {
    const main = controls(field).find((c) => !box(c));
    const typed = main?.type === "file" ? "" : (main?.value ?? "");
    for (const e of all(field, "[data-chosen]")) {
      const chosen = all(e.closest("details"), "input[name]:checked").map((c) => c.dataset.short ?? c.closest("label").textContent);
      e.textContent = chosen.join(", ") || e.dataset.chosen;
      e.classList.toggle("af-default", chosen.length === 0);
    }
    for (const e of all(field, "[data-limit]")) {
      const [now, most] = [[...typed.trim()].length, Number(e.dataset.limit)];
      e.hidden = now < 0.8 * most;
      e.textContent = now + " / " + most;
      e.classList.toggle("af-counter-alert", now > most);
    }
    for (const e of all(field, "[data-pattern]")) {
      e.dataset.met = String(typed !== "" && new RegExp(e.dataset.pattern, "u").test(typed.trim()));
    }
    for (const e of all(field, "[data-strength]")) {
      const score = strength(typed.trim());
      e.firstElementChild.value = score;
      e.lastElementChild.textContent = typed === "" ? "" : e.dataset.strength.split(", ")[score];
    }
    for (const e of all(field, "[data-act=reveal]"))
      e.firstElementChild.textContent = main.type === "password" ? e.dataset.show : e.dataset.hide;
    for (const e of all(field, ".fg-kept")) e.hidden = kept(field) === undefined;
    for (const e of all(field, "[data-files]")) listFiles(e, field);
  };

  const plain = (s) => s.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();

  const filter = (input) => {
    const panel = input.closest("details");
    const rows = all(panel, "li");
    for (const row of rows) row.hidden = !plain(row.textContent).includes(plain(input.value.trim()));
    panel.querySelector(".af-dropdown-message").hidden = rows.some((row) => !row.hidden);
  };

  // toggle opens a panel or closes it, and moves the focus at once: the event "toggle" comes after the next key of a fast typist.
  const toggle = (panel) => {
    panel.open = !panel.open;
    if (!panel.open) return;
    panel.querySelector("[data-filter], input:checked, input")?.focus();
    const [list, chosen] = [panel.querySelector("ul"), panel.querySelector("input:checked")];
    if (chosen) list.scrollTop = chosen.closest("li").offsetTop - list.offsetTop;
  };

  const close = (panel, focus) => {
    panel.open = false;
    if (focus) panel.firstElementChild.focus();
  };

  // --- Waiting ---

  const deadlines = new Map();

  const tick = () => {
    for (const [e, at] of deadlines) {
      const left = Math.ceil((at - performance.now()) / 1000);
      const words = e.querySelector(".fg-waiting");
      if (!e.isConnected || left <= 0) {
        deadlines.delete(e);
        e.removeAttribute("data-wait");
        e.querySelector("button").disabled = false;
        words?.remove();
      } else {
        words.textContent = e.dataset.waiting.replace(/\{\{\s*remaining_seconds\s*\}\}/g, left);
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

  const show = (m) => {
    const screen = make(m.html);
    const step = screen.querySelector("[data-step]").dataset.step;
    const focused = awaited || root.querySelector(":focus") !== null;
    awaited = false;
    const stays = !m.fresh && root.querySelector("[data-step]")?.dataset.step === step;
    theme = m.theme;
    setTheme();
    style.textContent = m.css;
    html.lang = screen.lang || "en";
    html.dir = screen.dir;
    title.textContent = screen.querySelector("h1").textContent;
    if (stays) patch(root.firstElementChild, screen);
    else root.replaceChildren(screen);
    deadlines.clear();
    for (const e of all(root, "[data-wait]")) deadlines.set(e, performance.now() + 1000 * Number(e.dataset.wait));
    tick();
    for (const f of fields()) derive(f);
    if (!stays) scrollTo(0, 0);
    focus(m.focus, focused && !stays);
  };

  const focus = (on, step) => {
    const faulty = "[aria-invalid=true]";
    const usable = "input, select, textarea, summary, button";
    let to = null;
    if (on === "$problem") to = root.querySelector(`${faulty}:checked`) ?? root.querySelector(faulty);
    else if (on) to = fields().find((f) => f.dataset.field === on)?.querySelector(usable);
    else if (step) to = root.querySelector("[data-step]");
    to?.focus({ preventScroll: to.hasAttribute("data-step") }); // a long step would lose its upper margin
  };

  addEventListener("message", (event) => {
    if (event.source !== parent || typeof event.data !== "string") return;
    const m = JSON.parse(event.data);
    if (m.type === "show") show(m);
  });

  // --- What the respondent does ---

  const fieldOf = (e) => (e instanceof Element && !authored(e) ? e.closest("[data-field]") : null);

  root.addEventListener("input", (event) => {
    const field = fieldOf(event.target);
    if (!field) return;
    const { target } = event;
    if ("filter" in target.dataset) {
      filter(target);
      return;
    }
    if (target.dataset.checks && target.value !== "") byId(target.dataset.checks).checked = true;
    derive(field);
    tell(field);
  });

  const acts = {
    reveal: (field) => {
      const secret = field.querySelector("[data-secret]");
      secret.type = secret.type === "password" ? "text" : "password";
    },
    clear: (field) => {
      delete field.dataset.kept;
      for (const c of controls(field)) {
        if (box(c)) c.checked = false;
        else c.value = "";
      }
      tell(field);
      field.querySelector("input, button")?.focus();
    },
    fill: (field, button) => {
      const values = JSON.parse(button.dataset.fill);
      for (const c of controls(field)) c.value = values[c.dataset.member] ?? c.value;
      tell(field);
    },
  };

  root.addEventListener("click", (event) => {
    const { target } = event;
    if (!(target instanceof Element) || authored(target)) return;
    const button = target.closest("button");
    if (button?.dataset.button !== undefined) press(button);
    else if (button?.dataset.act) {
      const field = button.closest("[data-field]");
      acts[button.dataset.act](field, button);
      derive(field);
    } else if (target.closest("summary")) {
      event.preventDefault();
      toggle(target.closest("details"));
    }
  });

  // A pointer that chooses one of the options closes the panel; arrow keys do not. The timer lets the click happen first.
  root.addEventListener("pointerup", (event) => {
    const panel = event.target.closest?.("details");
    if (panel && !authored(panel) && event.target.closest("label")?.querySelector("input[type=radio]")) setTimeout(close, 0, panel, true);
  });

  root.addEventListener("focusout", ({ target, relatedTarget }) => {
    const panel = target.closest("details");
    if (panel && !authored(panel) && relatedTarget && !panel.contains(relatedTarget)) close(panel, false);
  });

  addEventListener("pointerdown", ({ target }) => {
    for (const panel of all(root, "details[open]")) if (!authored(panel) && !panel.contains(target)) close(panel, false);
  });

  const inPanel = (event, panel) => {
    const { target, key } = event;
    const rows = all(panel, "li:not([hidden]) input");
    const on = rows.indexOf(target);
    if (key === "Escape") close(panel, true);
    else if (key === "Enter") {
      if (on < 0 && target.value !== "" && rows.length > 0) rows[0].click();
      close(panel, true);
    } else if (key === "ArrowDown" && on < 0) (rows.find((c) => c.checked) ?? rows[0])?.focus();
    else if (key === "ArrowDown" && target.type === "checkbox") rows[on + 1]?.focus();
    else if (key === "ArrowUp" && target.type === "checkbox") (rows[on - 1] ?? panel.querySelector("[data-filter]"))?.focus();
    else return;
    event.preventDefault();
  };

  root.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.isComposing || !fieldOf(target)) return;
    const panel = target.closest("details[open]");
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
    const submit = root.querySelector("button[data-submit]:not(:disabled)");
    if (submit) press(submit);
  });

  // The editor focuses the frame, perhaps before there is a step. Keys then belong to the step, and Escape goes back to the editor.
  addEventListener("focus", () => {
    if (root.querySelector(":focus")) return;
    const step = root.querySelector("[data-step]");
    if (step) step.focus({ preventScroll: true });
    else awaited = true;
  });
  addEventListener("blur", () => (awaited = false));
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing) post({ type: "leave" });
  });

  // --- Nothing leaves the frame ---

  const follows = (e) => e instanceof Element && (e.hasAttribute("href") || e.hasAttributeNS("http://www.w3.org/1999/xlink", "href"));
  for (const type of ["click", "auxclick"]) {
    addEventListener(type, (event) => event.composedPath().some(follows) && event.preventDefault(), true);
  }
  addEventListener("submit", (event) => event.preventDefault(), true);
  // A browser opens a file that is dropped anywhere but on an input for files.
  for (const type of ["dragover", "drop"]) {
    addEventListener(type, (event) => event.target.matches?.("input[type=file]:not(:disabled)") || event.preventDefault());
  }

  let height = -1;
  new ResizeObserver(() => {
    const now = Math.ceil(root.getBoundingClientRect().height);
    if (now !== height) post({ type: "size", height: (height = now) });
  }).observe(root);
  post({ type: "ready" });
})();
