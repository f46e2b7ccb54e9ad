// Shows the desk: the screens that take the place of the canvas. A worker makes their markup and handles events; this script applies the
// one, reports the other, and knows nothing of what it shows. app/desk describes the attributes.
(() => {
  "use strict";
  /** @type {TrustedPolicy} */
  const rules = { createHTML: (html) => html, createScriptURL: () => document.documentElement.dataset.desk ?? "" };
  const policy = window.trustedTypes ? trustedTypes.createPolicy("formgraph-desk", rules) : rules;
  // An element of the desk as events give it: most are controls, and what others lack is undefined.
  /** @typedef {HTMLElement & Partial<Pick<HTMLInputElement, "value" | "type" | "checked" | "disabled" | "readOnly" | "files" | "select" | "selectionStart" | "selectionEnd" | "setRangeText" | "setSelectionRange">>} Control */
  /** @typedef {{ region: string, html?: string, keys: string[], lines: Record<string, string> }} Region */
  /** @typedef {{ name: string, type: string, text: string }} Kept */
  /** @typedef {{ regions: Region[], number: number, focus?: string, clip?: string, file?: Kept, frame?: string }} Screen */

  const template = document.createElement("template");
  /** @param {string} html */
  const parse = (html) => {
    template.innerHTML = policy.createHTML(html);
    return template.content;
  };
  const host = () => document.getElementById("desk");
  /** @param {Event} e */
  const controlOf = (e) => /** @type {Control} */ (e.target instanceof Text ? e.target.parentElement : e.target);
  const active = () => /** @type {Control | null} */ (document.activeElement);
  /** @type {Set<Control>} */
  const typed = new Set(); // controls whose last input the screen may not show yet
  /** @type {Worker | null} */
  let worker = null;
  /** @type {string | null} */
  let clip = null;
  let number = 0, quiet = false;

  /** @param {string} on @param {object} event @param {ArrayBuffer} [file] */
  const post = (on, event, file) => {
    const text = JSON.stringify({ on, number: ++number, ...event });
    worker?.postMessage(file ? { text, file: new Uint8Array(file) } : text);
    return number;
  };

  // A key that the worker handles may move the focus. What a person types before the worker answers is meant for where the focus goes, so it
  // waits for the answer, for at most five seconds.
  const patience = 5000;
  /** @type {{ el: Control, number: number, timer: ReturnType<typeof setTimeout> } | null} */
  let asked = null; // the key without an answer
  let focused = 0; // the number of the last focus that a person moved
  /** @type {(string | KeyboardEvent)[]} */
  const ahead = []; // texts, and key presses as events
  /** @param {Control} el @param {string} text */
  const ask = (el, text) => {
    forget();
    asked = { el, number: post("key", { do: el.dataset.in, arg: el.dataset.arg, text }), timer: setTimeout(answered, patience, Infinity) };
  };
  /** @param {number} shown */
  const answered = (shown) => {
    if (!asked || shown < asked.number) return;
    forget();
    while (ahead.length && !asked) {
      const next = ahead.shift(), el = active();
      if (!el || next === undefined) continue;
      if (typeof next === "string") write(el, next);
      else repeat(el, next);
    }
  };
  const forget = () => {
    clearTimeout(asked?.timer);
    asked = null;
  };
  // Reports whether a key press or a text in a control has to wait, and remembers it.
  /** @param {Control} el @param {string | KeyboardEvent} what */
  const waits = (el, what) => {
    if (asked?.el !== el) return false;
    const last = ahead.at(-1);
    if (typeof what === "string" && typeof last === "string") ahead[ahead.length - 1] = last + what;
    else ahead.push(what);
    return true;
  };

  // Types a text in place of the selection.
  /** @param {Control} el @param {string} text */
  const write = (el, text) => {
    const { selectionStart: start, selectionEnd: end } = el;
    // A checkbox has the method, but no selection.
    if (!el.dataset.in || el.readOnly || !el.setRangeText || start == null || end == null) return;
    el.setRangeText(text, start, end, "end");
    el.dispatchEvent(new InputEvent("input", { bubbles: true }));
  };
  // Presses a key again, which edits the text only if nothing else handles it.
  /** @param {Control} el @param {KeyboardEvent} e */
  const repeat = (el, e) => {
    const free = el.dispatchEvent(new KeyboardEvent("keydown", e));
    if (!free || !el.dataset.in || (e.key !== "Backspace" && e.key !== "Delete")) return;
    const { selectionStart: start, selectionEnd: end } = el;
    if (start == null || end == null || !el.setSelectionRange) return;
    // A character may consist of several units.
    /** @param {string | undefined} text @param {number} at */
    const length = (text, at) => [...new Intl.Segmenter().segment(text ?? "")].at(at)?.segment.length ?? 0;
    if (start === end && e.key === "Backspace") el.setSelectionRange(start - length(el.value?.slice(0, start), -1), end);
    else if (start === end) el.setSelectionRange(start, end + length(el.value?.slice(end), 0));
    write(el, "");
  };

  // A control keeps its own value while the person edits it and the screen does not show that yet.
  /** @param {Control} el @param {number} shown */
  const hold = (el, shown) => {
    const value = el.getAttribute("data-value");
    if (value === null || el.type === "file" || Number(el.deskSent) > shown) return;
    if (el === window.formgraphComposing) {
      typed.add(el); // later
      return;
    }
    if (el.value !== value) {
      const at = el === document.activeElement ? el.selectionStart : null;
      el.value = value;
      const caret = Number(el.dataset.caret ?? at);
      if (at != null && el.setSelectionRange) el.setSelectionRange(caret, caret);
    }
  };

  /** @param {Node} node @returns {node is Control} */
  const isElement = (node) => node.nodeType === 1;
  /** @param {Node} node */
  const keyOf = (node) => (isElement(node) ? node.dataset.key : undefined);

  // Makes the children of an element those of another one. Elements with data-key are found by it; regions are left alone.
  /** @type {(to: Element, from: ParentNode & Node, shown: number) => void} */
  const children = (to, from, shown) => {
    // Keyed elements that are gone go first: then those that stay are where they belong, and none moves.
    /** @type {Map<string, Element>} */
    const keyed = new Map();
    const stay = new Set([...from.children].map(keyOf));
    for (const el of [...to.children]) {
      const key = keyOf(el);
      if (!key) continue;
      if (stay.has(key) && !keyed.has(key)) keyed.set(key, el);
      else el.remove();
    }
    /** @type {Node | null} */
    let at = to.firstChild;
    for (const want of [...from.childNodes]) {
      const key = keyOf(want);
      const have = key ? keyed.get(key) : at && !keyOf(at) ? at : null;
      if (key) keyed.delete(key); // a second one of the same key is another element
      if (have && have.nodeName === want.nodeName) {
        if (have !== at) to.insertBefore(have, at);
        else at = at.nextSibling;
        become(have, want, shown);
      } else {
        to.insertBefore(want, at);
        if (isElement(want)) adopt(want, shown);
      }
    }
    while (at) {
      const next = at.nextSibling;
      to.removeChild(at);
      at = next;
    }
  };

  /** @type {(have: Node, want: Node, shown: number) => void} */
  const become = (have, want, shown) => {
    if (!isElement(have) || !isElement(want)) {
      if (have.nodeValue !== want.nodeValue) have.nodeValue = want.nodeValue;
      return;
    }
    for (const { name } of [...have.attributes]) if (!want.hasAttribute(name)) have.removeAttribute(name);
    for (const { name, value } of [...want.attributes]) if (have.getAttribute(name) !== value) have.setAttribute(name, value);
    if (have.deskEditing) have.classList.add("editing");
    if (!have.hasAttribute("data-region")) children(have, want, shown);
    hold(have, shown);
  };

  /** @param {HTMLElement} el @param {number} shown */
  const adopt = (el, shown) => {
    hold(el, shown);
    for (const control of /** @type {NodeListOf<Control>} */ (el.querySelectorAll("[data-value]"))) hold(control, shown);
  };

  /** @param {Screen} screen */
  const draw = ({ regions, number: shown, focus, clip: copies, file, frame }) => {
    const root = host();
    if (!root) return;
    const was = active();
    for (const { region, html, keys, lines } of regions) {
      const el = region ? root.querySelector(`[data-region="${region}"]`) : root;
      if (!el) continue;
      if (html !== undefined) {
        children(el, parse(html), shown);
        continue;
      }
      // Lines that left go first. Those that stay are then where they belong, and none moves: to move one costs as much as to draw it.
      /** @type {Map<string, Element>} */
      const have = new Map();
      const stay = new Set(keys);
      for (const line of [...el.children]) {
        const key = keyOf(line);
        if (key !== undefined && stay.has(key)) have.set(key, line);
        else line.remove();
      }
      let at = el.firstElementChild;
      for (const key of keys) {
        let line = have.get(key);
        if (lines[key] !== undefined) {
          const want = /** @type {HTMLElement} */ (parse(lines[key]).firstElementChild);
          if (line) become(line, want, shown);
          else adopt((line = want), shown);
        }
        if (!line) continue;
        if (line !== at) el.insertBefore(line, at);
        else at = at.nextElementSibling;
      }
    }
    // What is shown may be what was shown before the input, and is then not sent again.
    for (const el of typed)
      if (!el.isConnected) typed.delete(el);
      else if (Number(el.deskSent ?? 0) <= shown && el !== window.formgraphComposing) {
        typed.delete(el);
        hold(el, shown);
      }
    if (copies !== undefined) clip = copies || null;
    if (file) download(file);
    // The frame has no origin, so none can be named; the message contains nothing that it does not show.
    if (frame) frameOf(root)?.contentWindow?.postMessage(frame, "*");
    // The focus goes back to where it was, if the drawing took it away.
    const back = () => was?.isConnected && quietly(() => was.focus({ preventScroll: true }));
    if (focus)
      whenShown(root, () => {
        const moved = focused > shown; // by the person, meanwhile
        if (!moved || ahead.length) moveTo(focus);
        answered(shown);
        if (moved) back();
      });
    else if (was !== active()) back();
    if (!focus) answered(shown);
    watch(root);
  };

  // Paints a picture in SVG as a bitmap, with two pixels for each of the form's, or fewer if a browser could not paint so many.
  /** @param {string} text @returns {Promise<Blob>} */
  const paint = (text) =>
    new Promise((done, failed) => {
      const image = new Image();
      image.onload = () => {
        const { width, height } = image;
        const scale = Math.min(2, 16000 / Math.max(width, height), Math.sqrt(120e6 / (width * height)));
        const canvas = document.createElement("canvas");
        canvas.width = Math.max(1, Math.round(width * scale));
        canvas.height = Math.max(1, Math.round(height * scale));
        canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob((blob) => (blob ? done(blob) : failed()), "image/png");
      };
      image.onerror = failed;
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    });

  /** @param {Kept} file */
  const download = async ({ name, type, text }) => {
    const link = document.createElement("a");
    const blob = type === "image/png" ? await paint(text) : new Blob([text], { type });
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  // Reports the visible part of what scrolls, at most once per frame.
  const sizes = new ResizeObserver((entries) =>
    entries.forEach(({ target }) => {
      const at = active();
      if (at !== target && target.contains(at)) at?.scrollIntoView({ block: "nearest", inline: "nearest" }); // a keyboard or a note may cover it now
      scrolled(/** @type {HTMLElement} */ (target));
    }));
  // Once the scrolling has stopped, asks the page for what it left out meanwhile: data-settle times, each in a frame of its own.
  /** @type {Set<HTMLElement>} */
  const due = new Set();
  /** @param {HTMLElement} el @param {number} times */
  const settle = (el, times) => {
    if (times <= 0 || !el.isConnected) return;
    post("settle", { do: el.dataset.scroll });
    el.deskRests = setTimeout(() => requestAnimationFrame(() => settle(el, times - 1)));
  };
  /** @param {HTMLElement} el */
  const scrolled = (el) => {
    clearTimeout(el.deskRests);
    el.deskRests = setTimeout(() => settle(el, Number(el.dataset.settle || 0)), 100);
    if (due.has(el)) return;
    due.add(el);
    requestAnimationFrame(() => {
      due.delete(el);
      if (el.isConnected)
        post("scroll", {
          do: el.dataset.scroll, left: Math.round(el.scrollLeft), top: Math.round(el.scrollTop),
          width: el.clientWidth, height: el.clientHeight,
        });
    });
  };
  /** @param {HTMLElement} root */
  const watch = (root) => {
    for (const el of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-scroll]")))
      if (!el.deskWatched) {
        el.deskWatched = true;
        sizes.observe(el);
        el.addEventListener("scroll", () => scrolled(el), { passive: true });
      }
  };

  /** @param {KeyboardEvent} e */
  const combination = (e) => (e.ctrlKey || e.metaKey ? "Ctrl+" : "") + (e.altKey ? "Alt+" : "") + (e.shiftKey ? "Shift+" : "") + e.key;
  /** @param {HTMLElement} el @param {boolean} on */
  const editing = (el, on) => {
    el.classList.toggle("editing", on);
    el.deskEditing = on;
  };
  // A browser brings the caret or the end of a selection into view, which may be far beyond the cell. So the script brings the cell into view
  // instead, and selects backward, so that the selection ends at the beginning of the text.
  /** @param {HTMLElement} el */
  const focusOn = (el) => {
    el.focus({ preventScroll: true });
    el.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  // The worker knows where the focus is.
  /** @param {() => void} act */
  const quietly = (act) => {
    quiet = true;
    act();
    quiet = false;
  };
  /** @param {string} selector */
  const moveTo = (selector) => {
    const el = /** @type {Control | null} */ (document.querySelector(selector));
    if (!el) return;
    quietly(() => {
      focusOn(el);
      if (el.matches("textarea:not([data-combo])")) selectAll(el);
    });
  };
  // The first content of a page may come before the editor shows it, and what is hidden cannot have the focus.
  /** @param {HTMLElement} root @param {() => void} act */
  const whenShown = (root, act) => {
    if (!root.hidden) return act();
    new MutationObserver((_, shows) => {
      if (root.hidden) return;
      shows.disconnect();
      act();
    }).observe(root, { attributes: true, attributeFilter: ["hidden"] });
  };
  /** @param {Control} el */
  const selectAll = (el) => el.setSelectionRange?.(0, el.value?.length ?? 0, "backward");

  /** @param {HTMLElement} el @param {MouseEvent} e */
  const press = (el, e) => {
    if (el.dataset.copy) navigator.clipboard?.writeText(el.dataset.copy).then(() => post("copied", { do: el.dataset.do, arg: el.dataset.arg || "" }), () => {});
    const source = el.dataset.text ? /** @type {Control | null} */ (document.querySelector(el.dataset.text)) : null;
    post("press", { do: el.dataset.do, arg: el.dataset.arg || "", text: source?.value ?? "", shift: !!e.shiftKey });
  };

  /** @param {KeyboardEvent} e */
  const onKey = (e) => {
    const el = controlOf(e);
    const combo = combination(e);
    const menu = el.closest("[role=menu]");
    if (menu) {
      const items = [.../** @type {NodeListOf<HTMLElement>} */ (menu.querySelectorAll("[role^=menuitem]:not(:disabled)"))];
      const at = items.indexOf(el);
      /** @type {Record<string, number>} */
      const places = { ArrowDown: at + 1, ArrowUp: at < 0 ? items.length - 1 : at - 1 + items.length, Home: 0, End: items.length - 1 };
      const to = places[e.key];
      if (to !== undefined) items[to % items.length].focus();
      else if (e.key === "Escape" || e.key === "Tab") post("press", { do: "close" });
      else if (e.key.length === 1 && !e.ctrlKey && !e.metaKey && e.key !== " ")
        items.find((i) => i.textContent.trim().toLowerCase().startsWith(e.key.toLowerCase()))?.focus();
      else return;
      e.preventDefault();
      e.stopPropagation();
      return;
    }
    const dialog = el.closest("[role=dialog]");
    if (dialog) {
      e.stopPropagation();
      if (e.key === "Escape") post("press", { do: "close" });
      else if (e.key === "Enter" && el.dataset.enter) post("press", { do: el.dataset.enter, arg: el.dataset.arg || "", text: el.value });
      else if (e.key === "Tab") {
        const stops = [.../** @type {NodeListOf<Control>} */ (dialog.querySelectorAll("input,button,select,textarea,a[href]"))].filter((s) => !s.disabled);
        const last = e.shiftKey ? stops[0] : stops[stops.length - 1];
        if (el !== last) return;
        (e.shiftKey ? stops[stops.length - 1] : stops[0]).focus();
      } else return;
      e.preventDefault();
      return;
    }
    if (el.dataset.code && !el.readOnly && (combo === "Tab" || combo === "Enter") && !el.deskLeaves) {
      const before = (el.value ?? "").slice(0, el.selectionStart ?? 0);
      const line = before.slice(before.lastIndexOf("\n") + 1);
      const indent = line.slice(0, line.search(/[^ \t]|$/));
      const opens = combo === "Enter" && before.endsWith("{");
      write(el, combo === "Tab" ? "  " : "\n" + indent + (opens ? "  " : ""));
      e.preventDefault();
      e.stopPropagation();
      return;
    }
    if (el.dataset.code) {
      el.deskLeaves = e.key === "Escape"; // then Tab leaves
      if (e.key !== "Escape" && !e.ctrlKey && !e.metaKey) e.stopPropagation();
      return;
    }
    if (el.dataset.combo) {
      // A field of plain text, in which some keys have a meaning.
      if (e.key === "Shift" || e.key === "Control") return;
      const ours = el.dataset.combo.split(" ").includes(combo), saves = /^Ctrl\+s$/i.test(combo);
      if (ours || saves) {
        e.preventDefault();
        if (waits(el, e)) return e.stopPropagation();
        if (ours) ask(el, combo);
        else pass(e);
      }
      e.stopPropagation();
      return;
    }
    const zone = /** @type {HTMLElement | null} */ (el.dataset.focus ? el.closest("[data-keys]") : null);
    if (!zone) return;
    const [moves, edits] = [zone.dataset.keys, zone.dataset.editKeys].map((keys) => (keys ?? "").split(" "));
    const keys = el.deskEditing ? edits : moves;
    const passes = /^Ctrl\+(Shift\+)?[zyskf]$/i.test(combo) || e.key === "F8";
    e.stopPropagation();
    if ((passes || combo === "F2" || moves.includes(combo)) && waits(el, e)) return e.preventDefault();
    if (combo === "F2" && !el.deskEditing) {
      editing(el, true);
      const end = el.value?.length ?? 0;
      el.setSelectionRange?.(end, end);
    } else if (combo === "Escape" && el.deskEditing) {
      editing(el, false);
      ask(el, "Revert");
    } else if (combo === "Alt+Enter" && el.deskEditing) write(el, "\n");
    else if ((combo === "Delete" || combo === "Backspace") && !el.deskEditing && clip === null) return; // edits the text
    else if (keys.includes(combo)) ask(el, combo);
    else {
      if (passes) pass(e);
      return;
    }
    e.preventDefault();
  };

  // Hands a key to the page, which has commands for it.
  /** @param {KeyboardEvent} e */
  const pass = (e) => {
    e.preventDefault();
    host()?.dispatchEvent(new KeyboardEvent("keydown", e));
  };

  /** @param {Element | null} el */
  const cellOf = (el) => /** @type {Control | null | undefined} */ (el?.closest("[data-focus]"));
  /** @param {HTMLElement} root */
  const listen = (root) => {
    root.addEventListener("click", (e) => {
      const at = controlOf(e);
      const el = /** @type {Control | null} */ (at.closest("[data-do]"));
      if (el && root.contains(el) && !el.disabled) press(el, e);
      else if (at.dataset.focus && at.deskFresh === false) editing(at, true); // a second click puts the caret
      if (at.dataset.focus) at.deskFresh = false;
    });
    root.addEventListener("beforeinput", (e) => {
      const text = e.inputType === "insertLineBreak" ? "\n" : e.data;
      if (e.cancelable && /^insert/.test(e.inputType) && text !== null && waits(controlOf(e), text)) e.preventDefault();
    });
    root.addEventListener("input", (e) => {
      const el = controlOf(e);
      if (!el.dataset.in || el.type === "file") return;
      if (el.dataset.focus) editing(el, true);
      if (el.dataset.code && el.previousElementSibling) el.previousElementSibling.textContent = el.value + "\n"; // until the colors follow
      typed.add(el);
      el.deskSent = post("input", { do: el.dataset.in, arg: el.dataset.arg || "", text: el.value, caret: el.selectionStart || 0 });
    });
    root.addEventListener("change", async (e) => {
      const el = controlOf(e);
      if (!el.dataset.in) return;
      if (el.type !== "file") {
        post("change", { do: el.dataset.in, arg: el.dataset.arg || "", text: el.type === "checkbox" ? String(el.checked) : el.value });
        return;
      }
      const file = el.files?.[0];
      el.value = "";
      if (!file) return;
      // The worker reads the bytes, and refuses a file of which it gets so many. One that has changed since it was chosen cannot be read.
      const bytes = await file.slice(0, (16 << 20) + 1).arrayBuffer().catch(() => undefined);
      post("file", { do: el.dataset.in, name: file.name }, bytes);
    });
    root.addEventListener("focusin", (e) => {
      const el = controlOf(e);
      if (!el.dataset.focus) return;
      editing(el, false);
      el.deskFresh = true;
      if (quiet) return;
      clip = null;
      focused = post("focus", { do: el.dataset.focus, arg: el.dataset.arg });
      if (el.select) selectAll(el);
    });
    root.addEventListener("focusout", (e) => controlOf(e).dataset.focus && editing(controlOf(e), false));
    root.addEventListener("keydown", onKey);
    // The first press selects the text. The browser must not put a caret into content that a style shows only with the focus.
    root.addEventListener("mousedown", (e) => {
      const el = controlOf(e);
      const bare = /** @type {HTMLElement | null} */ (e.button === 0 ? el.closest("[data-bare]") : null);
      if (bare) {
        e.preventDefault();
        post(e.shiftKey ? "extend" : "bare", { arg: bare.dataset.bare });
        return;
      }
      if (!el.dataset.focus || el === document.activeElement || e.button !== 0) return;
      e.preventDefault();
      focusOn(el);
    });
    // A press with Shift and a drag over cells select a block.
    root.addEventListener("pointerdown", (e) => {
      const el = cellOf(controlOf(e));
      if (!el || e.button !== 0) return;
      if (e.shiftKey) {
        e.preventDefault();
        quietly(() => el.focus());
        post("extend", { arg: el.dataset.arg });
        return;
      }
      let last = el;
      /** @param {PointerEvent} m */
      const over = (m) => {
        const cell = cellOf(document.elementFromPoint(m.clientX, m.clientY));
        if (!cell || cell === last) return;
        last = cell;
        getSelection()?.removeAllRanges();
        post("extend", { arg: cell.dataset.arg });
      };
      const up = () => {
        root.removeEventListener("pointermove", over);
        removeEventListener("pointerup", up);
        removeEventListener("pointercancel", up);
      };
      root.addEventListener("pointermove", over);
      addEventListener("pointerup", up);
      addEventListener("pointercancel", up);
    });
    root.addEventListener("paste", (e) => {
      const el = controlOf(e);
      if (!el.dataset.focus || el.readOnly || !e.clipboardData) return;
      const text = e.clipboardData.getData("text/plain");
      if (clip === null && !/[\t\n]/.test(text.replace(/\r?\n$/, ""))) return;
      if (el.deskEditing && !/\t/.test(text)) return;
      e.preventDefault();
      e.stopPropagation();
      post("paste", { do: el.dataset.focus, arg: el.dataset.arg, text });
    });
    for (const name of /** @type {const} */ (["copy", "cut"]))
      root.addEventListener(name, (e) => {
        e.stopPropagation();
        if (clip === null || !e.clipboardData || !controlOf(e).dataset.focus) return;
        e.preventDefault();
        e.clipboardData.setData("text/plain", clip);
        if (name === "cut") post("cut", {});
      });
  };

  // A frame follows the system's theme, which a worker cannot ask for.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  /** @param {ParentNode | null} root */
  const frameOf = (root) => /** @type {HTMLIFrameElement | null | undefined} */ (root?.querySelector("[data-frame]"));
  /** @param {HTMLElement} frame @param {string} text */
  const framed = (frame, text) => post("frame", { do: frame.dataset.frame, arg: dark.matches ? "dark" : "light", text });
  dark.addEventListener("change", () => {
    const frame = frameOf(host());
    if (frame) framed(frame, "");
  });
  addEventListener("message", (e) => {
    const frame = frameOf(host());
    if (frame && e.source === frame.contentWindow && typeof e.data === "string") framed(frame, e.data);
  });

  // formgraphDesk starts the worker. The page's program gets its texts; screens are drawn here.
  window.formgraphDesk = () => {
    worker = new Worker(policy.createScriptURL(""));
    forget();
    ahead.length = focused = 0;
    clip = null;
    const root = /** @type {HTMLElement} */ (host());
    root.replaceChildren();
    if (!root.deskListens) {
      root.deskListens = true;
      listen(root);
    }
    worker.addEventListener("message", (e) => {
      if (!Array.isArray(e.data)) return;
      e.stopImmediatePropagation();
      draw(e.data[0]);
    });
    return worker;
  };
})();
