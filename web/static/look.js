// The page behind a link to look at a form: pan and zoom of its graph, and the tabs. Without scripts, both parts are shown one after the other.
(() => {
  "use strict";
  /** @param {string} selector */
  const $ = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
  const svg = /** @type {SVGSVGElement} */ (document.querySelector(".lk-view > svg"));
  const stage = $("#graph"), view = $(".lk-view"), shown = $(".lk-zoom output");
  const least = 0.05, most = 4, readable = 1, margin = 24;
  let zoom = 1, x = 0, y = 0, still = true; // still: nobody has moved the view, so it follows the window

  document.documentElement.classList.add("lk-live");
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".lk-tabs, .lk-zoom"))) el.hidden = false;
  for (const time of document.querySelectorAll("time"))
    time.textContent = new Date(time.dateTime).toLocaleString("en-GB", { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" });

  /** @param {boolean} [glide] */
  const place = (glide) => {
    view.toggleAttribute("data-glide", !!glide);
    view.style.transform = `translate(${x}px, ${y}px) scale(${zoom})`;
    shown.textContent = Math.round(zoom * 100) + "%";
    stage.dataset.zoom = String(zoom);
  };
  /** @param {boolean} [glide] */
  const fit = (glide) => {
    const { width, height } = svg.viewBox.baseVal, w = stage.clientWidth - 2 * margin, h = stage.clientHeight - 2 * margin;
    zoom = Math.max(least, Math.min(1, w / width, h / height));
    x = (stage.clientWidth - width * zoom) / 2;
    y = (stage.clientHeight - height * zoom) / 2;
    still = true;
    place(glide);
  };
  // A form that would be too small to read begins at its start.
  const begin = () => {
    fit();
    const start = /** @type {SVGTextElement | null} */ (svg.querySelector('text[text-anchor="middle"]'));
    if (zoom >= 0.8 || !start) return;
    const at = start.getBBox(), box = svg.viewBox.baseVal;
    zoom = readable;
    x = margin - (at.x - 40 - box.x) * zoom;
    y = stage.clientHeight / 3 - (at.y - box.y) * zoom;
    place();
  };
  /** @type {(to: number, atX?: number, atY?: number, glide?: boolean) => void} */
  const zoomTo = (to, atX = stage.clientWidth / 2, atY = stage.clientHeight / 2, glide) => {
    to = Math.max(least, Math.min(most, to));
    x = atX - ((atX - x) * to) / zoom;
    y = atY - ((atY - y) * to) / zoom;
    zoom = to;
    still = false;
    place(glide);
  };
  /** @type {(dx: number, dy: number, glide?: boolean) => void} */
  const pan = (dx, dy, glide) => {
    x += dx;
    y += dy;
    still = false;
    place(glide);
  };

  // Tools also send events to texts.
  /** @param {Event} e @param {string} selector */
  const within = ({ target }, selector) => /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest(selector) : null);
  /** @type {Record<string, () => void>} */
  const acts = { in: () => zoomTo(zoom * 1.25, undefined, undefined, true), out: () => zoomTo(zoom / 1.25, undefined, undefined, true), fit: () => fit(true) };
  $(".lk-zoom").addEventListener("click", (e) => acts[within(e, "button")?.dataset.zoom ?? ""]?.());
  const step = 80;
  /** @type {Record<string, () => void>} */
  const keys = {
    "+": acts.in, "=": acts.in, "-": acts.out, _: acts.out, 0: acts.fit,
    ArrowLeft: () => pan(step, 0, true), ArrowRight: () => pan(-step, 0, true), ArrowUp: () => pan(0, step, true), ArrowDown: () => pan(0, -step, true),
  };
  stage.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
    e.preventDefault();
    keys[e.key]();
  });

  // The wheel pans, and zooms with Control, as in the editor. Two fingers zoom.
  /** @param {MouseEvent} e @returns {[x: number, y: number]} */
  const at = (e) => {
    const box = stage.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  };
  stage.addEventListener("wheel", (e) => {
    e.preventDefault();
    const unit = e.deltaMode === 1 ? 20 : 1;
    if (e.ctrlKey || e.metaKey) zoomTo(zoom * 2 ** (-e.deltaY * unit * (e.deltaMode ? 0.01 : 0.005)), ...at(e));
    else if (e.shiftKey && !e.deltaX) pan(-e.deltaY * unit, 0);
    else pan(-e.deltaX * unit, -e.deltaY * unit);
  }, { passive: false });
  /** @type {Map<number, [x: number, y: number]>} */
  const fingers = new Map();
  stage.addEventListener("pointerdown", (e) => {
    if (e.button !== 0 || within(e, ".lk-zoom")) return;
    fingers.set(e.pointerId, at(e));
    stage.setPointerCapture(e.pointerId);
    stage.toggleAttribute("data-drag", true);
  });
  stage.addEventListener("pointermove", (e) => {
    const was = fingers.get(e.pointerId);
    if (!was) return;
    const now = at(e);
    fingers.set(e.pointerId, now);
    const other = [...fingers].find(([id]) => id !== e.pointerId)?.[1];
    if (!other) {
      pan(now[0] - was[0], now[1] - was[1]);
      return;
    }
    /** @param {[x: number, y: number]} p */
    const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
    pan((now[0] - was[0]) / 2, (now[1] - was[1]) / 2);
    zoomTo((zoom * apart(now)) / apart(was), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel", "lostpointercapture"]))
    stage.addEventListener(name, (e) => {
      fingers.delete(e.pointerId);
      if (!fingers.size) stage.toggleAttribute("data-drag", false);
    });
  new ResizeObserver(() => still && stage.clientWidth && begin()).observe(stage);

  // Paper is light.
  const root = document.documentElement;
  let theme = root.dataset.theme;
  addEventListener("beforeprint", () => {
    theme = root.dataset.theme;
    root.dataset.theme = "light";
  });
  addEventListener("afterprint", () => (root.dataset.theme = theme));

  const tabs = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[role=tab]"))];
  /** @param {HTMLElement} tab */
  const show = (tab) => {
    for (const t of tabs) {
      const on = t === tab, panel = $("#" + t.getAttribute("aria-controls"));
      t.setAttribute("aria-selected", String(on));
      t.tabIndex = on ? 0 : -1;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", t.id);
      panel.removeAttribute("aria-label");
      panel.hidden = !on;
    }
  };
  for (const tab of tabs) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", (e) => {
      const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      if (!by) return;
      e.preventDefault();
      const next = tabs[(tabs.indexOf(tab) + by + tabs.length) % tabs.length];
      show(next);
      next.focus();
    });
  }
  // On a phone, the screens say more than a part of the graph.
  show(tabs[matchMedia("(max-width: 599px)").matches ? 1 : 0]);
})();
