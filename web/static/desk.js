// Shows the desk: the screens that take the place of the canvas. A worker makes their markup and handles events; this script applies the
// one, reports the other, and knows nothing of what it shows. app/desk describes the attributes.
(() => {
  "use strict";
  const policy = window.trustedTypes
    ? trustedTypes.createPolicy("formgraph-desk", { createHTML: (html) => html, createScriptURL: () => document.documentElement.dataset.desk })
    : { createHTML: (html) => html, createScriptURL: () => document.documentElement.dataset.desk };
  const template = document.createElement("template");
  const parse = (html) => {
    template.innerHTML = policy.createHTML(html);
    return template.content;
  };
  const host = () => document.getElementById("desk");
  const typed = new Set(); // controls whose last input the screen may not show yet
  let worker = null, number = 0, clip = null, quiet = false;

  const post = (on, event) => {
    if (worker) worker.postMessage(JSON.stringify({ on, number: ++number, ...event }));
    return number;
  };

  // A key that the worker handles may move the focus. What a person types before the worker answers is meant for where the focus goes, so it
  // waits for the answer, for at most five seconds.
  const patience = 5000;
  let asked = null, focused = 0; // the key without an answer, and the number of the last focus that a person moved
  const ahead = []; // texts, and key presses as events
  const ask = (el, text) => {
    forget();
    asked = { el, number: post("key", { do: el.dataset.in, arg: el.dataset.arg, text }) };
    asked.timer = setTimeout(answered, patience, Infinity);
  };
  const answered = (shown) => {
    if (!asked || shown < asked.number) return;
    forget();
    while (ahead.length && !asked) {
      const next = ahead.shift();
      if (typeof next === "string") write(document.activeElement, next);
      else repeat(next);
    }
  };
  const forget = () => {
    clearTimeout(asked?.timer);
    asked = null;
  };
  // Reports whether a key press or a text in a control has to wait, and remembers it.
  const waits = (el, what) => {
    if (asked?.el !== el) return false;
    if (typeof what === "string" && typeof ahead.at(-1) === "string") ahead.push(ahead.pop() + what);
    else ahead.push(what);
    return true;
  };

  // Types a text in place of the selection.
  const write = (el, text) => {
    if (!el.dataset.in || el.readOnly || !el.setRangeText) return;
    el.setRangeText(text, el.selectionStart, el.selectionEnd, "end");
    el.dispatchEvent(new InputEvent("input", { bubbles: true }));
  };
  // Presses a key again, which edits the text only if nothing else handles it.
  const repeat = (e) => {
    const el = document.activeElement;
    const free = el.dispatchEvent(new KeyboardEvent("keydown", e));
    if (!free || !el.dataset.in || (e.key !== "Backspace" && e.key !== "Delete")) return;
    const { selectionStart: start, selectionEnd: end } = el;
    if (start === end) el.setSelectionRange(Math.max(0, start - (e.key === "Backspace")), end + (e.key === "Delete"));
    write(el, "");
  };

  // A control keeps its own value while the person edits it and the screen does not show that yet.
  const hold = (el, shown) => {
    const value = el.getAttribute("data-value");
    if (value === null || el.type === "file" || el.deskSent > shown) return;
    if (el.value !== value) {
      const at = el === document.activeElement ? el.selectionStart : null;
      el.value = value;
      const caret = el.dataset.caret ?? at;
      if (at !== null && el.setSelectionRange) el.setSelectionRange(caret, caret);
    }
  };

  // Makes the children of an element those of another one. Elements with data-key are found by it; regions are left alone.
  const children = (to, from, shown) => {
    // Keyed elements that are gone go first: then those that stay are where they belong, and none moves.
    const keyed = new Map(), stay = new Set();
    for (const el of from.children) if (el.dataset.key) stay.add(el.dataset.key);
    for (const el of [...to.children])
      if (stay.has(el.dataset.key)) keyed.set(el.dataset.key, el);
      else if (el.dataset.key) el.remove();
    let at = to.firstChild;
    for (const want of [...from.childNodes]) {
      const key = want.nodeType === 1 ? want.dataset.key : undefined;
      let have = key ? keyed.get(key) : at;
      if (!key && have && have.nodeType === 1 && have.dataset.key) have = null;
      if (have && have.nodeName === want.nodeName) {
        if (have !== at) to.insertBefore(have, at);
        else at = at.nextSibling;
        become(have, want, shown);
      } else {
        to.insertBefore(want, at);
        if (want.nodeType === 1) adopt(want, shown);
      }
    }
    while (at) {
      const next = at.nextSibling;
      at.remove();
      at = next;
    }
  };

  const become = (have, want, shown) => {
    if (have.nodeType !== 1) {
      if (have.data !== want.data) have.data = want.data;
      return;
    }
    for (const { name } of [...have.attributes]) if (!want.hasAttribute(name)) have.removeAttribute(name);
    for (const { name, value } of [...want.attributes]) if (have.getAttribute(name) !== value) have.setAttribute(name, value);
    if (have.deskEditing) have.classList.add("editing");
    if (!have.hasAttribute("data-region")) children(have, want, shown);
    hold(have, shown);
  };

  const adopt = (el, shown) => {
    hold(el, shown);
    for (const control of el.querySelectorAll("[data-value]")) hold(control, shown);
  };

  const draw = ({ regions, number: shown, focus, clip: copies, file, frame }) => {
    const root = host();
    if (!root) return;
    const active = document.activeElement;
    for (const { region, html, keys, lines } of regions) {
      const el = region ? root.querySelector(`[data-region="${region}"]`) : root;
      if (!el) continue;
      if (html !== undefined) {
        children(el, parse(html), shown);
        continue;
      }
      // Lines that left go first. Those that stay are then where they belong, and none moves: to move one costs as much as to draw it.
      const have = new Map(), stay = new Set(keys);
      for (const line of [...el.children])
        if (stay.has(line.dataset.key)) have.set(line.dataset.key, line);
        else line.remove();
      let at = el.firstElementChild;
      for (const key of keys) {
        let line = have.get(key);
        if (lines[key] !== undefined) {
          const want = parse(lines[key]).firstElementChild;
          if (line) become(line, want, shown);
          else adopt((line = want), shown);
        }
        if (line !== at) el.insertBefore(line, at);
        else at = at.nextElementSibling;
      }
    }
    // What is shown may be what was shown before the input, and is then not sent again.
    for (const el of typed)
      if (!el.isConnected) typed.delete(el);
      else if (el.deskSent <= shown) {
        typed.delete(el);
        hold(el, shown);
      }
    if (copies !== undefined) clip = copies || null;
    if (file) download(file);
    // The frame has no origin, so none can be named; the message contains nothing that it does not show.
    if (frame) root.querySelector("[data-frame]")?.contentWindow.postMessage(frame, "*");
    if (focus)
      whenShown(root, () => {
        const moved = focused > shown; // by the person, meanwhile
        if (!moved || ahead.length) moveTo(focus);
        answered(shown);
        if (moved && active && active.isConnected) quietly(() => active.focus({ preventScroll: true }));
      });
    else if (active !== document.activeElement && active && active.isConnected) quietly(() => active.focus({ preventScroll: true }));
    if (!focus) answered(shown);
    watch(root);
  };

  // Paints a picture in SVG as a bitmap, with two pixels for each of the form's, or fewer if a browser could not paint so many.
  const paint = (text) =>
    new Promise((done, failed) => {
      const image = new Image();
      image.onload = () => {
        const { width, height } = image;
        const scale = Math.min(2, 16000 / Math.max(width, height), Math.sqrt(120e6 / (width * height)));
        const canvas = document.createElement("canvas");
        canvas.width = Math.max(1, Math.round(width * scale));
        canvas.height = Math.max(1, Math.round(height * scale));
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        canvas.toBlob((blob) => (blob ? done(blob) : failed()), "image/png");
      };
      image.onerror = failed;
      image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
    });

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
      const at = document.activeElement;
      if (at !== target && target.contains(at)) at.scrollIntoView({ block: "nearest", inline: "nearest" }); // a keyboard or a note may cover it now
      scrolled(target);
    }));
  // Once the scrolling has stopped, asks the page for what it left out meanwhile: data-settle times, each in a frame of its own.
  const due = new Set();
  const settle = (el, times) => {
    if (times <= 0 || !el.isConnected) return;
    post("settle", { do: el.dataset.scroll });
    el.deskRests = setTimeout(() => requestAnimationFrame(() => settle(el, times - 1)));
  };
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
  const watch = (root) => {
    for (const el of root.querySelectorAll("[data-scroll]"))
      if (!el.deskWatched) {
        el.deskWatched = true;
        sizes.observe(el);
        el.addEventListener("scroll", () => scrolled(el), { passive: true });
      }
  };

  const combination = (e) => (e.ctrlKey || e.metaKey ? "Ctrl+" : "") + (e.altKey ? "Alt+" : "") + (e.shiftKey ? "Shift+" : "") + e.key;
  const editing = (el, on) => {
    el.classList.toggle("editing", on);
    el.deskEditing = on;
  };
  // A browser brings the caret or the end of a selection into view, which may be far beyond the cell. So the script brings the cell into view
  // instead, and selects backward, so that the selection ends at the beginning of the text.
  const focusOn = (el) => {
    el.focus({ preventScroll: true });
    el.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  // The worker knows where the focus is.
  const quietly = (act) => {
    quiet = true;
    act();
    quiet = false;
  };
  const moveTo = (selector) => {
    const el = document.querySelector(selector);
    if (!el) return;
    quietly(() => {
      focusOn(el);
      if (el.matches("textarea:not([data-combo])")) selectAll(el);
    });
  };
  // The first content of a page may come before the editor shows it, and what is hidden cannot have the focus.
  const whenShown = (root, act) => {
    if (!root.hidden) return act();
    new MutationObserver((_, shows) => {
      if (root.hidden) return;
      shows.disconnect();
      act();
    }).observe(root, { attributes: true, attributeFilter: ["hidden"] });
  };
  const selectAll = (el) => el.setSelectionRange(0, el.value.length, "backward");

  const press = (el, e) => {
    if (el.dataset.copy) navigator.clipboard?.writeText(el.dataset.copy).then(() => post("copied", { do: el.dataset.do, arg: el.dataset.arg || "" }), () => {});
    const source = el.dataset.text ? document.querySelector(el.dataset.text) : null;
    post("press", { do: el.dataset.do, arg: el.dataset.arg || "", text: source ? source.value : "", shift: !!e.shiftKey });
  };

  const onKey = (e) => {
    const el = e.target;
    const combo = combination(e);
    const menu = el.closest("[role=menu]");
    if (menu) {
      const items = [...menu.querySelectorAll("[role^=menuitem]:not(:disabled)")];
      const at = items.indexOf(el);
      const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? items.length - 1 : at - 1 + items.length, Home: 0, End: items.length - 1 }[e.key];
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
        const stops = [...dialog.querySelectorAll("input,button,select,textarea,a[href]")].filter((s) => !s.disabled);
        const last = e.shiftKey ? stops[0] : stops[stops.length - 1];
        if (el !== last) return;
        (e.shiftKey ? stops[stops.length - 1] : stops[0]).focus();
      } else return;
      e.preventDefault();
      return;
    }
    if (el.dataset.code && !el.readOnly && (combo === "Tab" || combo === "Enter") && !el.deskLeaves) {
      const start = el.value.lastIndexOf("\n", el.selectionStart - 1) + 1;
      const indent = el.value.slice(start).match(/^[ \t]*/)[0].slice(0, el.selectionStart - start);
      const opens = combo === "Enter" && el.value[el.selectionStart - 1] === "{";
      el.setRangeText(combo === "Tab" ? "  " : "\n" + indent + (opens ? "  " : ""), el.selectionStart, el.selectionEnd, "end");
      el.dispatchEvent(new InputEvent("input", { bubbles: true }));
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
      if (e.isComposing || e.key === "Shift" || e.key === "Control") return;
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
    const zone = el.dataset.focus && el.closest("[data-keys]");
    if (!zone || e.isComposing) return;
    const keys = (el.deskEditing ? zone.dataset.editKeys : zone.dataset.keys).split(" ");
    const passes = /^Ctrl\+(Shift\+)?[zyskf]$/i.test(combo) || e.key === "F8";
    e.stopPropagation();
    if ((passes || combo === "F2" || zone.dataset.keys.split(" ").includes(combo)) && waits(el, e)) return e.preventDefault();
    if (combo === "F2" && !el.deskEditing) {
      editing(el, true);
      el.setSelectionRange(el.value.length, el.value.length);
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
  const pass = (e) => {
    e.preventDefault();
    host().dispatchEvent(new KeyboardEvent("keydown", e));
  };

  const listen = (root) => {
    root.addEventListener("click", (e) => {
      const el = e.target.closest("[data-do]");
      if (el && root.contains(el) && !el.disabled) press(el, e);
      else if (e.target.dataset.focus && e.target.deskFresh === false) editing(e.target, true); // a second click puts the caret
      if (e.target.dataset.focus) e.target.deskFresh = false;
    });
    root.addEventListener("beforeinput", (e) => {
      const text = e.inputType === "insertLineBreak" ? "\n" : e.data;
      if (e.cancelable && /^insert/.test(e.inputType) && text !== null && waits(e.target, text)) e.preventDefault();
    });
    root.addEventListener("input", (e) => {
      const el = e.target;
      if (!el.dataset.in || el.type === "file") return;
      if (el.dataset.focus) editing(el, true);
      if (el.dataset.code) el.previousElementSibling.textContent = el.value + "\n"; // until the colors follow
      typed.add(el);
      el.deskSent = post("input", { do: el.dataset.in, arg: el.dataset.arg || "", text: el.value, caret: el.selectionStart || 0 });
    });
    root.addEventListener("change", async (e) => {
      const el = e.target;
      if (!el.dataset.in) return;
      if (el.type !== "file") {
        post("change", { do: el.dataset.in, arg: el.dataset.arg || "", text: el.type === "checkbox" ? String(el.checked) : el.value });
        return;
      }
      const file = el.files[0];
      el.value = "";
      if (!file) return;
      if (file.size > 16 << 20) {
        post("file", { do: el.dataset.in, name: file.name + " has more than 16 MiB", text: "" });
        return;
      }
      post("file", { do: el.dataset.in, name: file.name, text: await file.text() });
    });
    root.addEventListener("focusin", (e) => {
      const el = e.target;
      if (!el.dataset.focus) return;
      editing(el, false);
      el.deskFresh = true;
      if (quiet) return;
      clip = null;
      focused = post("focus", { do: el.dataset.focus, arg: el.dataset.arg });
      if (el.select) selectAll(el);
    });
    root.addEventListener("focusout", (e) => e.target.dataset.focus && editing(e.target, false));
    root.addEventListener("keydown", onKey);
    // The first press selects the text. The browser must not put a caret into content that a style shows only with the focus.
    root.addEventListener("mousedown", (e) => {
      const el = e.target;
      const bare = e.button === 0 && el.closest("[data-bare]");
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
      const el = e.target.closest("[data-focus]");
      if (!el || e.button !== 0) return;
      if (e.shiftKey) {
        e.preventDefault();
        quietly(() => el.focus());
        post("extend", { arg: el.dataset.arg });
        return;
      }
      let last = el;
      const over = (m) => {
        const cell = document.elementFromPoint(m.clientX, m.clientY)?.closest("[data-focus]");
        if (!cell || cell === last) return;
        last = cell;
        getSelection().removeAllRanges();
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
      const el = e.target;
      if (!el.dataset.focus || el.readOnly) return;
      const text = e.clipboardData.getData("text/plain");
      if (clip === null && !/[\t\n]/.test(text.replace(/\r?\n$/, ""))) return;
      if (el.deskEditing && !/\t/.test(text)) return;
      e.preventDefault();
      e.stopPropagation();
      post("paste", { do: el.dataset.focus, arg: el.dataset.arg, text });
    });
    for (const name of ["copy", "cut"])
      root.addEventListener(name, (e) => {
        e.stopPropagation();
        if (clip === null || !e.target.dataset.focus) return;
        e.preventDefault();
        e.clipboardData.setData("text/plain", clip);
        if (name === "cut") post("cut", {});
      });
  };

  // A frame follows the system's theme, which a worker cannot ask for.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const framed = (frame, text) => post("frame", { do: frame.dataset.frame, arg: dark.matches ? "dark" : "light", text });
  dark.addEventListener("change", () => {
    const frame = host()?.querySelector("[data-frame]");
    if (frame) framed(frame, "");
  });
  addEventListener("message", (e) => {
    const frame = host()?.querySelector("[data-frame]");
    if (frame && e.source === frame.contentWindow && typeof e.data === "string") framed(frame, e.data);
  });

  // formgraphDesk starts the worker. The page's program gets its texts; screens are drawn here.
  window.formgraphDesk = () => {
    worker = new Worker(policy.createScriptURL(""));
    forget();
    ahead.length = focused = 0;
    clip = null;
    const root = host();
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
