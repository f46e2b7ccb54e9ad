// Starts the program of a page: loads its wasm with a progress bar, runs it, and explains
// what to do if that fails. The page's data attributes become window.formgraph. It also does for the program what would take many calls into the page:
// it sets controls, keeps the focus where they are replaced, and makes questions, downloads and forms in new tabs.
(() => {
  "use strict";
  const page = /** @type {Record<string, string>} */ (document.documentElement.dataset); // the server writes all that a page needs
  const { dialect, remote, account, version, build, go, wasm, what } = page;
  const What = what[0].toUpperCase() + what.slice(1);
  window.formgraph = Object.freeze({ dialect, remote: remote === "true", account: account === "true", version, build, go });
  // formgraphWorker starts the worker that runs the form under edit.
  const rules = { createScriptURL: (/** @type {string} */ part) => page[part] };
  /** @type {Pick<TrustedPolicy, "createScriptURL">} */
  const scripts = window.trustedTypes ? trustedTypes.createPolicy("formgraph-worker", rules) : rules;
  window.formgraphWorker = () => new Worker(scripts.createScriptURL("worker"));
  // formgraphNeed loads a part of the editor that few forms need.
  window.formgraphNeed = (part) => {
    import(page[part]).catch((err) => console.error("formgraph: loading " + part + " failed:", err));
  };
  // formgraphNear returns the nearest element that matches a selector, from the target of an event outwards; see Near in app/ui/kit.
  window.formgraphNear = ({ target }, selector) => {
    const element = target instanceof Element ? target : target instanceof Text ? target.parentElement : null;
    return (element ?? document.body).closest(selector);
  };
  // Password managers and other tools send bare events, without the key or the point that such an event has. They mean nothing.
  /** @param {string} lacking @param {string} kinds */
  const whole = (lacking, kinds) => {
    for (const kind of kinds.split(" ")) window.addEventListener(kind, (e) => lacking in e || e.stopImmediatePropagation(), true);
  };
  whole("key", "keydown keyup");
  whole("pointerId", "pointerdown pointermove pointerup pointercancel lostpointercapture");
  whole("clientX", "mouseup contextmenu wheel");
  // The keys of a composition are for the input method, in each place of the page: the Enter that ends a word neither sends nor closes anything.
  // Some browsers end the composition before they report that key, which then has the code 229 as its only sign. https://webkit.org/b/165004
  for (const kind of /** @type {const} */ (["keydown", "keyup"]))
    window.addEventListener(kind, (e) => (e.isComposing || e.keyCode === 229) && e.stopImmediatePropagation(), true);
  // Meanwhile nobody changes the text: that would end the composition, and what was composed would come twice.
  window.formgraphComposing = null;
  /** @type {string | null} */
  let late = null; // what formgraphSync left out
  const composes = (/** @type {Event} */ e) => {
    window.formgraphComposing = e.type === "compositionstart" ? window.formgraphNear(e, "*") : null;
    if (window.formgraphComposing || late === null) return;
    queueMicrotask(window.formgraphSync.bind(window, late));
    late = null;
  };
  for (const kind of ["compositionstart", "compositionend", "focusin"]) window.addEventListener(kind, composes, true);
  // The program draws the value of a control into data-held, between two marks. formgraphSync sets the controls to it; see SyncControls in app/ui/kit.
  const held = (/** @type {HTMLElement} */ el) => (el.dataset.held ?? "").slice(1, -1);
  const ticks = (/** @type {HTMLInputElement} */ el) => el.type === "checkbox" || el.type === "radio";
  window.formgraphSync = (typing) => {
    const active = /** @type {HTMLInputElement | null} */ (document.activeElement);
    for (const el of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-held]"))) {
      const focused = el === active;
      if (window.formgraphComposing && el.contains(window.formgraphComposing)) {
        late = typing;
        continue;
      }
      if (ticks(el)) {
        // A drawing may come between a press and its event, and the browser omits the event if the control has its old state again by then. The
        // pressed control has the focus; a group of radio buttons counts as one control.
        if (typing === "*" && (focused || (el.type === "radio" && el.name === active?.name))) continue;
        el.checked = held(el) === "true";
        el.indeterminate = el.dataset.mixed === "true";
      } else if ("value" in el && el.value !== held(el) && !(focused && (typing === "*" || (typing && typing === el.dataset.path)))) {
        // Somebody has typed since the last input that the program has handled: that event is on its way, and would find the text gone.
        if (focused && el.formgraphSeen !== undefined && el.formgraphSeen !== el.value) continue;
        // To set the value drops the selection. The next key must still replace a text that is selected as a whole.
        const selected = focused && el.selectionStart === 0 && el.selectionEnd === el.value.length;
        el.formgraphSeen = el.value = held(el);
        if (selected) el.select();
      }
    }
  };
  /** @type {<T extends keyof HTMLElementTagNameMap>(tag: T, properties: Partial<HTMLElementTagNameMap[T]>, ...children: Node[]) => HTMLElementTagNameMap[T]} */
  const element = (tag, properties, ...children) => {
    const e = Object.assign(document.createElement(tag), properties);
    e.append(...children);
    return e;
  };
  // formgraphAsk asks a question in a modal dialog, and resolves to the index of the pressed button, -1 after Escape. choices alternates the names
  // and the classes of the buttons.
  window.formgraphAsk = (title, text, choices) => new Promise((answer) => {
    let chosen = -1;
    const buttons = [];
    for (let i = 0; i < choices.length; i += 2) {
      const press = () => ((chosen = i / 2), dialog.close());
      buttons.push(element("button", { type: "button", textContent: choices[i], className: choices[i + 1], onclick: press }));
    }
    const dialog = element("dialog", { className: "ask" }, element("h2", { id: "ask-title", textContent: title }), element("p", { textContent: text }),
      element("div", { className: "buttons" }, ...buttons));
    dialog.setAttribute("aria-labelledby", "ask-title");
    dialog.addEventListener("keydown", (e) => e.stopPropagation()); // the page does not receive keys meanwhile
    dialog.addEventListener("close", () => (dialog.remove(), answer(chosen)));
    document.body.prepend(dialog); // before the message that it hides
    dialog.showModal();
    /** @type {HTMLElement | null} */ (dialog.querySelector(".primary"))?.focus();
  });
  // formgraphDownload makes the browser download a file.
  window.formgraphDownload = (name, text) => {
    const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    element("a", { href: address, download: name }).click();
    URL.revokeObjectURL(address);
  };
  // formgraphSubmit submits a form in a new tab. fields alternates names and values.
  window.formgraphSubmit = (address, fields) => {
    const form = element("form", { action: address, method: "post", target: "_blank" });
    form.setAttribute("rel", "noopener"); // some browsers do not know the property
    for (let i = 0; i < fields.length; i += 2) form.append(element("input", { type: "hidden", name: fields[i], value: fields[i + 1] }));
    document.body.append(form); // browsers submit no form outside the document
    form.submit();
    form.remove();
  };
  // alone opens a stream of events for this window only, and shared one that all windows of the browser have together, as events.js says. hear
  // gets what heard of formgraphEvents gets, and the kind "beat". They return what closes the stream.
  /** @typedef {(kind: string, id: string, data: string) => void} Hear */
  const alone = (/** @type {string} */ address, /** @type {string} */ kinds, /** @type {Hear} */ hear) => {
    const source = new EventSource(address);
    for (const kind of [...kinds.split(" "), "beat"]) source.addEventListener(kind, (e) => hear(kind, e.lastEventId, e.data));
    source.addEventListener("error", () => hear("", "", ""));
    return () => source.close();
  };
  let sharing = "events" in page && "SharedWorker" in window;
  const shared = (/** @type {string} */ address, /** @type {string} */ kinds, /** @type {Hear} */ hear) => {
    /** @type {SharedWorker} */
    let worker;
    try {
      worker = new SharedWorker(scripts.createScriptURL("events"));
    } catch { // some settings of some browsers forbid it
      sharing = false;
      return alone(address, kinds, hear);
    }
    worker.addEventListener("error", () => {
      sharing = false; // the script could not be loaded
      hear("", "", "");
    });
    worker.port.addEventListener("message", ({ data: [kind, id, data] }) => {
      if (kind === "beat") worker.port.postMessage("here");
      hear(kind, id, data);
    });
    worker.port.start();
    worker.port.postMessage([address.slice(address.indexOf("?") + 1), kinds]);
    return () => {
      worker.port.postMessage("close");
      worker.port.close();
    };
  };
  // formgraphEvents opens a stream of events. heard gets the kind, the id and the data of each of some kinds, and at the end nothing: the
  // browser would try again by itself after some failures and not after others. The server tells every 20 seconds that it is there ("beat").
  // If a stream tells nothing for longer, because a proxy keeps it back or a network has forgotten it, heard gets only the word "silent".
  // A stream that ends after its first events is never shared.
  window.formgraphEvents = (address, kinds, heard) => {
    let silence = 0;
    let closed = false; // what was on its way is not heard any more
    const told = () => {
      clearTimeout(silence);
      silence = window.setTimeout(() => heard("", "", "silent"), 45_000);
    };
    told();
    const close = (sharing && !address.includes("&once=") ? shared : alone)(address, kinds, (kind, id, data) => {
      if (closed) return;
      if (kind) told();
      if (kind !== "beat") heard(kind, id, data);
    });
    return {
      close() {
        closed = true;
        clearTimeout(silence);
        close();
      },
    };
  };
  // formgraphTyped counts the events by which controls tell of new values; see app/ui/kit.
  window.formgraphTyped = 0;
  for (const kind of ["input", "change"]) window.addEventListener(kind, () => window.formgraphTyped++, true);
  // show sets a control to its text before formgraphSync does.
  const show = (/** @type {HTMLInputElement} */ el) => {
    if (el.dataset.held && "value" in el && !ticks(el)) el.value = held(el);
  };
  // A drawing may replace the control that has the focus, or is being pressed, with one of another kind that has the same id. The new one then
  // gets the focus. Otherwise, what somebody types would go to the page.
  /** @type {HTMLInputElement | null} */
  let focused = null;
  const focus = (/** @type {Event} */ e) => (focused = /** @type {HTMLInputElement} */ (window.formgraphNear(e, "*")));
  const succeed = () => {
    if (!focused || focused.isConnected || document.activeElement !== document.body) return;
    const { id, selectionStart, selectionEnd } = focused;
    focused = null;
    const next = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
    if (next) show(next); // formgraphSync takes an empty control for one that is selected as a whole
    next?.focus({ preventScroll: true });
    if (selectionStart != null && next?.selectionStart != null) next.setSelectionRange(selectionStart, selectionEnd);
  };
  for (const kind of ["focusin", "pointerdown"]) window.addEventListener(kind, focus, true);
  window.addEventListener("focusout", (e) => {
    const left = /** @type {Element} */ (window.formgraphNear(e, "*"));
    queueMicrotask(() => { // some browsers send the event for a control that they are about to remove
      if (focused === left && left.isConnected && document.activeElement !== left) focused = null;
    });
  });
  new MutationObserver(succeed).observe(document, { childList: true, subtree: true });
  window.addEventListener("pointerup", succeed, true); // nothing gets the focus from a press on an element that is gone
  // A drawing may also reuse a control for another field. The control then shows that field's text at once, before formgraphSync.
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const el = /** @type {HTMLInputElement} */ (target);
      if (el !== document.activeElement) show(el);
    }
  }).observe(document, { attributeFilter: ["data-path", "data-for"], subtree: true });
  // go-app replaces a leading /web in its addresses with this value, and would otherwise
  // drop the /web.
  window.goappGetenv = (name) => (name === "GOAPP_STATIC_RESOURCES_URL" ? "/web" : "");

  /** @param {string} part */
  const find = (part) => /** @type {HTMLElement} */ (document.getElementById("app-wasm-loader" + part));
  const loader = find("");
  const bar = find("-bar");
  const label = find("-label");
  const retry = find("-retry");
  retry.addEventListener("click", () => location.reload());

  class LoadError extends Error {}

  /** @param {number} loaded @param {number} total */
  const progress = (loaded, total) => {
    if (!(total > 0)) return; // the bar stays indeterminate
    const percent = Math.min(100, Math.floor((100 * loaded) / total));
    bar.setAttribute("aria-valuenow", String(percent));
    /** @type {HTMLElement} */ (bar.firstElementChild).style.width = percent + "%";
    label.textContent = percent < 100 ? "Loading " + what + ", " + percent + " %" : "Starting " + what;
  };

  /** @param {unknown} err */
  const fail = (err) => {
    console.error("formgraph: loading failed:", err);
    // The program may have ended after drawing: its page stays, and the message covers
    // it.
    if (!loader.isConnected) document.body.append(loader);
    loader.classList.add("shell-failed");
    bar.hidden = true;
    label.setAttribute("role", "alert");
    label.textContent = err instanceof LoadError ? err.message : What + " could not be started: " + err;
    retry.hidden = false;
    retry.focus();
  };

  // Counts the decoded bytes as they arrive; the server sends the total.
  const load = async () => {
    let response;
    try {
      response = await fetch(wasm, { credentials: "same-origin" });
    } catch {
      throw new LoadError(What + " could not be loaded. Check the connection, then try again.");
    }
    if (response.status === 404) {
      throw new LoadError(What + " is not built into this server: run make wasm, then build the server again.");
    }
    if (!response.ok) {
      throw new LoadError(What + " could not be loaded: the server answered " + response.status + ".");
    }
    if (response.headers.get("Content-Type")?.startsWith("text/html")) {
      throw new LoadError(What + " could not be loaded: the network answered with a page. It may ask for a sign-in.");
    }
    const total = Number(response.headers.get("X-Raw-Length"));
    let loaded = 0;
    const body = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body);
    const counted = body.pipeThrough(
      new TransformStream({
        transform(/** @type {Uint8Array<ArrayBuffer>} */ chunk, /** @type {TransformStreamDefaultController<Uint8Array<ArrayBuffer>>} */ controller) {
          loaded += chunk.byteLength;
          progress(loaded, total);
          controller.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, { headers: { "Content-Type": "application/wasm" } });
  };

  /** @param {WebAssembly.Imports} imports */
  const instantiate = async (imports) => {
    const response = await load();
    if (WebAssembly.instantiateStreaming) {
      return WebAssembly.instantiateStreaming(response, imports);
    }
    return WebAssembly.instantiate(await response.arrayBuffer(), imports);
  };

  const start = async () => {
    if (typeof WebAssembly !== "object") {
      throw new LoadError("This browser cannot run " + what + ": it lacks WebAssembly.");
    }
    if (typeof Go !== "function") {
      await load(); // reports which of the two files is missing
      throw new LoadError(What + " is not built into this server: run make wasm, then build the server again.");
    }
    const runtime = new Go();
    const { instance } = await instantiate(runtime.importObject);
    // run yields once the program has drawn and waits for events. Its promise settles
    // only when the program ends, which should never happen.
    const ended = runtime.run(instance);
    loader.remove();
    await ended;
    throw new LoadError(What + " stopped. Reload the page to continue.");
  };

  start().catch(fail);
})();
